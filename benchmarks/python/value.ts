import { Float } from './numbers/number.ts'

/**
 * A Python value as JSON carries it. Whole JS numbers are ints, `Float` a whole float, bigint an int beyond 2^53.
 * Dicts are Maps: plain JS objects would reorder integer-like keys.
 */
export type PyValue =
  | null
  | boolean
  | number
  | bigint
  | Float
  | string
  | readonly PyValue[]
  | ReadonlyMap<string, PyValue>

/** Python's `bool(value)`. */
export const isTruthy = (value: PyValue): boolean => {
  if (value instanceof Float) return value.value !== 0
  if (value instanceof Map) return value.size > 0
  if (Array.isArray(value)) return value.length > 0
  return Boolean(value)
}
