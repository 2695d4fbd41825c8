import { regularizedBeta } from '../distributions/incomplete-beta.ts'
import { findRoot } from '../find-root.ts'
import type { Interval } from './wilson.ts'
import { rangeOf, sharesOf, type Scale } from '../scale.ts'
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
  return { low: gaffkeLow(values, scale, tail), high: gaffkeHigh(values, scale, tail) }
}

/** The lower end alone. */
export const gaffkeLow = (values: readonly number[], scale: Scale, tail: number): number =>
  scale.low + rangeOf(scale) * lowOf(sharesOf(values, scale, false), tail)

/** The upper end alone. */
export const gaffkeHigh = (values: readonly number[], scale: Scale, tail: number): number =>
  scale.high - rangeOf(scale) * lowOf(sharesOf(values, scale, true), tail)

/** On the unit scale. */
const lowOf = (given: Float64Array, tail: number): number => {
  const { values, counts } = counted(given)
  const [least = 0, greatest = 0] = [values[0], values.at(-1)]
  // On a scale without width there are no shares.
  if (!(greatest > 0)) return 0
  if (least === 1) return tail ** (1 / given.length)
  const all =
    least === 0
      ? { values, counts: counts.map((count, at) => (at === 0 ? count + 1 : count)) }
      : { values: [0, ...values], counts: [1, ...counts] }
  return quantile(all, greatest, tail)
}

/**
 * Where the chance reaches `tail`, between 0 and the greatest value. A rough root first, by few points; the chord through it then needs the
 * fine rule two or three times.
 */
const quantile = (all: Counted, greatest: number, tail: number): number => {
  const [zeros = 0, others = 0, more] = all.counts
  // Of 0 and one other value it is a share of that by a beta distribution, in a tenth of the time.
  if (more === undefined) {
    const beta = (x: number): number => regularizedBeta(x / greatest, 1 - x / greatest, others, zeros) - tail
    return findRoot(beta, ...near(all, beta, greatest))
  }
  const chance = weightedMeanChance(all)
  const coarse = (mean: number): number => chance(mean, RULES.coarse()) - tail
  const [from, to] = near(all, coarse, greatest)
  const rough = findRoot(coarse, from, to)
  const atRough = chance(rough, RULES.fine()) - tail
  // Halving the step squares the error: where two rules agree so far the finer one has all digits.
  const rule = Math.abs(atRough) < AGREED ? RULES.fine() : RULES.finest()
  const fine = (mean: number): number => chance(mean, rule) - tail
  let [x, value] = [rough, rule === RULES.fine() ? atRough : fine(rough)]
  const off = Math.min(1e-6 * greatest, (greatest - rough) / 2)
  let slope = (coarse(rough + off) - coarse(rough)) / off
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = x - value / slope
    if (!(next > 0 && next < greatest)) break
    if (Math.abs(next - x) <= 1e-12 * greatest) return next
    const atNext = fine(next)
    slope = (atNext - value) / (next - x)
    ;[x, value] = [next, atNext]
  }
  return findRoot(fine, 0, greatest)
}

/** A bracket of the root a few standard errors wide, or 0 and the greatest where there is none. */
const near = (
  all: Counted,
  chance: (mean: number) => number,
  greatest: number,
): readonly [number, number] => {
  const { n, mean, sd } = summaryOf(all)
  const below = mean - (ERRORS * sd) / Math.sqrt(n)
  return [below > 0 && chance(below) < 0 ? below : 0, mean < greatest && chance(mean) > 0 ? mean : greatest]
}

const counted = (given: Float64Array): Counted => {
  const values: number[] = []
  const counts: number[] = []
  for (const value of given.toSorted()) {
    if (value === values.at(-1)) counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1
    else {
      values.push(value)
      counts.push(1)
    }
  }
  return { values, counts }
}
