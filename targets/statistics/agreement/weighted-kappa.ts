/** How far apart two labels are, by their positions. */
export type KappaWeights = 'quadratic' | 'linear' | 'none'

const WEIGHTS: Readonly<Record<KappaWeights, (distance: number) => number>> = {
  quadratic: (distance) => distance * distance,
  linear: (distance) => distance,
  none: (distance) => (distance === 0 ? 0 : 1),
}

/**
 * Cohen's κ of two raters' labels: 1 full agreement, 0 that of chance; NaN where both gave all items one label.
 * @param labels all labels in their order, given or not
 * @throws RangeError for lists of two lengths and for a value that is no label
 */
export const weightedKappa = (
  a: readonly number[],
  b: readonly number[],
  labels: readonly number[],
  weights: KappaWeights = 'quadratic',
): number => {
  if (a.length !== b.length) throw new RangeError('both raters have the same number of items')
  const positions = new Map(labels.map((label, position) => [label, position]))
  const positionOf = (value: number | undefined): number => {
    const position = positions.get(value ?? NaN)
    if (position === undefined) throw new RangeError(`${value} is none of the labels`)
    return position
  }
  const weightOf = WEIGHTS[weights]
  const countA = labels.map(() => 0)
  const countB = labels.map(() => 0)
  let observed = 0
  for (const [index, value] of a.entries()) {
    const [i, j] = [positionOf(value), positionOf(b[index])]
    countA[i] = (countA[i] ?? 0) + 1
    countB[j] = (countB[j] ?? 0) + 1
    observed += weightOf(Math.abs(i - j))
  }
  let expected = 0
  for (const [i, inA] of countA.entries())
    for (const [j, inB] of countB.entries()) expected += (weightOf(Math.abs(i - j)) * inA * inB) / a.length
  // Of one label both are 0.
  return 1 - observed / expected
}
