/**
 * Holm's step-down adjustment: rejecting where the result is below α keeps the chance of any false rejection below α.
 * In the order of `ps`.
 */
export const holm = (ps: readonly number[]): readonly number[] => {
  const order = ps.map((_, index) => index).sort((a, b) => (ps[a] ?? 0) - (ps[b] ?? 0))
  const adjusted = Array.from({ length: ps.length }, () => 1)
  let least = 0
  for (const [place, index] of order.entries()) {
    least = Math.max(least, Math.min(1, (ps.length - place) * (ps[index] ?? 1)))
    adjusted[index] = least
  }
  return adjusted
}

/**
 * Places of the p values that stay at most `alpha` when they are adjusted, the least p first. No greater p ever does: a board's
 * places rest on thousands of claims of which most are.
 */
export const standing = (ps: ArrayLike<number>, alpha: number): readonly number[] => {
  const small: number[] = []
  for (let at = 0; at < ps.length; at += 1) if ((ps[at] ?? 1) <= alpha) small.push(at)
  small.sort((a, b) => (ps[a] ?? 0) - (ps[b] ?? 0))
  const stop = small.findIndex((at, place) => Math.min(1, (ps.length - place) * (ps[at] ?? 1)) > alpha)
  return stop === -1 ? small : small.slice(0, stop)
}
