import type { Split } from '../../benchmarks/scenario/instance.ts'
import type { Digest } from '../../cache/values/digest.ts'

/** One instance of a scenario by reference: its body is read when a later stage needs it. */
export interface InstanceRef {
  readonly id: string | number
  readonly split: Split
  readonly subSplit?: string
  readonly digest: Digest<'instance'>
  /** `Instance.cluster`: no part of the body, for it alters no prompt and no score. */
  readonly cluster?: string
  /** `Instance.attributes`; likewise. */
  readonly attributes?: Readonly<Record<string, string>>
}
