/**
 * Ties among models in the order of their scores: the longest runs of neighbours no two of which differ.
 * A model may be in several. Each group gives the first and the last place in it.
 *
 * @param differs whether the models at two places differ
 */
export const significanceGroups = (
  count: number,
  differs: (a: number, b: number) => boolean,
): readonly { readonly first: number; readonly last: number }[] => {
  const groups: { first: number; last: number }[] = []
  for (let first = 0; first < count; first += 1) {
    let last = first
    while (last + 1 < count && alikeWithin(first, last + 1, differs)) last += 1
    // A run that lies within the one before it says nothing new.
    if (last > (groups.at(-1)?.last ?? -1)) groups.push({ first, last })
  }
  return groups
}

const alikeWithin = (first: number, added: number, differs: (a: number, b: number) => boolean): boolean => {
  for (let place = first; place < added; place += 1) if (differs(place, added)) return false
  return true
}
