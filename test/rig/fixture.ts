import { readFileSync } from 'node:fs'
import { loads } from '../../benchmarks/python/json.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'

/** Rows of a JSON-lines file under test/fixtures, numbers kept as Python wrote them. */
export const fixtureRows = (path: string): readonly (readonly PyValue[])[] => {
  const text = readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const row = loads(line)
      return Array.isArray(row) ? row : [row]
    })
}

/** A field of such a row that is a text. */
export const textOf = (value: PyValue | undefined): string => {
  if (typeof value !== 'string') throw new TypeError('a fixture has no text where one is looked for')
  return value
}
