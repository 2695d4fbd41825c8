/**
 * Benjamini and Hochberg's step-up adjustment: rejecting where the result is below q keeps the expected share of false
 * rejections below q. In the order of `ps`.
 */
export const benjaminiHochberg = (ps: readonly number[]): readonly number[] => {
  const order = ps.map((_, index) => index).sort((a, b) => (ps[b] ?? 0) - (ps[a] ?? 0) || b - a)
  const adjusted = Array.from({ length: ps.length }, () => 1)
  let most = 1
  for (const [place, index] of order.entries()) {
    most = Math.min(most, ((ps[index] ?? 1) * ps.length) / (ps.length - place))
    adjusted[index] = most
  }
  return adjusted
}
