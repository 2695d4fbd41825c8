import { expect, test } from 'vitest'
import { ProblemError, type Place } from '../../../cache/problems/problem.ts'
import type { SkippedRow } from '../../../benchmarks/scenario/benchmark.ts'
import { rowGuard } from '../../../benchmarks/sources/table.ts'

const fault = (code: string, where: Place) => (): never => {
  throw new ProblemError({ code: `benchmarks/${code}`, message: code, where, remedy: '' })
}
const guard = (skipBadRows: boolean) => {
  const told: SkippedRow[] = []
  return { told, rows: rowGuard({ workspace: '/w', skipBadRows }, (row) => told.push(row)) }
}
const ROW = { file: '/w/data/x.csv', row: 7, line: 9, field: 'answer' }

test.each([
  'answer',
  'duplicate-id',
  'incorrect-answers',
  'json',
  'json-rows',
  'missing-answer',
  'missing-column',
  'not-text',
  'not-utf8',
  'ragged-row',
  'short-row',
  'template',
  'unknown-answer',
])(
  'A row that can’t be used (%s) is skipped and told where that was asked for, and else ends the run.',
  (code) => {
    const { told, rows } = guard(true)
    expect(rows.attempt(fault(code, ROW))).toBeUndefined()
    expect(rows.attempt(() => 'sound')).toBe('sound')
    expect(told).toEqual([{ file: 'data/x.csv', row: 7, line: 9, column: 'answer', reason: code }])
    expect(() => guard(false).rows.attempt(fault(code, ROW))).toThrow(code)
  },
)

test('What is wrong with a file as a whole ends the run, whatever rows are skipped.', () => {
  const { told, rows } = guard(true)
  expect(() => rows.attempt(fault('json', { file: '/w/data/x.csv' }))).toThrow('json')
  expect(() => rows.attempt(fault('damaged-download', ROW))).toThrow('damaged-download')
  expect(() =>
    rows.attempt(() => {
      throw new TypeError('a mistake of ours')
    }),
  ).toThrow(TypeError)
  expect(told).toEqual([])
})

test('Where no row is left the first problem is told: it is then none of single rows.', () => {
  const { rows } = guard(true)
  rows.refuseEmpty(0)
  rows.attempt(fault('template', ROW))
  rows.attempt(fault('answer', { ...ROW, row: 8 }))
  rows.refuseEmpty(1)
  expect(() => rows.refuseEmpty(0)).toThrow('template')
})

test('A row that is left out or read in part is told by its file’s name alone where that lies elsewhere.', () => {
  const { told, rows } = guard(false)
  rows.leaveOut({ ...ROW, file: '/elsewhere/x.csv' }, 'unknown-answer')
  rows.readInPart(ROW, 'extra-cells')
  expect(told).toEqual([
    { file: 'x.csv', row: 7, line: 9, column: 'answer', reason: 'unknown-answer' },
    { file: 'data/x.csv', row: 7, line: 9, column: 'answer', reason: 'extra-cells', isPart: true },
  ])
})
