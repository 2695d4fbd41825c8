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

/** Intraclass correlations of one raw score; each null where the ratings do not determine it. */
interface RawIcc {
  /** ICC(1,1): raters are drawn anew for each answer. */
  readonly icc1: number | null
  /** ICC(2,1): raters are a sample, whose levels differ. */
  readonly icc2: number | null
}

/**
 * ICC(1,1) and ICC(2,1), not cut off at 0, where not every rater rates every answer: variances of answers, raters and the
 * rest by Henderson's first method, which for a full table gives Shrout and Fleiss's. Answers repeat as rows do, a rater
 * counts once or not at all.
 */
export const weightedIcc = (ratings: RatingsByAnswer, { answers, raters }: Multiplicities): RawIcc => {
  const counted = ratings.map((given, answer) => ({
    weight: answers[answer] ?? 0,
    own: given.filter(({ rater }) => (raters[rater] ?? 0) > 0),
  }))
  let [count, total, rows, squaredRows, all, ofRows] = [0, 0, 0, 0, 0, 0]
  for (const { weight, own } of counted) {
    if (own.length > 0) rows += weight
    count += weight * own.length
    squaredRows += weight * own.length ** 2
    for (const { score } of own) total += weight * score
  }
  const byRater = raters.map(() => ({ n: 0, sum: 0 }))
  for (const { weight, own } of counted) {
    let sum = 0
    for (const { rater, score } of own) {
      const apart = score - total / count
      all += weight * apart ** 2
      sum += apart
      const of = byRater[rater]
      if (of === undefined) continue
      of.n += weight
      of.sum += weight * apart
    }
    ofRows += (weight * sum ** 2) / (own.length || 1)
  }
  const columns = byRater.filter(({ n }) => n > 0)
  const ofColumns = columns.reduce((sum, of) => sum + of.sum ** 2 / of.n, 0)
  // How often each variance is in the squares about the grand mean.
  const freeRows = count - squaredRows / count
  const freeColumns = count - columns.reduce((sum, { n }) => sum + n ** 2, 0) / count
  // Raters and rest, answers and rest, rest alone.
  const within = (all - ofRows) / (count - rows)
  const across = (all - ofColumns) / (count - columns.length)
  const both = count - 1 - freeRows - freeColumns
  const rest = Math.abs(both) < 1e-9 ? NaN : (all - across * freeRows - within * freeColumns) / both
  const between = (ofRows - (rows - 1) * within) / freeRows
  return { icc1: share(between, between + within), icc2: share(across - rest, across + within - rest) }
}

/** Scores that are alike leave of their variance what rounding does. */
const share = (part: number, whole: number): number | null =>
  Number.isFinite(part) && whole > 1e-12 ? part / whole : null
