import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { groupBy } from '../../../cache/lists.ts'
import { shared } from '../../rig/shared.ts'
import { answer } from './oracle.ts'
import { CORE } from './oracle/core.ts'
import { departure } from './oracle/departure.ts'
import { JURIES } from './oracle/juries.ts'

interface Row {
  readonly id: string
  readonly method: string
  readonly input: unknown
  readonly expected: Readonly<Record<string, unknown>>
  /** Absolute, by field of `expected`. */
  readonly tolerance?: Readonly<Record<string, number>>
}

const rowsIn = (folder: string): readonly Row[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Row)

const known = new Set([...Object.keys(CORE), ...Object.keys(JURIES)])

const hold = (rows: readonly Row[]): void => {
  const byMethod = groupBy(rows, ({ method }) => method)
  for (const [method, group] of byMethod)
    test.skipIf(!known.has(method))(`${method} gives what the reference gives, ${group.length} rows`, () => {
      const faults = group.flatMap(({ id, input, expected, tolerance }) => {
        const fault = departure(expected, answer(method, input), tolerance)
        return fault === undefined ? [] : [`${id} ${fault}`]
      })
      expect(faults).toEqual([])
    })
}

const folder = shared('golden/statistics')

describe.skipIf(folder === undefined)('against rows made outside the project', () => {
  if (folder !== undefined) hold(rowsIn(folder))
})

// Invented inputs with what the functions gave when they equalled all rows from outside: they hold where those are absent.
describe('against rows of the repository', () =>
  hold(rowsIn(fileURLToPath(new URL('../../fixtures/statistics', import.meta.url)))))
