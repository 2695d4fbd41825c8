/** The value below which a share of the sorted values lies, between neighbours in proportion (R's type 7). */
export const percentile = (sorted: ArrayLike<number>, share: number): number => {
  const at = share * (sorted.length - 1)
  const below = Math.floor(at)
  const low = sorted[below] ?? NaN
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? NaN
  return low + (at - below) * (high - low)
}
