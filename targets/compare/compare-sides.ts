import { medhelmMde } from '../statistics/mean.ts'
import { holm } from '../statistics/multiple/holm.ts'
import type { MetricScale } from '../statistics/intervals/mean-interval.ts'
import { pairDifference, type PairDifference } from '../statistics/paired/pair-difference.ts'
import { couldTurn } from '../statistics/missing/could-turn.ts'
import { detectableDifference } from '../statistics/power/detectable.ts'
import { ALPHA } from '../statistics/scale.ts'
import { minus, type PairedSides } from '../statistics/paired/paired-sides.ts'

interface TwoSides {
  readonly sides: PairedSides
  readonly metric: MetricScale
  /** False where a side's coverage is under its floor: nothing is decided by it. */
  readonly isRanked: boolean
}

/** A difference with p adjusted for all that were compared. */
export interface AdjustedDifference extends PairDifference {
  /** Null without a p. */
  readonly holm: number | null
}

/** B − A of each; p values are adjusted by Holm over all. Null where nothing is shared, or a side is unranked. */
export const compareSides = (all: readonly TwoSides[]): readonly (AdjustedDifference | null)[] =>
  adjustHolm(all.map(differenceOf))

/** One of them, before the adjustment. */
const differenceOf = ({ sides, metric, isRanked }: TwoSides): PairDifference | null =>
  isRanked && sides.a.length > 0 ? pairDifference([sides], metric) : null

/** What a rerun of this size and spread could notice. */
interface Noticeable {
  /** True difference that a rerun notices in 80 % of cases at 5 %, by the very test; null: none at this n. */
  readonly mde: number | null
  /** The same as MedHELM's paper forms it (appendix E), in the metric's own units, sources disregarded. */
  readonly medhelmMde: number | null
}

/** How two sides differ on the instances that both were asked; B − A, in the metric's own units. */
export interface PairSummary extends PairDifference, Noticeable {}

/** The same with p adjusted for all that were compared. */
export interface ComparisonResult extends AdjustedDifference, Noticeable {}

/** The test of a difference, with what could have been noticed. Undefined where no instance has both values. */
export const summarizePair = (runs: readonly PairedSides[], metric: MetricScale): PairSummary | undefined => {
  const found = pairDifference(runs, metric)
  return found.common === 0 ? undefined : withNoticeable(found, runs)
}

export const withNoticeable = <Found extends PairDifference>(
  found: Found,
  runs: readonly PairedSides[],
): Found & Noticeable => ({
  ...found,
  mde: detectableDifference(found.plan),
  medhelmMde: medhelmMdeOf(runs),
})

/** Detectable difference as MedHELM's paper forms it (appendix E), sources disregarded. */
export const medhelmMdeOf = (runs: readonly Pick<PairedSides, 'a' | 'b'>[]): number | null =>
  medhelmMde(
    runs.flatMap(({ a, b }) => Array.from(minus(b, a)).filter((difference) => !Number.isNaN(difference))),
  ) ?? null

/** Holm's adjustment over the differences that have a p. */
export const adjustHolm = <Found extends { readonly p: number | null }>(
  found: readonly (Found | null)[],
): readonly ((Found & { readonly holm: number | null }) | null)[] => {
  const adjusted = holm(found.flatMap((each) => each?.p ?? []))
  let place = 0
  return found.map((each) =>
    each === null ? null : { ...each, holm: each.p === null ? null : (adjusted[place++] ?? null) },
  )
}

/** What a difference lets one say: by p adjusted over all that were compared. */
export type SideVerdict = 'more' | 'less' | 'no difference' | 'inconclusive' | 'not tested'

/** Of B against A, in the metric's own units. `inconclusive`: what could not be read leaves it open. */
export const verdictOf = ({
  holm: adjusted,
  difference,
  test,
  bounds,
  strict,
}: Pick<AdjustedDifference, 'holm' | 'difference' | 'test' | 'bounds' | 'strict'>): SideVerdict => {
  if (adjusted === null) return 'not tested'
  if (adjusted < ALPHA && difference !== null) return difference > 0 ? 'more' : 'less'
  // What the same reply leaves open on both sides leaves no difference open, and a few that could turn nothing leave it to chance.
  const isOpen =
    bounds === null || couldTurn(bounds) || (bounds.low < bounds.high && (strict?.p ?? 1) < ALPHA)
  return test === 'bounds' && isOpen ? 'inconclusive' : 'no difference'
}
