import { Float } from '../../benchmarks/python/numbers/float.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'

const isDict = (value: object): value is ReadonlyMap<string, PyValue> => value instanceof Map
const isList = (value: object): value is readonly PyValue[] => Array.isArray(value)

/** Equal for values that Python holds equal: `1 == 1.0 == True`, dicts in any order. */
export const equalityKey = (value: PyValue | undefined): string => {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'object') {
    if (value instanceof Float) return String(value.value)
    if (isList(value)) return `[${value.map(equalityKey).join()}]`
    if (!isDict(value)) return String(value)
    const entries = [...value].map(([key, item]) => `${JSON.stringify(key)}:${equalityKey(item)}`)
    return `{${entries.sort().join()}}`
  }
  return String(Number(value))
}
