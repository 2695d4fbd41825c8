import { findRoot } from '../find-root.ts'
import type { Interval } from './interval.ts'
import type { Scale } from '../scale.ts'

/** Distinct values, ascending, and how often each occurs. */
interface Counted {
  readonly values: readonly number[]
  readonly counts: readonly number[]
}

const COARSE = 1 / 32
const FINE = 1 / 128
/** Where the integrand has fallen below the last digit of the sum. */
const REACH = 4.3
/** Logarithm of the size of the product beyond which the integrand adds nothing. */
const NEGLIGIBLE = 92

/**
 * Gaffke's interval of the mean of independent values on a declared scale (Gaffke 2005; Learned-Miller & Thomas 2020):
 * the Bayesian bootstrap of the values and one more at the end of the scale. It never leaves the scale, has a width from
 * one value on, and covers at the ceiling, where t does not. For 0/1 values it is Clopper and Pearson's.
 *
 * @param tail chance to lie beyond it, on each side
 * @throws RangeError without a value, for one off the scale, and for a tail that is none
 */
export const gaffke = (values: readonly number[], scale: Scale, tail: number): Interval => {
  if (values.length === 0) throw new RangeError('an interval of a mean needs a value')
  if (!values.every((value) => value >= scale.low && value <= scale.high))
    throw new RangeError(`values lie on the scale ${scale.low} to ${scale.high}`)
  if (!(tail > 0 && tail < 0.5)) throw new RangeError('a tail lies between 0 and 0.5')
  const mirrored = { low: -scale.high, high: -scale.low }
  return {
    low: gaffkeLow(values, scale, tail),
    high: -gaffkeLow(
      values.map((value) => -value),
      mirrored,
      tail,
    ),
  }
}

/** The lower end alone. */
export const gaffkeLow = (given: readonly number[], { low, high }: Scale, tail: number): number => {
  const { values, counts } = counted(given)
  const [least = low, greatest = low] = [values[0], values.at(-1)]
  if (greatest === low) return low
  if (least === high) {
    const share = tail ** (1 / given.length)
    return share * high + (1 - share) * low
  }
  const all =
    values[0] === low
      ? { values, counts: counts.map((count, at) => (at === 0 ? count + 1 : count)) }
      : { values: [low, ...values], counts: [1, ...counts] }
  const missed =
    (step: number) =>
    (mean: number): number =>
      chanceBelow(all, mean, step) - tail
  // A rough root first, by a quarter of the points: the fine rule is then asked a handful of times.
  const rough = findRoot(missed(COARSE), low, greatest)
  const fine = missed(FINE)
  for (let off = 1e-7 * (greatest - low); ; off *= 64) {
    const [below, above] = [Math.max(low, rough - off), Math.min(greatest, rough + off)]
    if ((below === low || fine(below) <= 0) && (above === greatest || fine(above) >= 0))
      return findRoot(fine, below, above)
  }
}

const counted = (given: readonly number[]): Counted => {
  const values: number[] = []
  const counts: number[] = []
  for (const value of given.toSorted((a, b) => a - b)) {
    if (value === values.at(-1)) counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1
    else {
      values.push(value)
      counts.push(1)
    }
  }
  return { values, counts }
}

/**
 * The chance that the mean under standard exponential weights is at most `mean`: P(Σ aE ≤ 0), a the distances from it,
 * by Imhof's integral (1961) of sin Σ atan(as) / (s Π √(1 + a²s²)) with s = exp(½π sinh v).
 */
const chanceBelow = ({ values, counts }: Counted, mean: number, step: number): number => {
  const [least = mean, greatest = mean] = [values[0], values.at(-1)]
  if (greatest <= mean) return 1
  if (least >= mean) return 0
  const norm = Math.sqrt(values.reduce((sum, value, at) => sum + (counts[at] ?? 0) * (value - mean) ** 2, 0))
  const single = Float64Array.from(
    values.filter((_, at) => counts[at] === 1),
    (value) => (value - mean) / norm,
  )
  const repeated = values.flatMap((value, at) =>
    counts[at] === 1 ? [] : [{ distance: (value - mean) / norm, count: counts[at] ?? 0 }],
  )
  const points = Math.ceil(REACH / step)
  let sum = 0
  for (let point = -points; point <= points; point += 1) {
    const v = point * step
    const s = Math.exp((Math.PI / 2) * Math.sinh(v))
    // Π (1 + i a s): by multiplication, or by one arctangent for all that are equal.
    let [real, imaginary] = [1, 0]
    for (let at = 0; at < single.length; at += 1) {
      const turned = (single[at] ?? 0) * s
      const before = real
      real -= imaginary * turned
      imaginary += before * turned
    }
    let [angle, logarithm] = [
      Math.atan2(imaginary, real),
      0.5 * Math.log(real * real + imaginary * imaginary),
    ]
    for (const { distance, count } of repeated) {
      const turned = distance * s
      angle += count * Math.atan(turned)
      logarithm += (count / 2) * Math.log1p(turned * turned)
    }
    if (!(logarithm < NEGLIGIBLE)) break
    sum += Math.sin(angle) * Math.exp(-logarithm) * Math.cosh(v)
  }
  // 1/π of the integral, times ½π of ds/s: a half.
  return 0.5 - (sum * step) / 2
}
