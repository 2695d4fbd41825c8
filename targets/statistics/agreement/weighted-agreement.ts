import {
  ratingsByAnswer,
  type Multiplicities,
  type RatedAnswers,
  type RatingsByAnswer,
} from './rated-answers.ts'
import { raterPairs, weighedScores, type RaterPair } from './rater-pairs.ts'
import { clinicianMeans } from './clinician-means.ts'
import { standardizedIcc, weightedSpearman, type WeightedPair } from './weighted-correlation.ts'
import { weightedAlpha } from './weighted-alpha.ts'
import { weightedIcc } from './weighted-icc.ts'

/** Figures of agreement; each null where these answers and raters do not determine it. */
export interface AgreementFigures {
  /** Mean over pairs of clinicians of their ICC(3,k): what a jury is held to. */
  readonly clinicians: number | null
  /** ICC(3,k) of the clinicians' mean and the jury, each standardized. */
  readonly jury: number | null
  /** Of the clinicians' mean and the jury. */
  readonly spearman: number | null
  /** Quadratic weights, mean over pairs of clinicians; null where a score is no whole number. */
  readonly kappa: number | null
  /** Krippendorff's for interval data, of all clinicians. */
  readonly alpha: number | null
  /** ICC(1,1) and ICC(2,1) of all clinicians' raw scores. */
  readonly icc1: number | null
  readonly icc2: number | null
}

/**
 * Agreement where answers and raters count several times or not at all, as in one draw of a bootstrap. Answers repeat as
 * rows do. Pairs of raters count by the product of their weights; a rater is never paired with a copy of himself, and
 * each counts once in α.
 *
 * @param prepared of the same ratings: given by who draws often
 */
export const weightedAgreement = (
  rated: RatedAnswers,
  { answers, raters }: Multiplicities,
  { pairs, byAnswer, areWhole }: PreparedRatings = prepareRatings(rated),
): AgreementFigures => {
  const drawn = pairs.flatMap((pair) => {
    const weight = (raters[pair.raters[0]] ?? 0) * (raters[pair.raters[1]] ?? 0)
    if (weight === 0) return []
    const scores = weighedScores(pair, answers)
    return scores.length < 2 ? [] : [{ scores, weight }]
  })
  const withJury = clinicianMeans(rated, { answers, raters }, byAnswer)
  return {
    clinicians: weightedMean(drawn.map(({ scores, weight }) => ({ value: standardizedIcc(scores), weight }))),
    jury: standardizedIcc(withJury),
    spearman: weightedSpearman(withJury),
    kappa: areWhole
      ? weightedMean(drawn.map(({ scores, weight }) => ({ value: quadraticKappa(scores), weight })))
      : null,
    alpha: weightedAlpha(byAnswer, { answers, raters }),
    ...weightedIcc(byAnswer, { answers, raters }),
  }
}

/** What all draws of the same ratings share. */
interface PreparedRatings {
  readonly pairs: readonly RaterPair[]
  readonly byAnswer: RatingsByAnswer
  /** Whether every score is a whole number. */
  readonly areWhole: boolean
}

export const prepareRatings = (rated: RatedAnswers): PreparedRatings => ({
  pairs: raterPairs(rated),
  byAnswer: ratingsByAnswer(rated),
  areWhole: rated.scores.every((row) => row.every((score) => score === null || Number.isInteger(score))),
})

/** Cohen's κ with quadratic weights, of scores as numbers; null without pairs, and where both gave all answers one score. */
export const quadraticKappa = (pairs: readonly WeightedPair[]): number | null => {
  const total = pairs.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return null
  const meanA = pairs.reduce((sum, { a, weight }) => sum + weight * a, 0) / total
  const meanB = pairs.reduce((sum, { b, weight }) => sum + weight * b, 0) / total
  let [observed, spread] = [0, 0]
  for (const { a, b, weight } of pairs) {
    observed += weight * (a - b) ** 2
    spread += weight * ((a - meanA) ** 2 + (b - meanB) ** 2)
  }
  // What two independent raters with these scores would differ by.
  const expected = spread + total * (meanA - meanB) ** 2
  return expected < 1e-18 * total ? null : 1 - observed / expected
}

/** A value that counts `weight` times; null: none. */
interface Weighted {
  readonly value: number | null
  readonly weight: number
}

/** The mean of the values there are; null without any. */
const weightedMean = (values: readonly Weighted[]): number | null => {
  let [sum, total] = [0, 0]
  for (const { value, weight } of values) {
    if (value === null) continue
    sum += weight * value
    total += weight
  }
  return total === 0 ? null : sum / total
}
