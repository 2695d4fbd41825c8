import { holm } from '../multiple/holm.ts'
import { defined } from '../../../cache/values/defined.ts'
import { oneSidedPower } from '../power/power-of-t.ts'
import { lossEvidence, type LossEvidence } from './loss-evidence.ts'
import type { PairedSides } from '../paired/paired-sides.ts'

/** A run's answers of both sides. */
interface GateSample extends Omit<PairedSides, 'benchmark'> {
  /** What rows share with each other where instances stand for themselves within one: the question, asked of two models. */
  readonly pooledSources?: readonly string[]
}

/** Both sides of a benchmark, A the base and B the new one. */
export interface GateBenchmark {
  readonly name: string
  /** On the unit scale, turned so that more is better. */
  readonly runs: readonly GateSample[]
  /** Whether an answer's value is 0 or 1 by definition. */
  readonly isBinary: boolean
  /** The loss that is borne, in shares of the scale; undefined: none was declared. */
  readonly margin?: number
}

export type Verdict = 'not worse' | 'regressed' | 'inconclusive'

export interface GateRow extends LossEvidence {
  readonly name: string
  readonly margin?: number
  /** p by Holm over all benchmarks. */
  readonly holm: number
  readonly verdict: Verdict
  /** Chance that Holm's strictest step finds a loss of the margin; undefined without a margin or without spread. */
  readonly powerToFindMargin?: number
  /** Chance to be called not worse if there is no loss. */
  readonly powerToClear?: number
}

/** The mean loss over benchmarks that count the same. */
export interface PooledLoss extends LossEvidence {
  /** Benchmarks that it is over: those that more than one source tells of. */
  readonly over: number
  readonly margin?: number
  readonly verdict: Verdict
}

interface Gate {
  readonly pooled: PooledLoss
  readonly benchmarks: readonly GateRow[]
  /** The level of the benchmarks' family: all of α once the pooled loss is sure, what it left otherwise. */
  readonly familyLevel: number
  readonly verdict: Verdict
}

interface GateLevels {
  /** One-sided. */
  readonly alpha: number
  /** The part of α that the pooled test gets, 0 to 1. */
  readonly pooledShare: number
  /** In shares of the scale. */
  readonly pooledMargin?: number
}

/**
 * Whether B lost against A: the pooled loss at its share of α, then benchmarks by Holm at α if that is sure, else at the
 * rest. The chance that any sound benchmark is called regressed stays below α for any share. "Not worse" over all needs
 * every row to be.
 */
export const gateOf = (benchmarks: readonly GateBenchmark[], levels: GateLevels): Gate => {
  const { alpha, pooledShare, pooledMargin } = levels
  const evidence = benchmarks.map(({ name, runs, isBinary }) =>
    lossEvidence(
      runs.map((run) => ({ ...run, benchmark: name })),
      isBinary,
      alpha,
    ),
  )
  const pooledOver = benchmarks.filter((_, at) => evidence[at]?.plan !== undefined)
  const pooledEvidence = lossEvidence(pooledRuns(pooledOver), false, alpha)
  const isPooledSure = pooledEvidence.p <= pooledShare * alpha
  const familyLevel = isPooledSure ? alpha : (1 - pooledShare) * alpha
  const adjusted = holm(evidence.map(({ p }) => p))
  const pooled = {
    ...pooledEvidence,
    over: pooledOver.length,
    ...(pooledMargin !== undefined && { margin: pooledMargin }),
    verdict: verdictOf(pooledEvidence.upper, pooledMargin, isPooledSure),
  }
  const rows = benchmarks.map(({ name, margin }, at): GateRow => {
    const found = evidence[at] ?? pooledEvidence
    const holm = adjusted[at] ?? 1
    return {
      name,
      ...found,
      holm,
      ...(margin !== undefined && { margin, ...powersOf(found, margin, alpha, benchmarks.length) }),
      verdict: verdictOf(found.upper, margin, holm <= familyLevel),
    }
  })
  return { pooled, benchmarks: rows, familyLevel, verdict: overall([pooled, ...rows]) }
}

const pooledRuns = (benchmarks: readonly GateBenchmark[]): readonly PairedSides[] =>
  benchmarks.flatMap(({ name, runs }) =>
    runs.map(({ pooledSources, ...run }) => ({
      ...run,
      benchmark: name,
      ...(pooledSources && { sources: pooledSources }),
    })),
  )

const verdictOf = (upper: number, margin: number | undefined, isRejected: boolean): Verdict => {
  if (margin !== undefined && upper <= margin) return 'not worse'
  return isRejected ? 'regressed' : 'inconclusive'
}

const overall = (rows: readonly { readonly verdict: Verdict }[]): Verdict => {
  if (rows.some(({ verdict }) => verdict === 'regressed')) return 'regressed'
  return rows.every(({ verdict }) => verdict === 'not worse') ? 'not worse' : 'inconclusive'
}

const powersOf = (
  { plan }: LossEvidence,
  margin: number,
  alpha: number,
  family: number,
): Pick<GateRow, 'powerToFindMargin' | 'powerToClear'> => {
  if (plan === undefined) return {}
  const powerToFindMargin = oneSidedPower(margin, plan, alpha / family)
  const powerToClear = oneSidedPower(margin, plan, alpha)
  return defined({ powerToFindMargin, powerToClear })
}
