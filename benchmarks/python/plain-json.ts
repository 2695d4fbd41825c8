import { Float } from './numbers/float.ts'
import type { PyValue } from './value.ts'

/**
 * A Python value as plain JavaScript: dicts as objects, floats and ints as numbers. Ints beyond 2^53 become texts, as a
 * number could not hold them.
 */
export const plainJson = (value: PyValue): unknown => {
  if (value instanceof Float) return value.value
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Map)
    return Object.fromEntries(
      [...(value as ReadonlyMap<string, PyValue>)].map(([key, item]) => [key, plainJson(item)]),
    )
  return Array.isArray(value) ? (value as readonly PyValue[]).map(plainJson) : value
}
