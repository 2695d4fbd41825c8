import type { GateReport } from '../../targets/compare/gate-runs.ts'
import type { JudgedComparison } from './comparison-table.ts'

export type CiOutcome = 'compared' | 'new' | 'base not built' | 'incomplete' | 'failed'

/** A pair of model and benchmark whose key differs from the base's. */
export interface CiPair {
  readonly suite: string
  readonly run: string
  /** The fields of its key that differ, the first ones in words. */
  readonly why: string
  /** Provider calls that it could take. */
  readonly calls: number
  readonly outcome: CiOutcome
}

/** What `medmake ci` found. */
export interface CiReport {
  readonly base: string
  /** Runs of the suites, changed or not. */
  readonly total: number
  readonly pairs: readonly CiPair[]
  /** Runs that only the base has. */
  readonly removed: readonly string[]
  /** Calls that were made. */
  readonly providerCalls: number
  readonly judged: readonly JudgedComparison[]
  /** Losses of main metrics, benchmark by benchmark. */
  readonly gate: GateReport
  /** What the exit code follows: `--fail-if`, where it is given, else the gate. */
  readonly decidedBy: 'gate' | 'clauses'
  /** Clauses that no compared metric falls under, as the user wrote them. */
  readonly idle: readonly string[]
}
