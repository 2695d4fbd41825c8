/** Makes a value when it is first asked for. */
export const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** The value made for that name before, or one made now. */
export const remembered = <T>(known: Map<string, T>, name: string, make: () => T): T => {
  const found = known.get(name)
  if (found !== undefined) return found
  const made = make()
  known.set(name, made)
  return made
}
