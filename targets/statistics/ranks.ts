/** Ranks from 1; equal values share the mean of their ranks. */
export const averageRanks = (values: readonly number[]): readonly number[] => {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value)
  const ranks = Array.from({ length: values.length }, () => 0)
  for (let from = 0; from < order.length;) {
    let to = from
    while (to + 1 < order.length && order[to + 1]?.value === order[from]?.value) to += 1
    for (const { index } of order.slice(from, to + 1)) ranks[index] = (from + to) / 2 + 1
    from = to + 1
  }
  return ranks
}
