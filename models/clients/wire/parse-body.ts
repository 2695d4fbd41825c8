import type { Json } from '../../../cache/values/json.ts'

/** Only an escape can bring half a surrogate pair: bytes are decoded with U+FFFD where they are no text. */
const HALF = /\\u[dD][89a-fA-F]/

/**
 * A server's JSON with every text well-formed: half a surrogate pair, which an emoji that was cut leaves, becomes U+FFFD.
 * @throws SyntaxError
 */
export const parseBody = (text: string): Json => {
  const value = JSON.parse(text) as Json
  return HALF.test(text) ? wellFormed(value) : value
}

/** Every text of it with U+FFFD in the place of half a surrogate pair. */
export const wellFormed = (value: Json): Json => {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return (value as readonly Json[]).map(wellFormed)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]),
  )
}
