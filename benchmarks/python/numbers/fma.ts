/** An unevaluated sum of two doubles. */
type Pair = readonly [high: number, low: number]

const SPLITTER = 0x8000001

/** `a` as two halves of 26 bits each (Veltkamp). */
const halves = (a: number): Pair => {
  const scaled = SPLITTER * a
  const high = scaled - (scaled - a)
  return [high, a - high]
}

/** `a · b` exactly, as product and rounding error (Dekker); holds while nothing over- or underflows. */
export const twoProduct = (a: number, b: number): Pair => {
  const product = a * b
  const [aHigh, aLow] = halves(a)
  const [bHigh, bLow] = halves(b)
  return [product, aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)]
}

/** `a + b` exactly, as sum and rounding error (Knuth). */
const twoSum = (a: number, b: number): Pair => {
  const sum = a + b
  const part = sum - a
  return [sum, a - (sum - part) + (b - part)]
}

const double = new Float64Array(1)
const bits = new BigInt64Array(double.buffer)

/** `a + b`; of the two neighbours of an inexact sum, the one with an odd last bit. */
const oddSum = (a: number, b: number): number => {
  const [sum, error] = twoSum(a, b)
  double[0] = sum
  const pattern = bits[0] ?? 0n
  if (error === 0 || (pattern & 1n) === 1n) return sum
  bits[0] = pattern + (error > 0 === sum > 0 ? 1n : -1n)
  return double[0]
}

/**
 * `a · b + c` rounded once (Boldo and Melquiond, 2008). Exact while no intermediate is subnormal or overflows,
 * which the caller sees to.
 */
export const fma = (a: number, b: number, c: number): number => {
  const [product, productError] = twoProduct(a, b)
  const [low, lowError] = twoSum(c, productError)
  const [high, highError] = twoSum(product, low)
  return high + oddSum(lowError, highError)
}
