/**
 * Holm's step-down adjustment: rejecting where the result is below α keeps the chance of any false rejection below α.
 * In the order of `ps`.
 */
export const holm = (ps: readonly number[]): readonly number[] => {
  const order = ps.map((_, index) => index).sort((a, b) => (ps[a] ?? 0) - (ps[b] ?? 0) || a - b)
  const adjusted = Array.from({ length: ps.length }, () => 1)
  let least = 0
  for (const [place, index] of order.entries()) {
    least = Math.max(least, Math.min(1, (ps.length - place) * (ps[index] ?? 1)))
    adjusted[index] = least
  }
  return adjusted
}
