import { Float } from './numbers/float.ts'
import type { PyValue } from './value.ts'

/** Python's `bool(value)`. */
export const isTruthy = (value: PyValue): boolean => {
  if (value instanceof Float) return value.value !== 0
  if (value instanceof Map) return value.size > 0
  if (Array.isArray(value)) return value.length > 0
  return Boolean(value)
}
