import { INTERVALS, OFFSET, bitsOf, doubleOf, powerTables, type PowerTables } from './power-tables.ts'

/** Bounds within which all steps are normal doubles; outside, where no statistic lies, the result is x·x. */
const SMALLEST = 2 ** -360
const LARGEST = 2 ** 360

/** How far from the exact square glibc's result lies at most, in units in the last place (its e_pow.c). */
const WORST_ERROR = 0.54

/**
 * What CPython gives for `x ** 2`: glibc's `pow(x, 2)` on x86-64 with FMA, which for about 0.08 % of arguments is a
 * neighbour of `x * x` (HELM.md B16). HELM's variances show it, so byte parity needs it.
 */
export const square = (x: number): number => {
  const magnitude = Math.abs(x)
  if (!(magnitude > SMALLEST && magnitude < LARGEST)) return x * x
  const [nearest, error] = twoProduct(magnitude, magnitude)
  // glibc can only round the other way where the exact square lies almost midway between two doubles.
  const sure = (1 - WORST_ERROR) * spacing(nearest)
  return Math.abs(error) < sure ? nearest : pow2(magnitude)
}

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)
/** The word with sign and exponent: which one it is depends on the machine. */
const top = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0

/** Distance to the next double, downwards where that is the shorter one. */
const spacing = (x: number): number => {
  double[0] = x
  const high = words[top] ?? 0
  const powerOfTwo = (high & 0xfffff) === 0 && words[1 - top] === 0
  words[top] = ((high & 0x7ff00000) >>> 0) - 52 * 0x100000 - (powerOfTwo ? 0x100000 : 0)
  words[1 - top] = 0
  return double[0]
}

// Constants of glibc's algorithm: ln 2 in two parts, 128/ln 2 and -ln 2/128 in two parts.
const LN2_HIGH = 0.6931471805598903
const LN2_LOW = 5.497923018708371e-14
const INVERSE_LN2 = 184.6649652337873
const N1 = -0.005415212348111709
const N2 = -1.2864023111638344e-14
// Its polynomials of ln(1 + r) and of 2^r.
const A1 = -0.6666666666666679
const A2 = 0.5000000000000007
const A3 = 0.7999999995323976
const A4 = -0.6666666663487739
const A5 = -1.142909628459501
const A6 = 1.0000415263675542
const C2 = 0.49999999999996786
const C3 = 0.16666666666665886
const C4 = 0.0416666808410674
const C5 = 0.008333335853059549
/** Adding this rounds to an integer, which then stands in the low bits. */
const SHIFT = 1.5 * 2 ** 52

let tables: PowerTables | undefined

/** glibc's pow(x, 2), step by step: exp(2 · ln x), both in more than double precision. */
const pow2 = (x: number): number => {
  tables ??= powerTables()
  const [high, low] = logarithm(x, tables)
  const product = 2 * high
  return exponential(product, fma(2, low, fma(2, high, -product)), tables)
}

/** ln x as a sum of two doubles. */
const logarithm = (x: number, { log }: PowerTables): readonly [high: number, low: number] => {
  const pattern = bitsOf(x)
  const distance = pattern - OFFSET
  const entry = log[Number((distance >> 45n) & BigInt(INTERVALS - 1))]
  if (entry === undefined) throw new RangeError(`no logarithm of ${x}`)
  const exponent = distance >> 52n
  const k = Number(exponent)
  const r = fma(doubleOf(pattern - (exponent << 52n)), entry.invc, -1)
  const t1 = fma(k, LN2_HIGH, entry.logc)
  const t2 = t1 + r
  const low1 = fma(k, LN2_LOW, entry.logctail)
  const low2 = t1 - t2 + r
  const ar = -0.5 * r
  const ar2 = r * ar
  const ar3 = r * ar2
  const head = t2 + ar2
  const low3 = fma(ar, r, -ar2)
  const low4 = t2 - head + ar2
  const polynomial = fma(ar2, fma(ar2, fma(r, A6, A5), fma(r, A4, A3)), fma(r, A2, A1))
  const tail = fma(ar3, polynomial, low1 + low2 + low3 + low4)
  const high = head + tail
  return [high, head - high + tail]
}

/** e^(high + low). */
const exponential = (high: number, low: number, { exp }: PowerTables): number => {
  const shifted = fma(INVERSE_LN2, high, SHIFT)
  const n = bitsOf(shifted)
  const whole = shifted - SHIFT
  const s = fma(whole, N2, fma(whole, N1, high)) + low
  const entry = exp[Number(n & BigInt(INTERVALS - 1))]
  if (entry === undefined) throw new RangeError(`no power of ${high}`)
  const scale = doubleOf(entry.bits + (n << 45n))
  const square = s * s
  const upper = fma(square * square, fma(s, C5, C4), fma(square, fma(s, C3, C2), entry.tail + s))
  return fma(scale, upper, scale)
}

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
const twoProduct = (a: number, b: number): Pair => {
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

const exactDouble = new Float64Array(1)
const bits = new BigInt64Array(exactDouble.buffer)

/** `a + b`; of the two neighbours of an inexact sum, the one with an odd last bit. */
const oddSum = (a: number, b: number): number => {
  const [sum, error] = twoSum(a, b)
  exactDouble[0] = sum
  const pattern = bits[0] ?? 0n
  if (error === 0 || (pattern & 1n) === 1n) return sum
  bits[0] = pattern + (error > 0 === sum > 0 ? 1n : -1n)
  return exactDouble[0]
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
