import { once } from '../../../cache/once.ts'
import { addLogarithm, powerSums, seriesAround, type PowerSums } from './power-series.ts'

/** Distinct values, ascending, and how often each occurs. */
export interface Counted {
  readonly values: readonly number[]
  readonly counts: readonly number[]
}

/** Points s = exp(½π sinh v) at equal steps of v, with the weight cosh v of each. */
interface Rule {
  readonly step: number
  readonly points: Float64Array
  readonly weights: Float64Array
}

/** Beyond it the integrand has fallen below the last digit of the sum. */
const SPAN = 4.3

const rule = (step: number): Rule => {
  const count = Math.ceil(SPAN / step)
  const vs = Float64Array.from({ length: 2 * count + 1 }, (_, at) => (at - count) * step)
  return { step, points: vs.map((v) => Math.exp((Math.PI / 2) * Math.sinh(v))), weights: vs.map(Math.cosh) }
}

/** Halving the step doubles the digits. Made when first used: a run that ends in no interval needs none. */
export const RULES = {
  coarse: once(() => rule(1 / 32)),
  fine: once(() => rule(1 / 64)),
  finest: once(() => rule(1 / 128)),
} as const

/** Logarithm of the size of the product beyond which the integrand adds nothing. */
const NEGLIGIBLE = 44
/** Values further from the mean, in standard deviations, are taken one by one, lest the series converge slowly. */
const FAR = 4
/** Fewer values are quicker taken one by one; an arctangent costs as much as so many products. */
const FEW = 24
const ARCTANGENT = 16

/**
 * The chance that the mean of values under independent standard exponential weights is at most `mean`: P(Σ aE ≤ 0), a
 * the distances from it, by Imhof's integral (1961) of sin Σ atan(as) / (s Π √(1 + a²s²)).
 *
 * The values that lie together enter by a power series whose coefficients are made once and moved with the mean: a point
 * of the integral then costs some terms in place of all the values.
 */
export const weightedMeanChance = (all: Counted): ((mean: number, by: Rule) => number) => {
  const [least = NaN, greatest = NaN] = [all.values[0], all.values.at(-1)]
  const bulk = bulkOf(all)
  const every = new Factors(all, -1, -1)
  const apart = bulk === undefined ? every : new Factors(all, bulk.from, bulk.to)
  const part = new Float64Array(2)
  return (mean, { step, points, weights }) => {
    if (greatest <= mean) return 1
    if (least >= mean) return 0
    const series =
      bulk === undefined || Math.abs(bulk.centre - mean) > bulk.radius ? undefined : seriesAround(bulk, mean)
    const norm = Math.sqrt(
      series === undefined ? every.squaresFrom(mean) : series.squares + apart.squaresFrom(mean),
    )
    let sum = 0
    for (let at = 0; at < points.length; at += 1) {
      const s = (points[at] ?? 0) / norm
      part.fill(0)
      if (series !== undefined && s <= series.extent) {
        addLogarithm(series, s, part)
        apart.addLogarithm(mean, s, part)
      } else every.addLogarithm(mean, s, part)
      const logarithm = part[1] ?? NaN
      if (!(logarithm < NEGLIGIBLE)) break
      sum += Math.sin(part[0] ?? NaN) * Math.exp(-logarithm) * (weights[at] ?? 0)
    }
    // 1/π of the integral, times ½π of ds/s: a half.
    return 0.5 - (sum * step) / 2
  }
}

/** Of the values, each as often as its count says; `sd` divides by n. */
export const summaryOf = ({ values, counts }: Counted): { n: number; mean: number; sd: number } => {
  let n = 0
  let sum = 0
  for (let at = 0; at < values.length; at += 1) {
    n += counts[at] ?? 0
    sum += (counts[at] ?? 0) * (values[at] ?? 0)
  }
  const mean = sum / n
  let squares = 0
  for (let at = 0; at < values.length; at += 1) squares += (counts[at] ?? 0) * ((values[at] ?? 0) - mean) ** 2
  return { n, mean, sd: Math.sqrt(squares / n) }
}

/** The values near their mean; undefined where they are few. */
const bulkOf = ({ values, counts }: Counted): PowerSums | undefined => {
  let cost = 0
  for (const count of counts) cost += count === 1 ? 1 : ARCTANGENT
  if (cost <= FEW) return undefined
  const { mean: centre, sd } = summaryOf({ values, counts })
  const far = FAR * sd
  const from = values.findIndex((value) => value >= centre - far)
  const to = values.findLastIndex((value) => value <= centre + far) + 1
  return to - from < 2 ? undefined : powerSums({ values, counts }, { from, to, centre })
}

/** Π (1 + i a s) of the values outside of some places: by multiplication, or by one arctangent for all that are equal. */
class Factors {
  private readonly single: Float64Array
  private readonly repeated: Float64Array
  private readonly counts: Float64Array

  /** @param from the first place that is left out @param to the one behind the last */
  constructor({ values, counts }: Counted, from: number, to: number) {
    const [single, repeated, often]: [number[], number[], number[]] = [[], [], []]
    for (let at = 0; at < values.length; at += 1) {
      if (at === from) at = to
      const [value = NaN, count] = [values[at], counts[at]]
      if (count === 1) single.push(value)
      else if (count !== undefined) {
        repeated.push(value)
        often.push(count)
      }
    }
    this.single = Float64Array.from(single)
    this.repeated = Float64Array.from(repeated)
    this.counts = Float64Array.from(often)
  }

  squaresFrom(mean: number): number {
    let sum = 0
    for (const value of this.single) sum += (value - mean) ** 2
    for (let at = 0; at < this.repeated.length; at += 1)
      sum += (this.counts[at] ?? 0) * ((this.repeated[at] ?? 0) - mean) ** 2
    return sum
  }

  /** Adds angle and logarithm of size. */
  addLogarithm(mean: number, s: number, into: Float64Array): void {
    const { single } = this
    let real = 1
    let imaginary = 0
    let angle = 0
    let logarithm = 0
    let at = 0
    // Four at a time: their products do not wait for each other.
    for (; at + 3 < single.length; at += 4) {
      const a = ((single[at] ?? 0) - mean) * s
      const b = ((single[at + 1] ?? 0) - mean) * s
      const c = ((single[at + 2] ?? 0) - mean) * s
      const d = ((single[at + 3] ?? 0) - mean) * s
      const across = (1 - a * b) * (1 - c * d) - (a + b) * (c + d)
      const along = (1 - a * b) * (c + d) + (a + b) * (1 - c * d)
      const before = real
      real = real * across - imaginary * along
      imaginary = before * along + imaginary * across
    }
    for (; at < single.length; at += 1) {
      const turned = ((single[at] ?? 0) - mean) * s
      const before = real
      real -= imaginary * turned
      imaginary += before * turned
    }
    for (let each = 0; each < this.repeated.length; each += 1) {
      const turned = ((this.repeated[each] ?? 0) - mean) * s
      const count = this.counts[each] ?? 0
      angle += count * Math.atan(turned)
      logarithm += (count / 2) * Math.log1p(turned * turned)
    }
    if (single.length > 0) {
      angle += Math.atan2(imaginary, real)
      logarithm += 0.5 * Math.log(real * real + imaginary * imaginary)
    }
    into[0] = (into[0] ?? 0) + angle
    into[1] = (into[1] ?? 0) + logarithm
  }
}
