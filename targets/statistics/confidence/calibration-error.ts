/** An answer's stated probability of being right, and whether it was. */
export interface Confidence {
  readonly probability: number
  readonly correct: boolean
}

/** Upper ends of bins of equal width on 0 to 1. */
export const equalWidthBins = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, bin) => (bin + 1) / count)

/**
 * Upper ends of bins of equally many answers, the first ones taking what is left over; halfway between the neighbours.
 * Bins that end at the same place are one.
 */
export const equalMassBins = (probabilities: readonly number[], count: number): readonly number[] => {
  const sorted = probabilities.toSorted((a, b) => a - b)
  const bins = Math.min(count, sorted.length)
  const [size, larger] = [Math.floor(sorted.length / bins), sorted.length % bins]
  const ends = Array.from({ length: bins - 1 }, (_, bin) => {
    const next = (bin + 1) * size + Math.min(bin + 1, larger)
    return ((sorted[next - 1] ?? NaN) + (sorted[next] ?? NaN)) / 2
  })
  return [...new Set([...ends, 1])].toSorted((a, b) => a - b)
}

/**
 * Expected calibration error (Naeini et al. 2015): over the bins, weighted by their answers, the distance of the mean
 * probability from the share of right answers. 0 to 1, lower is better.
 * @param bins upper ends, inclusive, ascending; the last is 1
 */
export const calibrationError = (answers: readonly Confidence[], bins: readonly number[]): number => {
  const sums = bins.map(() => ({ count: 0, probability: 0, correct: 0 }))
  for (const { probability, correct } of answers) {
    const sum = sums[bins.findIndex((end) => probability <= end)] ?? sums.at(-1)
    if (sum === undefined) throw new RangeError('there must be a bin')
    sum.count += 1
    sum.probability += probability
    sum.correct += correct ? 1 : 0
  }
  return sums
    .filter(({ count }) => count > 0)
    .reduce(
      (error, { count, probability, correct }) =>
        error + (count / answers.length) * Math.abs(probability / count - correct / count),
      0,
    )
}
