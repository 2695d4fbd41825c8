import type { RatedAnswers } from './rated-answers.ts'
import { raterPairs } from './rater-pairs.ts'
import { standardizedIcc, weightedSpearman, type WeightedPair } from './weighted-correlation.ts'

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

/** How often each answer and each rater counts: integers from 0, by column and by row. */
export interface Multiplicities {
  readonly answers: readonly number[]
  readonly raters: readonly number[]
}

/** As if every answer and rater stood there once. */
export const onceEach = ({ scores, jury }: RatedAnswers): Multiplicities => ({
  answers: jury.map(() => 1),
  raters: scores.map(() => 1),
})

/**
 * Agreement where answers and raters count several times or not at all, as in one draw of a bootstrap. Answers repeat as
 * rows do. Pairs of raters count by the product of their weights; a rater is never paired with a copy of himself, and
 * each counts once in α.
 */
export const weightedAgreement = (
  rated: RatedAnswers,
  { answers, raters }: Multiplicities,
): AgreementFigures => {
  const pairs = raterPairs(rated, answers).map((pair) => ({
    ...pair,
    weight: (raters[pair.raters[0]] ?? 0) * (raters[pair.raters[1]] ?? 0),
  }))
  const withJury = clinicianMeans(rated, { answers, raters })
  return {
    clinicians: weightedMean(pairs.map(({ icc, weight }) => ({ value: icc, weight }))),
    jury: standardizedIcc(withJury),
    spearman: weightedSpearman(withJury),
    kappa: isWhole(rated)
      ? weightedMean(pairs.map(({ scores, weight }) => ({ value: quadraticKappa(scores), weight })))
      : null,
    alpha: weightedAlpha(rated, { answers, raters }),
  }
}

interface Weighted {
  readonly value: number | null
  readonly weight: number
}

const weightedMean = (values: readonly Weighted[]): number | null => {
  let [sum, total] = [0, 0]
  for (const { value, weight } of values) {
    if (value === null) continue
    sum += weight * value
    total += weight
  }
  return total === 0 ? null : sum / total
}

/** The mean of those clinicians who scored an answer, with the jury's score of it. */
const clinicianMeans = (
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

const isWhole = ({ scores }: RatedAnswers): boolean =>
  scores.every((row) => row.every((score) => score === null || Number.isInteger(score)))

/** Cohen's κ with quadratic weights, of scores as numbers; null where both gave all answers one score. */
export const quadraticKappa = (pairs: readonly WeightedPair[]): number | null => {
  const total = pairs.reduce((sum, { weight }) => sum + weight, 0)
  let [observed, expected] = [0, 0]
  for (const { a, b, weight } of pairs) {
    observed += weight * (a - b) ** 2
    for (const other of pairs) expected += weight * other.weight * (a - other.b) ** 2
  }
  return expected === 0 ? null : 1 - (total * observed) / expected
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
