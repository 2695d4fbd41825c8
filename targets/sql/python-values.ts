import { Float } from '../../benchmarks/python/numbers/float.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { SqlValue } from './outcome.ts'

/**
 * A cell as Python's sqlite3 gives it. Bytes, which HELM can't write to its files (the run ends there), become
 * `{"blob": hex}`.
 */
const pythonValue = (value: SqlValue): PyValue => {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value
  }
  if (typeof value === 'number') return Number.isInteger(value) ? new Float(value) : value
  return value instanceof Uint8Array ? new Map([['blob', Buffer.from(value).toString('hex')]]) : value
}

export const pythonRows = (rows: readonly (readonly SqlValue[])[]): readonly PyValue[] =>
  rows.map((row) => row.map(pythonValue))
