import type { Interval } from '../statistics/intervals/wilson.ts'
import { holm } from '../statistics/multiple/holm.ts'
import { independentChange, type IndependentChange } from '../statistics/paired/independent-change.ts'
import { CONFIDENCE } from '../statistics/scale.ts'

/** A score of one release. */
interface ReleasedScore {
  readonly value: number
  /** 95 %; null where nothing tells. */
  readonly interval: Interval | null
}

/** How a score changed from one release to the next. */
export interface CellChange extends IndependentChange {
  readonly difference: number
  /** Adjusted over all cells that both releases have. */
  readonly holm: number | null
}

/**
 * Changes of scores, each held against the standard error of its two scores. These are taken as independent: answers to
 * the same instances vary together, so that a change is more often missed than made up.
 */
export const changedCells = (
  pairs: readonly { readonly before: ReleasedScore; readonly now: ReleasedScore }[],
): readonly CellChange[] => {
  const changes = pairs.map(({ before, now }) => {
    const difference = now.value - before.value
    return { difference, ...independentChange(difference, [before.interval, now.interval], CONFIDENCE) }
  })
  const adjusted = holm(changes.flatMap(({ p }) => p ?? []))
  let next = 0
  return changes.map((change) => ({
    ...change,
    holm: change.p === null ? null : (adjusted[next++] ?? null),
  }))
}
