import type { Json } from '../../cache/values/json.ts'
import { Float } from './numbers/number.ts'
import type { PyValue } from './value.ts'

/**
 * A Python value as plain JavaScript: dicts as objects, floats and ints as numbers. Ints beyond 2^53 become texts, as a
 * number could not hold them.
 */
export const plainJson = (value: PyValue): Json => {
  if (value instanceof Float) return value.value
  if (typeof value === 'bigint') return value.toString()
  if (isDict(value)) return Object.fromEntries([...value].map(([key, item]) => [key, plainJson(item)]))
  return isList(value) ? value.map(plainJson) : value
}

const isDict = (value: PyValue): value is ReadonlyMap<string, PyValue> => value instanceof Map
const isList = (value: PyValue): value is readonly PyValue[] => Array.isArray(value)
