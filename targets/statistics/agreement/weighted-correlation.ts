import { TIE } from './rated-answers.ts'

/** Two scores of one answer and how often the answer counts, above 0. */
export interface WeightedPair {
  readonly a: number
  readonly b: number
  readonly weight: number
}

/** Pearson's r of pairs that count `weight` times each, −1 to 1; null for fewer than two pairs or a side without spread. */
export const weightedCorrelation = (pairs: readonly WeightedPair[]): number | null => {
  const [first] = pairs
  if (first === undefined) return null
  let [total, sumA, sumB] = [0, 0, 0]
  let [tiedA, tiedB] = [true, true]
  for (const { a, b, weight } of pairs) {
    total += weight
    sumA += weight * a
    sumB += weight * b
    tiedA &&= Math.abs(a - first.a) <= TIE
    tiedB &&= Math.abs(b - first.b) <= TIE
  }
  if (tiedA || tiedB) return null
  const [meanA, meanB] = [sumA / total, sumB / total]
  let [squaresA, squaresB, cross] = [0, 0, 0]
  for (const { a, b, weight } of pairs) {
    squaresA += weight * (a - meanA) ** 2
    squaresB += weight * (b - meanB) ** 2
    cross += weight * (a - meanA) * (b - meanB)
  }
  return Math.max(-1, Math.min(1, cross / Math.sqrt(squaresA * squaresB)))
}

/**
 * ICC(3,k), k = 2, of two raters' scores, each standardized: of their mean, these two being all raters. Standardizing
 * leaves nothing but their correlation r, and the ICC is 2r / (1 + r): at most 1, not bounded below. Null where r is, and
 * for r = −1, where no answer differs from another.
 */
export const standardizedIcc = (pairs: readonly WeightedPair[]): number | null => {
  const r = weightedCorrelation(pairs)
  return r === null || 1 + r < 1e-12 ? null : (2 * r) / (1 + r)
}

/** Spearman's ρ of the pairs as if each stood there `weight` times; ties share their mean rank. Null where Pearson's is. */
export const weightedSpearman = (pairs: readonly WeightedPair[]): number | null => {
  const weights = pairs.map(({ weight }) => weight)
  const a = midranks(
    Float64Array.from(pairs, (pair) => pair.a),
    weights,
  )
  const b = midranks(
    Float64Array.from(pairs, (pair) => pair.b),
    weights,
  )
  return weightedCorrelation(
    weights.map((weight, index) => ({ a: a[index] ?? NaN, b: b[index] ?? NaN, weight })),
  )
}

/** Asked for thousands of draws: no object a value. */
const midranks = (values: Float64Array, weights: readonly number[]): Float64Array => {
  const order = weights.map((_, index) => index).sort((x, y) => (values[x] ?? NaN) - (values[y] ?? NaN))
  const ranks = new Float64Array(values.length)
  let below = 0
  for (let from = 0; from < order.length;) {
    const start = values[order[from] ?? 0] ?? NaN
    let to = from
    let count = 0
    while (to < order.length && (values[order[to] ?? 0] ?? NaN) - start <= TIE) {
      count += weights[order[to] ?? 0] ?? 0
      to += 1
    }
    for (; from < to; from += 1) ranks[order[from] ?? 0] = below + (count + 1) / 2
    below += count
  }
  return ranks
}
