import type { Json, JsonObject } from './json.ts'

/** What JSON.stringify would quietly turn into something else; undefined where it keeps the value. */
const unfit = (value: Json): string | undefined => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value)
  if (typeof value !== 'object') return typeof value
  if (Array.isArray(value)) return undefined
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null ? undefined : 'a class instance'
}

/** @throws TypeError that names where in the value the misfit lies */
const refuse = (value: Json, path: string): void => {
  const what = unfit(value)
  if (what !== undefined) throw new TypeError(`a stored value must be JSON: ${what} at ${path}`)
  if (value === null || typeof value !== 'object') return
  if (Array.isArray(value))
    for (const [index, item] of (value as readonly Json[]).entries()) refuse(item, `${path}[${index}]`)
  else for (const [key, item] of Object.entries(value)) refuse(item, `${path}.${key}`)
}

/** Of a value and all within it: whether JSON holds it, and whether a -0 is inside. */
interface Found {
  isJson: boolean
  hasNegativeZero: boolean
}

const inspect = (value: Json, found: Found): void => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return
  if (value === 0) found.hasNegativeZero ||= Object.is(value, -0)
  else if (unfit(value) !== undefined) found.isJson = false
  else if (Array.isArray(value)) for (const item of value as readonly Json[]) inspect(item, found)
  else if (typeof value === 'object')
    for (const key of Object.keys(value)) inspect((value as JsonObject)[key] as Json, found)
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
export const encodeJson = (value: Json): string => {
  const found: Found = { isJson: true, hasNegativeZero: false }
  inspect(value, found)
  if (!found.isJson) refuse(value, 'value')
  return found.hasNegativeZero ? withNegativeZero(value) : JSON.stringify(value)
}
