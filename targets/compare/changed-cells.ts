import { normalCdf, normalQuantile } from '../statistics/distributions/normal.ts'
import type { Interval } from '../statistics/intervals/interval.ts'
import { holm } from '../statistics/multiple/holm.ts'

/** A score of one release. */
export interface ReleasedScore {
  readonly value: number
  /** 95 %; null where nothing tells. */
  readonly interval: Interval | null
}

/** How a score changed from one release to the next. */
export interface CellChange {
  readonly difference: number
  /** Null where one of the scores has no interval. */
  readonly standardError: number | null
  readonly p: number | null
  /** Adjusted over all cells that both releases have. */
  readonly holm: number | null
}

const Z = normalQuantile(0.975)

/**
 * Changes of scores, each held against the standard error of its two scores. These are taken as independent: answers to
 * the same instances vary together, so that a change is more often missed than made up.
 */
export const changedCells = (
  pairs: readonly { readonly before: ReleasedScore; readonly now: ReleasedScore }[],
): readonly CellChange[] => {
  const changes = pairs.map(({ before, now }) => {
    const difference = now.value - before.value
    const standardError = errorOf(before, now)
    return { difference, standardError, p: tailOf(difference, standardError) }
  })
  const adjusted = holm(changes.flatMap(({ p }) => p ?? []))
  let next = 0
  return changes.map((change) => ({
    ...change,
    holm: change.p === null ? null : (adjusted[next++] ?? null),
  }))
}

const errorOf = (before: ReleasedScore, now: ReleasedScore): number | null =>
  before.interval === null || now.interval === null
    ? null
    : Math.hypot(before.interval.high - before.interval.low, now.interval.high - now.interval.low) / (2 * Z)

const tailOf = (difference: number, standardError: number | null): number | null => {
  if (standardError === null) return null
  if (difference === 0) return 1
  return standardError === 0 ? 0 : 2 * normalCdf(-Math.abs(difference) / standardError)
}
