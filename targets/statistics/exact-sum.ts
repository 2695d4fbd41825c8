/** Twice what adding up n rounding errors loses at most, as a share of their sizes. */
const LOST = 2 ** -51

/**
 * The sum of values, rounded once: the same in whatever order they come. An estimate must not depend on the order of a
 * file.
 */
export const exactSum = (values: ArrayLike<number>): number => sumOf(packed(values))

/** The sum of squared distances from a centre, rounded once. */
export const exactSquares = (values: ArrayLike<number>, centre: number): number =>
  squaresFrom(packed(values), centre)

/** One kind of list: a loop that meets several is five times as slow. */
export const packed = (values: ArrayLike<number>): Float64Array =>
  values instanceof Float64Array ? values : new Float64Array(values)

const sumOf = (values: Float64Array): number => {
  let sum = 0
  let lost = 0
  let size = 0
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? NaN
    const next = sum + value
    // Knuth's sum of two: what rounding took from `next`, whichever of the two is greater.
    const back = next - sum
    const rest = sum - (next - back) + (value - back)
    lost += rest
    size += Math.abs(rest)
    sum = next
  }
  return settled(sum, lost, size * values.length) ?? sumOfParts(values)
}

/** The same loop, without a list of the squares. */
const squaresFrom = (values: Float64Array, centre: number): number => {
  let sum = 0
  let lost = 0
  let size = 0
  for (let at = 0; at < values.length; at += 1) {
    const distance = (values[at] ?? NaN) - centre
    const value = distance * distance
    const next = sum + value
    const back = next - sum
    const rest = sum - (next - back) + (value - back)
    lost += rest
    size += Math.abs(rest)
    sum = next
  }
  return (
    settled(sum, lost, size * values.length) ??
    sumOfParts(values.map((value) => (value - centre) * (value - centre)))
  )
}

/** The rounded sum, unless what the rests themselves lost could turn it to the next number. */
const settled = (sum: number, lost: number, size: number): number | undefined => {
  const rounded = sum + lost
  const rest = lost - (rounded - sum)
  const slack = LOST * size
  return rounded + (rest + slack) === rounded && rounded + (rest - slack) === rounded ? rounded : undefined
}

/** By parts that don't overlap (Shewchuk 1997): exact, and ten times as slow. */
const sumOfParts = (values: Float64Array): number => {
  // Parts that don't overlap, the smallest first; few values need more than three.
  const parts: number[] = []
  for (let place = 0; place < values.length; place += 1) {
    let carried = values[place] ?? NaN
    let kept = 0
    for (let at = 0; at < parts.length; at += 1) {
      const part = parts[at] ?? 0
      const sum = carried + part
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
export const exactMean = (values: ArrayLike<number>): number => exactSum(values) / values.length
