import {
  ratingsByAnswer,
  type Multiplicities,
  type RatedAnswers,
  type RatingsByAnswer,
} from './rated-answers.ts'
import type { WeightedPair } from './weighted-correlation.ts'

/**
 * The mean of those clinicians who scored an answer, with the jury's score of it; answers that lack either are left out.
 * @param byAnswer of the same ratings: given by who draws often
 */
export const clinicianMeans = (
  rated: RatedAnswers,
  { answers, raters }: Multiplicities,
  byAnswer: RatingsByAnswer = ratingsByAnswer(rated),
): readonly WeightedPair[] => {
  const pairs: WeightedPair[] = []
  for (const [answer, given] of byAnswer.entries()) {
    const weight = answers[answer] ?? 0
    const b = rated.jury[answer] ?? null
    if (weight === 0 || b === null) continue
    let [sum, total] = [0, 0]
    for (const { rater, score } of given) {
      const times = raters[rater] ?? 0
      sum += times * score
      total += times
    }
    if (total > 0) pairs.push({ a: sum / total, b, weight })
  }
  return pairs
}
