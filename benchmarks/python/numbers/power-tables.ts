import { ratio } from './exact.ts'

/** Entry i of the logarithm's table: 1/c and ln c as a sum, for a c in the middle of the i-th of 128 intervals. */
interface LogEntry {
  readonly invc: number
  readonly logc: number
  readonly logctail: number
}

/** Entry k of the exponential's table: bits of 2^(k/128) less the exponent added later, and its relative rounding error. */
interface ExpEntry {
  readonly bits: bigint
  readonly tail: number
}

export const INTERVALS = 128

/** Bits of the double at which the logarithm's intervals start. */
export const OFFSET = 0x3fe6955500000000n

/** Fixed-point precision: numbers below are integers times 2^-200. */
const PRECISION = 200n
const ONE = 1n << PRECISION

const view = new DataView(new ArrayBuffer(8))
export const bitsOf = (x: number): bigint => {
  view.setFloat64(0, x)
  return view.getBigInt64(0)
}
export const doubleOf = (pattern: bigint): number => {
  view.setBigInt64(0, BigInt.asIntN(64, pattern))
  return view.getFloat64(0)
}

/** ln(p/q) in fixed point: 2·artanh((p − q)/(p + q)), for p/q near 1. */
const logarithm = (p: bigint, q: bigint): bigint => {
  const argument = ((p - q) * ONE) / (p + q)
  const square = (argument * argument) >> PRECISION
  let sum = 0n
  let power = argument
  for (let odd = 1n; power !== 0n && power !== -1n; odd += 2n) {
    sum += power / odd
    power = (power * square) >> PRECISION
  }
  return 2n * sum
}

const logEntry = (index: number): LogEntry => {
  const start = doubleOf(OFFSET + (BigInt(index) << 45n))
  const end = doubleOf(OFFSET + (BigInt(index + 1) << 45n))
  const middle = (start + end) / 2
  const steps = middle < 1 ? 128 : 256
  const inverse = Math.round(steps / middle)
  const log = logarithm(BigInt(steps), BigInt(inverse))
  const rounded = (log + (1n << (PRECISION - 44n))) >> (PRECISION - 43n)
  const tail = log - (rounded << (PRECISION - 43n))
  return { invc: inverse / steps, logc: ratio(rounded, 1n << 43n), logctail: ratio(tail, ONE) }
}

/** Root by Newton's method, rounded down. */
const squareRoot = (n: bigint): bigint => {
  let root = 1n << BigInt((n.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + n / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/** 2^(1/128) in fixed point: seven roots. */
const step = (): bigint => {
  let root = 2n * ONE
  for (let power = 1; power < INTERVALS; power *= 2) root = squareRoot(root << PRECISION)
  return root
}

const expEntries = (): ExpEntry[] => {
  const factor = step()
  let power = ONE
  return Array.from({ length: INTERVALS }, (_, index) => {
    const rounded = ratio(power, ONE)
    const exact = BigInt(rounded * 2 ** 52) << (PRECISION - 52n)
    const entry = { bits: bitsOf(rounded) - (BigInt(index) << 45n), tail: ratio(power - exact, exact) }
    power = (power * factor) >> PRECISION
    return entry
  })
}

export interface PowerTables {
  readonly log: readonly LogEntry[]
  readonly exp: readonly ExpEntry[]
}

/** Both tables, worked out in exact integers. A millisecond or two: call it once. */
export const powerTables = (): PowerTables => ({
  log: Array.from({ length: INTERVALS }, (_, index) => logEntry(index)),
  exp: expEntries(),
})
