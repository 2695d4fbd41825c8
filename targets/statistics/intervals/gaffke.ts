import { findRoot } from '../find-root.ts'
import type { Interval } from '../interval.ts'
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
const NEGLIGIBLE = 1e40

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
  const distances = values.map((value) => value - mean)
  if (distances.every((distance) => distance <= 0)) return 1
  if (distances.every((distance) => distance >= 0)) return 0
  const norm = Math.sqrt(distances.reduce((sum, distance, at) => sum + (counts[at] ?? 0) * distance ** 2, 0))
  const scaled = Float64Array.from(distances, (distance) => distance / norm)
  const points = Math.ceil(REACH / step)
  let sum = 0
  for (let point = -points; point <= points; point += 1) {
    const v = point * step
    const { sine, size } = product(scaled, counts, Math.exp((Math.PI / 2) * Math.sinh(v)))
    sum += (sine / size) * Math.cosh(v)
    if (size > NEGLIGIBLE) break
  }
  // 1/π of the integral, times ½π of ds/s: a half.
  return 0.5 - (sum * step) / 2
}

/** Π (1 + i a s) in polar form: the sine of its angle, and its size. Equal values share one arctangent. */
const product = (
  distances: Float64Array,
  counts: readonly number[],
  s: number,
): { readonly sine: number; readonly size: number } => {
  let [angle, logarithm, real, imaginary] = [0, 0, 1, 0]
  for (let at = 0; at < distances.length; at += 1) {
    const turned = (distances[at] ?? 0) * s
    const count = counts[at] ?? 0
    if (count === 1) {
      const before = real
      real -= imaginary * turned
      imaginary += before * turned
    } else {
      angle += count * Math.atan(turned)
      logarithm += (count / 2) * Math.log1p(turned * turned)
    }
  }
  const plain = Math.hypot(real, imaginary)
  if (!(plain < 1e300)) return { sine: 0, size: Infinity }
  const [cosine, sine] = [real / plain, imaginary / plain]
  return {
    sine: sine * Math.cos(angle) + cosine * Math.sin(angle),
    size: plain * Math.exp(logarithm),
  }
}
