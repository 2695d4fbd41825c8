/**
 * The sum of values, rounded once: the same in whatever order they come (Shewchuk 1997). An estimate must not depend on
 * the order of a file.
 */
export const exactSum = (values: Iterable<number>): number => {
  // Parts that don't overlap, the smallest first; few values need more than three.
  const parts: number[] = []
  for (const value of values) {
    let carried = value
    let kept = 0
    for (let at = 0; at < parts.length; at += 1) {
      const part = parts[at] ?? 0
      const sum = carried + part
      // Knuth's sum of two: what rounding took from `sum`, whichever of the two is greater.
      const back = sum - carried
      const rest = carried - (sum - back) + (part - back)
      if (rest !== 0) {
        parts[kept] = rest
        kept += 1
      }
      carried = sum
    }
    parts[kept] = carried
    if (parts.length > kept + 1) parts.length = kept + 1
  }
  return rounded(parts)
}

/** Parts don't overlap and grow: added from the greatest down, the first rest decides how the sum is rounded. */
const rounded = (parts: readonly number[]): number => {
  let at = parts.length - 1
  let sum = parts[at] ?? 0
  let rest = 0
  while (at > 0 && rest === 0) {
    at -= 1
    const before = sum
    const part = parts[at] ?? 0
    sum = before + part
    rest = part - (sum - before)
  }
  // Halfway between two numbers the next part says which is nearer.
  const next = parts[at - 1] ?? 0
  if ((rest < 0 && next < 0) || (rest > 0 && next > 0)) {
    const twice = rest * 2
    const moved = sum + twice
    if (twice === moved - sum) sum = moved
  }
  return sum
}

/** The mean of values, whatever their order; NaN without any. */
export const exactMean = (values: readonly number[]): number => exactSum(values) / values.length
