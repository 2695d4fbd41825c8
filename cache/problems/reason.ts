/** Characters of it that are kept: results hold what a failed call or a metric ended with. */
const LONGEST = 2000

/**
 * What was thrown, in words. A user's code throws texts, nothing, and errors that can't be read.
 * @param secret is not told
 */
export const reasonOf = (error: unknown, secret = ''): string => {
  const text = textOf(error).toWellFormed()
  return (secret === '' ? text : text.replaceAll(secret, '[key]')).slice(0, LONGEST).toWellFormed()
}

const textOf = (error: unknown): string => {
  try {
    return String(error instanceof Error ? error.message : error)
  } catch {
    return 'what can’t be told in words'
  }
}

/** A field of what was thrown; undefined where it has none, or none that can be read. */
export const fieldOf = (error: unknown, name: string): unknown => {
  try {
    return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
  } catch {
    return undefined
  }
}
