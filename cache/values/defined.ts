type MayLack<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T]

/** The object without those fields that are undefined: an optional field is one that is there, or not. */
export const defined = <const T extends object>(
  fields: T,
): Omit<T, MayLack<T>> & { readonly [K in MayLack<T>]?: Exclude<T[K], undefined> } => {
  const there: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) there[key] = value
  return there as ReturnType<typeof defined<T>>
}
