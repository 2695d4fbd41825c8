/** A value that counts `weight` times; null: none. */
export interface Weighted {
  readonly value: number | null
  readonly weight: number
}

/** The mean of the values there are; null without any. */
export const weightedMean = (values: readonly Weighted[]): number | null => {
  let [sum, total] = [0, 0]
  for (const { value, weight } of values) {
    if (value === null) continue
    sum += weight * value
    total += weight
  }
  return total === 0 ? null : sum / total
}
