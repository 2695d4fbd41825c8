/** What counts as a difference between two values. */
export type AlphaLevel = 'nominal' | 'ordinal' | 'interval' | 'ratio'

type Difference = (i: number, j: number) => number

/** Squared difference of the values at positions i and j. */
const differenceOf = (
  level: AlphaLevel,
  values: readonly number[],
  totals: readonly number[],
): Difference => {
  const at = (position: number): number => values[position] ?? NaN
  if (level === 'nominal') return (i, j) => (i === j ? 0 : 1)
  if (level === 'interval') return (i, j) => (at(i) - at(j)) ** 2
  if (level === 'ratio')
    return (i, j) => (i === j || at(i) + at(j) === 0 ? 0 : ((at(i) - at(j)) / (at(i) + at(j))) ** 2)
  return (i, j) => {
    const [low, high] = i < j ? [i, j] : [j, i]
    const between = totals.slice(low, high + 1).reduce((sum, total) => sum + total, 0)
    return (between - ((totals[low] ?? 0) + (totals[high] ?? 0)) / 2) ** 2
  }
}

/**
 * Krippendorff's α of raters who need not all rate everything: 1 full agreement, 0 that of chance. NaN where nothing
 * was rated twice or all values are equal.
 * @param ratings rows raters, columns items; null: not rated
 */
export const krippendorffAlpha = (
  ratings: readonly (readonly (number | null)[])[],
  level: AlphaLevel,
): number => {
  const columns = ratings[0]?.length ?? 0
  const units = Array.from({ length: columns }, (_, unit) =>
    ratings.flatMap((row) => row[unit] ?? []),
  ).filter((unit) => unit.length > 1)
  const values = [...new Set(units.flat())].toSorted((a, b) => a - b)
  const positions = new Map(values.map((value, position) => [value, position]))
  const totals = values.map(() => 0)
  for (const value of units.flat()) {
    const position = positions.get(value) ?? 0
    totals[position] = (totals[position] ?? 0) + 1
  }
  const difference = differenceOf(level, values, totals)
  const pairable = totals.reduce((sum, total) => sum + total, 0)
  let observed = 0
  for (const unit of units)
    for (const a of unit)
      for (const b of unit)
        observed += difference(positions.get(a) ?? 0, positions.get(b) ?? 0) / (unit.length - 1)
  let expected = 0
  for (const [i, inI] of totals.entries())
    for (const [j, inJ] of totals.entries()) expected += inI * inJ * difference(i, j)
  return expected === 0 ? NaN : 1 - ((pairable - 1) * observed) / expected
}
