import type { PyValue } from '../../benchmarks/python/value.ts'
import type { Chat, Instance } from '../../benchmarks/scenario/instance.ts'
import type { MetricPoint } from '../metrics/metric.ts'
import type { HelmRequest, HelmResult, RequestState } from '../record/request-state.ts'

/** A request with what became of it, as any source tells it: every RequestState, and what HELM's files may hold besides. */
export interface ReadState extends Pick<RequestState, 'trainTrialIndex' | 'outputMapping' | 'annotations'> {
  readonly instance: Pick<Instance, 'references' | 'subSplit' | 'extraData'> & {
    readonly input: { readonly text: string; readonly messages?: Chat }
    readonly id?: string | number
    readonly split?: string
    readonly perturbation?: ReadonlyMap<string, PyValue>
  }
  readonly request: HelmRequest & { readonly messages?: PyValue }
  readonly result?: Pick<HelmResult, 'success' | 'error'> & {
    readonly completions: readonly { readonly text: string; readonly thinking?: string }[]
  }
  /** Values of our own, in no file of HELM's; absent where nothing tells. */
  readonly ownPoints?: () => readonly MetricPoint[]
}
