import { describe, expect, it } from 'vitest'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { GoldQueries } from '../../../benchmarks/scenario/benchmark.ts'
import { annotateQueries, type AskDatabase } from '../../../targets/sql/annotate-queries.ts'
import type { SqlOutcome } from '../../../targets/sql/outcome.ts'

const NO_ROWS: SqlOutcome = { kind: 'rows', rows: [] }
const NO_COLUMN: SqlOutcome = { kind: 'error', exception: 'OperationalError', message: 'no such column: x' }

/** The result of the gold query, or why there is none, and the statements that were run. */
const annotate = async (gold: string, how: GoldQueries | undefined, outcome: SqlOutcome = NO_ROWS) => {
  const statements: string[] = []
  const run: AskDatabase = async (sql) => {
    statements.push(sql)
    return { outcome: statements.length === 1 ? outcome : NO_ROWS, elapsed: 1 }
  }
  const extraData = new Map<string, PyValue>([['value', new Map([['patient', 7]])]])
  const instance = { references: [{ text: gold, tags: ['correct'] }], extraData }
  const { annotation, failure } = await annotateQueries(instance, 'select 1', run, how)
  const rows = annotation?.get('ground_truth_result')
  return { gold: rows === undefined ? failure?.code : dumps(rows), statements }
}

describe('a gold query', () => {
  it('without rows has the values of its question, unless they stay away', async () => {
    expect((await annotate('select 2', undefined)).gold).toBe('[7]')
    expect((await annotate('select 2', { noRows: 'stay', errors: 'rows' })).gold).toBe('[]')
  })

  it('gives cells as Python’s sqlite3 does: reals with a point, great integers whole, bytes as hex', async () => {
    const cells = [2, 3n, 0.5, 2n ** 60n, null, 'x', Uint8Array.of(1, 255)]
    expect((await annotate('select 2', undefined, { kind: 'rows', rows: [cells] })).gold).toBe(
      '[[2.0, 3, 0.5, 1152921504606846976, null, "x", {"blob": "01ff"}]]',
    )
  })

  it('runs at the time it is given, wherever it names it', async () => {
    const how: GoldQueries = { currentTime: '2105-12-31 23:59:00', noRows: 'stay', errors: 'rows' }
    const { statements } = await annotate('select date(CURRENT_TIME), current_time ', how)
    expect(statements[0]).toBe("select date('2105-12-31 23:59:00'), '2105-12-31 23:59:00'")
    expect((await annotate('select current_time', undefined)).statements[0]).toBe('select current_time')
  })

  it('that fails has no rows, or nothing is compared with it', async () => {
    expect((await annotate('select x', { noRows: 'stay', errors: 'rows' }, NO_COLUMN)).gold).toBe('[]')
    expect((await annotate('select x', { noRows: 'stay', errors: 'fail' }, NO_COLUMN)).gold).toBe(
      'sql/gold-query',
    )
  })
})

it('a prediction has a second, or ten times as long as its gold query took; a refusal of either is told', async () => {
  const asked = async (elapsed: number, gold: SqlOutcome = NO_ROWS) => {
    const limits: number[] = []
    const run: AskDatabase = async (_, milliseconds) => {
      limits.push(milliseconds)
      return { outcome: limits.length === 1 ? gold : NO_ROWS, elapsed }
    }
    const { failure } = await annotateQueries(
      { references: [{ text: 'select 2', tags: [] }] },
      'select 1',
      run,
    )
    return [limits, failure?.code]
  }
  expect(await asked(20)).toEqual([[60_000, 1000], undefined])
  expect(await asked(500)).toEqual([[60_000, 5000], undefined])
  expect(await asked(20, { kind: 'refused' })).toEqual([[60_000, 1000], 'sql/refused'])
})
