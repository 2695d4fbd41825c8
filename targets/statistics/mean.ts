/** The mean of values added in their order; NaN without any. */
export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** The same; null without any. */
export const meanOrNull = (values: readonly number[]): number | null =>
  values.length === 0 ? null : meanOf(values)

/** Of the greatest value: what adding up and dividing turn of equal values. */
const ROUNDING = 1e-12

const greatest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)

/** The sum of squared distances from the mean; 0 of values that differ in their last digits alone. */
export const squaresOf = (values: readonly number[]): number => {
  const [[first = 0], least] = [values, ROUNDING * greatest(values)]
  if (values.every((value) => Math.abs(value - first) <= least)) return 0
  const mean = meanOf(values)
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
}

/** Standard deviation over all that values are a sample of, each standing for `weight` of these; NaN for a single value. */
export const weightedDeviation = (
  sample: readonly { readonly value: number; readonly weight: number }[],
): number => {
  if (sample.length > 1 && squaresOf(sample.map(({ value }) => value)) === 0) return 0
  const total = sample.reduce((sum, { weight }) => sum + weight, 0)
  const mean = sample.reduce((sum, { value, weight }) => sum + weight * value, 0) / total
  const squares = sample.reduce((sum, { value, weight }) => sum + weight * (value - mean) ** 2, 0)
  return Math.sqrt((squares / total) * (sample.length / (sample.length - 1)))
}

/**
 * Sums of squared distances between means of these scores, each with 0 in place of what rounding alone leaves.
 * @param scores of which the means are
 */
export const withoutRounding = (scores: readonly number[]): ((squares: number) => number) => {
  const least = scores.length * (ROUNDING * greatest(scores)) ** 2
  return (squares) => (squares <= least ? 0 : squares)
}

/**
 * The minimum detectable effect as MedHELM publishes it (paper, appendix E; public analysis script): rounded quantiles
 * and the standard deviation that divides by n. In the units of the differences; the paper first divides jury scores
 * by 5. Undefined without a difference.
 */
export const medhelmMde = (differences: readonly number[]): number | undefined => {
  const n = differences.length
  if (n === 0) return undefined
  return ((0.84 + 1.96) * Math.sqrt(squaresOf(differences) / n)) / Math.sqrt(n)
}

/** Of a score: what adding up in another order, or dividing, may turn of it. */
const LAST_DIGITS = 1e-12

/** The score whose digits `score` takes: the first of `known` that it equals but for the order of a sum, else itself. */
export const tiedScore = (score: number, known: readonly (number | null | undefined)[]): number =>
  known.find(
    (other) => typeof other === 'number' && Math.abs(other - score) <= LAST_DIGITS * Math.abs(score),
  ) ?? score

/** Whether a value is at least `least`, or below it by no more than sums of thirds lose: 13/3 − 7/3 reaches 2. */
export const reaches = (value: number, least: number): boolean =>
  value >= least - LAST_DIGITS * Math.abs(least)

/** Ranks from 1; equal values share the mean of their ranks. */
export const averageRanks = (values: readonly number[]): readonly number[] => {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value)
  const ranks = Array.from({ length: values.length }, () => 0)
  for (let from = 0; from < order.length;) {
    let to = from
    while (to + 1 < order.length && order[to + 1]?.value === order[from]?.value) to += 1
    for (const { index } of order.slice(from, to + 1)) ranks[index] = (from + to) / 2 + 1
    from = to + 1
  }
  return ranks
}
