import { roundHalfEven } from '../../../benchmarks/python/numbers/number.ts'
import type { Interval } from '../intervals/wilson.ts'
import { jackknifeInterval } from '../resampling/jackknife.ts'
import { canonicalOrder } from './canonical-order.ts'
import { clinicianMeans } from './clinician-means.ts'
import { onceEach, type RatedAnswers } from './rated-answers.ts'
import { quadraticKappa } from './weighted-agreement.ts'

/**
 * Quadratic κ of the clinicians' mean and the jury, both rounded to whole points, with its interval over what the
 * answers come from; the clinicians are taken as they are. Null where it is not determined,
 * as of shares of an instance's own points: rounded, half of the points would be none, or all. The same in whatever order
 * answers come.
 */
export const kappaWithJury = (
  rated: RatedAnswers,
  confidence: number,
): { readonly value: number; readonly interval: Interval | null } | null => {
  const ordered = canonicalOrder(rated)
  const given = ordered.scores.flat().filter((score) => score !== null)
  if (given.every((score) => score <= 1) && given.some((score) => !Number.isInteger(score))) return null
  const both = ordered.jury.flatMap((score, at) =>
    score !== null && ordered.scores.some((row) => (row[at] ?? null) !== null) ? [at] : [],
  )
  const pairs = clinicianMeans(ordered, onceEach(ordered))
  const rounded = pairs.map(({ a, b }) => ({ a: wholePoints(a), b: wholePoints(b), weight: 1 }))
  const value = quadraticKappa(rounded)
  if (value === null) return null
  const interval = jackknifeInterval(
    both.map((at) => ordered.sources?.[at] ?? String(at)),
    (times) => quadraticKappa(rounded.map((pair, at) => ({ ...pair, weight: times[at] ?? 0 }))) ?? NaN,
    confidence,
  )
  return { value, interval: interval ?? null }
}

/** A mean of thirds may miss a half point by its last digit. */
const wholePoints = (score: number): number => roundHalfEven(roundHalfEven(score, 9))
