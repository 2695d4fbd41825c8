import type { Interval } from '../intervals/wilson.ts'
import { jackknifeInterval } from '../resampling/jackknife.ts'
import { canonicalOrder } from './canonical-order.ts'
import { ratingsByAnswer } from './rated-answers.ts'
import { weightedAlpha } from './weighted-alpha.ts'

/** Krippendorff's α for interval data. */
interface RatersAlpha {
  readonly value: number
  /** Over sources, the raters being taken as they are; null where they are too few, or tell none. */
  readonly interval: Interval | null
}

/**
 * α of raters' scores, with its interval over what the answers come from; null where no answer has two ratings,
 * or all are alike. The same whatever raters, answers and sources are called, and in which order they come.
 *
 * @param scores rows are raters, columns answers; null: not rated
 * @param sources name of each answer's
 */
export const alphaOfRaters = (
  scores: readonly (readonly (number | null)[])[],
  sources: readonly string[],
  confidence: number,
): RatersAlpha | null => {
  // Answers of one rater have no say in α, and would only be drawn in vain.
  const several = sources.flatMap((_, at) =>
    scores.filter((row) => (row[at] ?? null) !== null).length > 1 ? [at] : [],
  )
  const ordered = canonicalOrder({
    scores: scores.map((row) => several.map((at) => row[at] ?? null)),
    jury: several.map(() => null),
    sources: several.map((at) => sources[at] ?? ''),
  })
  const ratings = ratingsByAnswer(ordered)
  const raters = scores.map(() => 1)
  const value = weightedAlpha(ratings, { answers: several.map(() => 1), raters })
  if (value === null) return null
  const interval = jackknifeInterval(
    ordered.sources ?? [],
    (answers) => weightedAlpha(ratings, { answers, raters }) ?? NaN,
    confidence,
  )
  return { value, interval: interval ?? null }
}
