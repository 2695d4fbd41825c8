import type { BenchmarkContext } from '../../benchmarks/context/context.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'

/** An instance as HELM asked it. */
export interface Expected {
  readonly id: string | number
  readonly split: string
  /** sha256 of the prompt; undefined where HELM cut it to a window, which is another matter. */
  readonly prompt?: string
}

/** A benchmark with its arguments, and what HELM made of the same data. */
export interface ParityCase {
  /** Name in run entries. */
  readonly benchmark: string
  readonly args: ReadonlyMap<string, PyValue>
  /** What is shown, e.g. `med_dialog subset=icliniq`. */
  readonly label: string
  /** Where HELM's answer is read. */
  readonly source: string
  readonly context: Pick<BenchmarkContext, 'mirror'>
  /** HELM's instances, in HELM's order; sampled where HELM sampled. */
  readonly expected: () => readonly Expected[]
  /** HELM's `max_eval_instances`; undefined where `expected` holds all. */
  readonly sample?: number
  /** Ids that HELM keeps of a sample of each size. */
  readonly samples?: () => ReadonlyMap<number, readonly PyValue[]>
}
