type Fields = Readonly<Record<string, unknown>>

/** Where `got` departs from the fields of `wanted`, as a phrase; undefined where it doesn't. Further fields are ignored. */
export const departure = (
  wanted: Fields,
  got: unknown,
  tolerance: Readonly<Record<string, number>> = {},
): string | undefined => {
  for (const [key, value] of Object.entries(wanted)) {
    const fault = differs(value, (got as Fields | undefined)?.[key], tolerance[key], key)
    if (fault !== undefined) return fault
  }
  return undefined
}

const differs = (
  wanted: unknown,
  got: unknown,
  allowed: number | undefined,
  path: string,
): string | undefined => {
  if (wanted === null)
    return got === null || got === undefined
      ? undefined
      : `${path}: null expected, not ${JSON.stringify(got)}`
  if (typeof wanted === 'number') {
    const slack = allowed ?? 1e-12 + 1e-10 * Math.abs(wanted)
    const equal = typeof got === 'number' && Math.abs(got - wanted) <= slack
    return equal ? undefined : `${path}: ${wanted} expected, not ${JSON.stringify(got)}`
  }
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got) || got.length !== wanted.length)
      return `${path}: ${wanted.length} entries expected`
    return firstOf(wanted, (value, index) => differs(value, got[index], allowed, `${path}[${index}]`))
  }
  if (typeof wanted === 'object')
    return firstOf(Object.entries(wanted as Fields), ([key, value]) =>
      differs(value, (got as Fields | undefined)?.[key], allowed, `${path}.${key}`),
    )
  return wanted === got
    ? undefined
    : `${path}: ${JSON.stringify(wanted)} expected, not ${JSON.stringify(got)}`
}

const firstOf = <Item>(
  items: readonly Item[],
  fault: (item: Item, index: number) => string | undefined,
): string | undefined => {
  for (const [index, item] of items.entries()) {
    const found = fault(item, index)
    if (found !== undefined) return found
  }
  return undefined
}
