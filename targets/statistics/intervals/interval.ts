/** An estimate's confidence interval, in the estimate's units. */
export interface Interval {
  readonly low: number
  readonly high: number
}
