import { square } from '../../../benchmarks/python/numbers/power.ts'
import type { Stat, StatName } from '../../record/stat.ts'

/**
 * A HELM Stat while it is added to (HELM.md T15): sums only, so that it is as small after a million values as
 * after one. Python's types are kept: ints stay ints until the first float.
 */
export class Tally {
  count = 0
  sum = 0
  private sumSquared = 0
  private min = Number.POSITIVE_INFINITY
  private max = Number.NEGATIVE_INFINITY
  private float = false

  /** Adds a value. Null is a stat that the metric named without a value: nothing is added. */
  add(value: number | null, float: boolean): void {
    if (value === null) return
    this.count++
    this.sum += value
    this.sumSquared += value * value
    this.widen(value, value)
    if (float) this.float = true
  }

  /** Adds all that another tally was given. */
  merge(other: Tally): void {
    this.count += other.count
    this.sum += other.sum
    this.sumSquared += other.sumSquared
    this.widen(other.min, other.max)
    if (other.float) this.float = true
  }

  /** A tally of one value, the mean of this one; an empty one stays empty. */
  takeMean(): Tally {
    const mean = new Tally()
    if (this.count > 0) mean.add(this.sum / this.count, true)
    return mean
  }

  /** The Stat under a name. Variance and standard deviation are those of the whole population. */
  stat(name: StatName): Stat {
    const { count, sum, sumSquared, float } = this
    if (count === 0) return { name, count, sum, sumSquared, float }
    const mean = sum / count
    const variance = sumSquared / count - square(mean)
    const spread =
      variance < 0
        ? { variance: 0, varianceIsInt: true, stddev: 0 }
        : { variance, stddev: Math.sqrt(variance) }
    return { name, count, sum, sumSquared, min: this.min, max: this.max, mean, ...spread, float }
  }

  private widen(low: number, high: number): void {
    if (low < this.min) this.min = low
    if (high > this.max) this.max = high
  }
}
