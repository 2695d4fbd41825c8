import type { RatedAnswers } from './rated-answers.ts'
import { raterPairs, weighedScores, type RaterPair } from './rater-pairs.ts'
import { clinicianMeans } from './clinician-means.ts'
import type { Multiplicities } from './multiplicities.ts'
import { standardizedIcc, weightedSpearman, type WeightedPair } from './weighted-correlation.ts'
import { weightedMean } from './weighted-mean.ts'

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
}

/**
 * Agreement where answers and raters count several times or not at all, as in one draw of a bootstrap. Answers repeat as
 * rows do. Pairs of raters count by the product of their weights; a rater is never paired with a copy of himself, and
 * each counts once in α.
 *
 * @param pairs of the same ratings: given by who draws often
 */
export const weightedAgreement = (
  rated: RatedAnswers,
  { answers, raters }: Multiplicities,
  pairs: readonly RaterPair[] = raterPairs(rated),
): AgreementFigures => {
  const drawn = pairs.flatMap((pair) => {
    const weight = (raters[pair.raters[0]] ?? 0) * (raters[pair.raters[1]] ?? 0)
    if (weight === 0) return []
    const scores = weighedScores(pair, answers)
    return scores.length < 2 ? [] : [{ scores, weight }]
  })
  const withJury = clinicianMeans(rated, { answers, raters })
  return {
    clinicians: weightedMean(drawn.map(({ scores, weight }) => ({ value: standardizedIcc(scores), weight }))),
    jury: standardizedIcc(withJury),
    spearman: weightedSpearman(withJury),
    kappa: isWhole(rated)
      ? weightedMean(drawn.map(({ scores, weight }) => ({ value: quadraticKappa(scores), weight })))
      : null,
    alpha: weightedAlpha(rated, { answers, raters }),
  }
}

const isWhole = ({ scores }: RatedAnswers): boolean =>
  scores.every((row) => row.every((score) => score === null || Number.isInteger(score)))

/** Cohen's κ with quadratic weights, of scores as numbers; null where both gave all answers one score. */
export const quadraticKappa = (pairs: readonly WeightedPair[]): number | null => {
  const total = pairs.reduce((sum, { weight }) => sum + weight, 0)
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

const weightedAlpha = (
  { scores, jury }: RatedAnswers,
  { answers, raters }: Multiplicities,
): number | null => {
  const drawn = scores.filter((_, rater) => (raters[rater] ?? 0) > 0)
  const units = jury.flatMap((_, answer) => {
    const values = drawn.flatMap((row) => row[answer] ?? [])
    const weight = answers[answer] ?? 0
    return values.length < 2 || weight === 0 ? [] : [{ values, weight }]
  })
  const count = units.reduce((sum, { values, weight }) => sum + weight * values.length, 0)
  const mean = units.reduce((sum, { values, weight }) => sum + weight * sumOf(values), 0) / count
  let [observed, expected] = [0, 0]
  for (const { values, weight } of units) {
    const own = sumOf(values) / values.length
    // Squared distances between all ordered pairs of a unit are 2n times those from its mean.
    observed += (weight * 2 * values.length * squaresAbout(values, own)) / (values.length - 1)
    expected += weight * squaresAbout(values, mean)
  }
  return count === 0 || expected < 1e-18 * count
    ? null
    : 1 - ((count - 1) * observed) / (2 * count * expected)
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

const squaresAbout = (values: readonly number[], centre: number): number =>
  values.reduce((sum, value) => sum + (value - centre) ** 2, 0)
