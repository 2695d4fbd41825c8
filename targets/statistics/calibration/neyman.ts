/** A group of answers to draw labels from. */
interface DrawnStratum {
  readonly size: number
  /** Of what labels are to measure, in points. */
  readonly sd: number
}

/**
 * How many labels to take of each group for the least variance of the whole's mean: from the least number each, one at a
 * time where the next one gains most (Wright 2017: exact in whole numbers). Null where the labels don't suffice for the
 * least number of each, or there are more labels than answers.
 *
 * @param labels in all
 * @param taken labels that a group has already, none unless given
 * @returns by group, in their order
 */
export const neymanAllocation = (
  strata: readonly DrawnStratum[],
  labels: number,
  { least, taken }: { readonly least: number; readonly taken: readonly number[] },
): readonly number[] | null => {
  const given = strata.map(({ size }, index) => Math.max(taken[index] ?? 0, Math.min(least, size)))
  let left = labels - given.reduce((sum, each) => sum + each, 0)
  if (left < 0 || labels > strata.reduce((sum, { size }) => sum + size, 0)) return null
  for (; left > 0; left -= 1) {
    let best = -1
    let most = -1
    for (const [index, { size, sd }] of strata.entries()) {
      const own = given[index] ?? 0
      const gain = own < size ? (size * sd) / Math.sqrt(own * (own + 1)) : -1
      if (gain > most) [best, most] = [index, gain]
    }
    given[best] = (given[best] ?? 0) + 1
  }
  return given
}
