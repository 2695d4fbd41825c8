import { readFileSync } from 'node:fs'
import { loads } from '../../benchmarks/python/json.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'

/** A JSON file of HELM's with its numbers as Python has them. */
export const readHelmFile = (path: string): PyValue => loads(readFileSync(path, 'utf8'))

/** A field within parsed JSON; None where there is none. */
export const field = (value: PyValue, ...path: readonly string[]): PyValue => {
  let found = value
  for (const key of path)
    found = found instanceof Map ? ((found as ReadonlyMap<string, PyValue>).get(key) ?? null) : null
  return found
}

export const listOf = (value: PyValue): readonly PyValue[] =>
  Array.isArray(value) ? (value as readonly PyValue[]) : []

/** The entries of a dict; none for any other value. */
export const entriesOf = (value: PyValue): readonly (readonly [string, PyValue])[] =>
  value instanceof Map ? [...(value as ReadonlyMap<string, PyValue>)] : []
