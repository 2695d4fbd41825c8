/** Whole multiples of this add up without rounding, and so do the rests of rates. */
const GRAIN = 2 ** -30

const coarse = (rate: number): number => Math.round(rate / GRAIN) * GRAIN

/**
 * Means of up to 2^20 rates from 0 to 1 at many places, each to the bit that `statistics.mean` gives: the sum is exact,
 * as every rate is added in two parts that a float holds whole. In whatever order they come.
 */
export class RateSums {
  private readonly coarse: Float64Array
  private readonly fine: Float64Array
  private readonly counts: Int32Array

  constructor(places: number) {
    this.coarse = new Float64Array(places)
    this.fine = new Float64Array(places)
    this.counts = new Int32Array(places)
  }

  add(place: number, rate: number): void {
    const part = coarse(rate)
    this.coarse[place] = (this.coarse[place] ?? 0) + part
    this.fine[place] = (this.fine[place] ?? 0) + (rate - part)
    this.counts[place] = (this.counts[place] ?? 0) + 1
  }

  /** NaN without a rate. */
  mean(place: number): number {
    const count = this.counts[place] ?? 0
    const [high, low] = [this.coarse[place] ?? 0, this.fine[place] ?? 0]
    const mean = (high + low) / count
    // What the division left over, exactly; without it the last bit may be wrong.
    const part = coarse(mean)
    return mean + (high - part * count + (low - (mean - part) * count)) / count
  }
}
