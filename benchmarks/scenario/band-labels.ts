/** Names of the groups that edges make of numbers, from the lowest: one more than there are edges. */
export const bandLabels = (edges: readonly number[]): readonly string[] =>
  [undefined, ...edges].map((low, at) => {
    const high = edges[at]
    if (low === undefined) return `under ${high}`
    return high === undefined ? `${low} and over` : `${low} to under ${high}`
  })
