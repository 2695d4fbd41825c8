import { findRoot } from '../find-root.ts'
import type { Interval } from './interval.ts'
import type { Scale } from '../scale.ts'
import { RULES, summaryOf, weightedMeanChance, type Counted } from './weighted-mean-chance.ts'

/** By how much rules may differ for the finer of them to be exact. */
const AGREED = 1e-8
/** Chords before the root is bracketed instead. */
const ROUNDS = 8
/** So many standard errors below the mean lies hardly any quantile that is asked for. */
const ERRORS = 5

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
  return quantile(all, low, greatest, tail)
}

/**
 * Where the chance reaches `tail`, between two ends. A rough root first, by few points; the chord through it then needs the
 * fine rule two or three times.
 */
const quantile = (all: Counted, low: number, greatest: number, tail: number): number => {
  const chance = weightedMeanChance(all)
  const coarse = (mean: number): number => chance(mean, RULES.coarse) - tail
  const [from, to] = near(all, coarse, low, greatest)
  const rough = findRoot(coarse, from, to)
  const range = greatest - low
  const atRough = chance(rough, RULES.fine) - tail
  // Halving the step squares the error: where two rules agree so far the finer one has all digits.
  const rule = Math.abs(atRough) < AGREED ? RULES.fine : RULES.finest
  const fine = (mean: number): number => chance(mean, rule) - tail
  let [x, value] = [rough, rule === RULES.fine ? atRough : fine(rough)]
  const off = Math.min(1e-6 * range, (greatest - rough) / 2)
  let slope = (coarse(rough + off) - coarse(rough)) / off
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = x - value / slope
    if (!(next > low && next < greatest)) break
    if (Math.abs(next - x) <= 1e-12 * range) return next
    const atNext = fine(next)
    slope = (atNext - value) / (next - x)
    ;[x, value] = [next, atNext]
  }
  return findRoot(fine, low, greatest)
}

/** A bracket of the root a few standard errors wide, or the ends where there is none. */
const near = (
  all: Counted,
  chance: (mean: number) => number,
  low: number,
  greatest: number,
): readonly [number, number] => {
  const { n, mean, sd } = summaryOf(all)
  const below = mean - (ERRORS * sd) / Math.sqrt(n)
  return [
    below > low && chance(below) < 0 ? below : low,
    mean < greatest && chance(mean) > 0 ? mean : greatest,
  ]
}

const counted = (given: readonly number[]): Counted => {
  const values: number[] = []
  const counts: number[] = []
  for (const value of Float64Array.from(given).sort()) {
    if (value === values.at(-1)) counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1
    else {
      values.push(value)
      counts.push(1)
    }
  }
  return { values, counts }
}
