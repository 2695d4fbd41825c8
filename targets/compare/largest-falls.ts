const SHOWN = 3

/** The greatest of these losses of single instances: a mean says nothing of a rare fall. */
export const largestFalls = (losses: Iterable<number>): readonly number[] =>
  [...losses]
    .filter((loss) => loss > 0)
    .toSorted((a, b) => b - a)
    .slice(0, SHOWN)
