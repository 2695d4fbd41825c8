import type { PyValue } from './value.ts'

/** What `instanceof Map` and `Array.isArray` tell of a Python value, without their `any`. */
export const isDict = (value: PyValue | undefined): value is ReadonlyMap<string, PyValue> =>
  value instanceof Map

export const isList = (value: PyValue | undefined): value is readonly PyValue[] => Array.isArray(value)
