/** Makes a value when it is first asked for. */
export const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** The same of what may fail: after a failure, such as a full disk, it is made anew when it is asked for again. */
export const onceMade = <T>(
  make: () => Promise<T>,
): (() => Promise<T>) & { readonly made: () => Promise<T> | undefined } => {
  let made: Promise<T> | undefined
  const ask = (): Promise<T> =>
    (made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    }))
  return Object.assign(ask, { made: () => made })
}

/** The value made for that key before, or one made now. */
export const remembered = <Key, T>(
  known: { get(key: Key): T | undefined; set(key: Key, made: T): unknown },
  key: Key,
  make: () => T,
): T => {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}
