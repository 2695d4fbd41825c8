/** Items under their names, in the order in which the names first come. Items without a name are left out. */
export const groupBy = <T>(
  items: Iterable<T>,
  nameOf: (item: T) => string | undefined,
): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const name = nameOf(item)
    if (name === undefined) continue
    const known = groups.get(name)
    if (known === undefined) groups.set(name, [item])
    else known.push(item)
  }
  return groups
}
