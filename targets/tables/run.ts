import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import type { ObjectSpec } from '../../benchmarks/scenario/benchmark.ts'
import type { TrialStat } from './cells/trial-stat.ts'

/** What tables read of a run. */
export interface TableRun {
  /** The run spec's name. */
  readonly name: string
  readonly groups: readonly string[]
  readonly scenario: ObjectSpec
  readonly metrics: readonly ObjectSpec[]
  readonly adapter: Omit<AdapterSpec, 'method'> & { readonly method: string }
  readonly stats: readonly TrialStat[]
  /** Its folder is for its owner only: tables, which are handed out, do not tell the words of its prompts. */
  readonly isRestricted?: true
}
