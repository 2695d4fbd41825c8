import type { Json } from './json.ts'

const refuse = (path: string, what: string): never => {
  throw new TypeError(`a stored value must be JSON: ${what} at ${path}`)
}

/** Throws for what JSON.stringify would quietly turn into something else; true when a -0 is inside. */
const inspect = (value: Json, path: string): boolean => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return false
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse(path, String(value))
    return value === 0 && Object.is(value, -0)
  }
  if (typeof value !== 'object') return refuse(path, typeof value)
  let negativeZero = false
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries())
      negativeZero = inspect(item, `${path}[${index}]`) || negativeZero
    return negativeZero
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) refuse(path, 'a class instance')
  for (const [key, item] of Object.entries(value))
    negativeZero = inspect(item, `${path}.${key}`) || negativeZero
  return negativeZero
}

/** JSON.stringify, but it keeps the sign of -0. */
const withNegativeZero = (value: Json): string => {
  if (Object.is(value, -0)) return '-0'
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(withNegativeZero).join(',')}]`
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}:${withNegativeZero(item)}`,
  )
  return `{${members.join(',')}}`
}

/**
 * JSON text of a value, such that parsing it gives the value back exactly, the sign of -0 included.
 * @throws TypeError for NaN, infinities, undefined, functions and class instances.
 */
export const encodeJson = (value: Json): string =>
  inspect(value, 'value') ? withNegativeZero(value) : JSON.stringify(value)
