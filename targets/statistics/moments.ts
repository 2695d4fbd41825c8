/** Count, mean and standard deviation (with n − 1) of a sample. */
export interface SampleSummary {
  readonly n: number
  readonly mean: number
  readonly sd: number
}

/** Mean and standard deviation of values as they come (Welford): no list is kept, large means lose no digits. */
export class Moments {
  private count = 0
  private average = 0
  private squares = 0

  add(value: number): void {
    this.count += 1
    const before = value - this.average
    this.average += before / this.count
    this.squares += before * (value - this.average)
  }

  /** `sd` is 0 for fewer than two values. */
  summary(): SampleSummary {
    const sd = this.count < 2 ? 0 : Math.sqrt(this.squares / (this.count - 1))
    return { n: this.count, mean: this.average, sd }
  }
}
