/** float16 bits → float32, for runtimes without Float16Array. */
export const floatsOfHalves = (bits: Uint16Array): Float32Array => Float32Array.from(bits, floatOf)

const floatOf = (bits: number): number => {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >>> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}
