import type { Multiplicities } from './multiplicities.ts'
import type { RatedAnswers } from './rated-answers.ts'
import type { WeightedPair } from './weighted-correlation.ts'
import { weightedMean } from './weighted-mean.ts'

/** The mean of those clinicians who scored an answer, with the jury's score of it; answers that lack either are left out. */
export const clinicianMeans = (
  { scores, jury }: RatedAnswers,
  { answers, raters }: Multiplicities,
): readonly WeightedPair[] =>
  jury.flatMap((b, answer) => {
    const weight = answers[answer] ?? 0
    const a = weightedMean(
      scores.map((row, rater) => ({ value: row[answer] ?? null, weight: raters[rater] ?? 0 })),
    )
    return a === null || b === null || weight === 0 ? [] : [{ a, b, weight }]
  })
