/** A finite double as `mantissa · 2^exponent`, exactly. */
interface Exact {
  readonly mantissa: bigint
  readonly exponent: number
}

const view = new DataView(new ArrayBuffer(8))

/** @throws RangeError for NaN and the infinities, which no fraction equals. */
export const exactOf = (x: number): Exact => {
  if (!Number.isFinite(x)) throw new RangeError(`${x} is no finite number`)
  view.setFloat64(0, x)
  const bits = view.getBigUint64(0)
  const field = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xfffffffffffffn
  const magnitude = field === 0 ? fraction : fraction | 0x10000000000000n
  return { mantissa: bits >> 63n === 1n ? -magnitude : magnitude, exponent: Math.max(field, 1) - 1075 }
}

/** `numerator / denominator` as an integer, ties to even. The denominator is positive, the numerator not negative. */
const divideHalfEven = (numerator: bigint, denominator: bigint): bigint => {
  const quotient = numerator / denominator
  const twice = (numerator % denominator) * 2n
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n)
  return up ? quotient + 1n : quotient
}

/** `|x| · 10^digits` as an integer, ties of the exact binary value to even. */
export const scaledHalfEven = (x: number, digits: number): bigint => {
  const { mantissa, exponent } = exactOf(Math.abs(x))
  const numerator = mantissa * 10n ** BigInt(Math.max(digits, 0)) * 2n ** BigInt(Math.max(exponent, 0))
  return divideHalfEven(numerator, 10n ** BigInt(Math.max(-digits, 0)) * 2n ** BigInt(Math.max(-exponent, 0)))
}

const bitLength = (n: bigint): number => n.toString(2).length

/** `2^exponent`, in two steps so that neither is subnormal unless the result is. */
const scale = (x: number, exponent: number): number => {
  const half = Math.trunc(exponent / 2)
  return x * 2 ** half * 2 ** (exponent - half)
}

/** The double nearest to `numerator / denominator`, ties to even: Python's int / int. The denominator is positive. */
export const ratio = (numerator: bigint, denominator: bigint): number => {
  if (numerator === 0n) return 0
  const magnitude = numerator < 0n ? -numerator : numerator
  // 53 bits are kept, fewer where the result is subnormal: its last bit is never below 2^-1074.
  let shift = bitLength(magnitude) - bitLength(denominator) - 53
  if (magnitude << BigInt(Math.max(-shift, 0)) >= (denominator << BigInt(Math.max(shift, 0))) << 53n) shift++
  shift = Math.max(shift, -1074)
  const up = BigInt(Math.max(-shift, 0))
  const down = BigInt(Math.max(shift, 0))
  const rounded = scale(Number(divideHalfEven(magnitude << up, denominator << down)), shift)
  return numerator < 0n ? -rounded : rounded
}
