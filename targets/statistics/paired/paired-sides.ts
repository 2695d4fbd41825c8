/** Two sides of one run, instance by instance. */
export interface PairedSides {
  readonly benchmark: string
  /** NaN where a side has no value that could be read. */
  readonly a: ArrayLike<number>
  readonly b: ArrayLike<number>
  /** Name of each instance's source, the same in every run and benchmark; absent where each stands for itself. */
  readonly sources?: readonly string[]
  /** Places where both sides are the very same reading: whatever it would have been, they do not differ. */
  readonly alike?: ReadonlySet<number>
  /** True where a side's values are means over several trials: no pair of them is right or wrong. */
  readonly areMeans?: boolean
}

/** B − A, instance by instance, in units of `size`; NaN where a side has none. */
export const minus = (b: ArrayLike<number>, a: ArrayLike<number>, size = 1): Float64Array => {
  const differences = new Float64Array(a.length)
  for (let at = 0; at < a.length; at += 1) differences[at] = ((b[at] ?? NaN) - (a[at] ?? NaN)) / size
  return differences
}

/** Whether nothing is NaN. */
export const isWhole = (values: ArrayLike<number>): boolean => {
  for (let at = 0; at < values.length; at += 1) if (Number.isNaN(values[at])) return false
  return true
}
