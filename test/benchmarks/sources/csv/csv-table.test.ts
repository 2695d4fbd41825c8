import { describe, expect, test } from 'vitest'
import { ProblemError } from '../../../../cache/problems/problem.ts'
import { floatRepr, repr } from '../../../../benchmarks/python/numbers/number.ts'
import { csvTable } from '../../../../benchmarks/sources/csv/csv-table.ts'
import { pandasFloat } from '../../../../benchmarks/sources/csv/pandas-float.ts'
import type { Table } from '../../../../benchmarks/sources/table.ts'
import { fixtureRows, textOf } from '../../../rig/fixture.ts'

const cellsOf = ({ columns, rows }: Table): unknown[][] =>
  rows.map(({ cells }) =>
    columns.map((column) => {
      const cell = cells.get(column) ?? null
      return typeof cell === 'string' ? cell : new Map([['repr', repr(cell)]])
    }),
  )

const problemOf = (action: () => unknown) => {
  try {
    action()
  } catch (error) {
    if (error instanceof ProblemError) return error.problems[0]
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('pandas', () => {
  test.each(fixtureRows('pandas/read-csv.jsonl'))('reads %j as read_csv does', (_, text, columns, rows) => {
    const table = csvTable(textOf(text), 'pandas', 'data.csv')
    expect(table.columns).toEqual(columns)
    expect(cellsOf(table)).toEqual(rows)
  })

  test('reads numbers to the last bit as read_csv does', () => {
    for (const [text, expected] of fixtureRows('pandas/floats.jsonl'))
      expect([text, floatRepr(pandasFloat(textOf(text)) ?? NaN)]).toEqual([text, expected])
  })
})

describe('python', () => {
  const read = (text: string): unknown[][] => cellsOf(csvTable(text, 'python', 'data.csv'))
  const none = new Map([['repr', 'None']])

  test('keeps every cell as text, blank lines out and lines of blanks in', () => {
    expect(read('a,b\n001,NA\n\n \n')).toEqual([
      ['001', 'NA'],
      [' ', none],
    ])
  })

  test('turns line ends in quotes into \\n, and takes quotes inside and after quoted text as they come', () => {
    expect(read('a,b\r\n"x\r\ny\rz",5\' 2"\r\n"q"t"r,""""\n"open,1')).toEqual([
      ['x\ny\nz', '5\' 2"'],
      ['qt"r', '"'],
      ['open,1', none],
    ])
  })

  test('leaves a byte order mark in the first column name and drops cells beyond the header', () => {
    const table = csvTable('\ufeffa,b\n1,2,3\n', 'python', 'data.csv')
    expect(table.columns).toEqual(['\ufeffa', 'b'])
    expect(cellsOf(table)).toEqual([['1', '2']])
  })
})

describe('strict', () => {
  test('keeps cells as written and counts rows and lines', () => {
    const table = csvTable('\ufeffid,note\r\n001,"two\r\nlines"\r\n\r\n1e5, x \r\n', 'strict', 'data.csv')
    expect(cellsOf(table)).toEqual([
      ['001', 'two\r\nlines'],
      ['1e5', ' x '],
    ])
    expect(table.rows.map(({ row, line }) => [row, line])).toEqual([
      [1, 2],
      [2, 5],
    ])
  })

  test.each([
    ['a,b\n1,2\n3\n', 'benchmarks/ragged-row', { file: 'data.csv', line: 3, row: 2 }],
    ['a,b\n1,2,3\n', 'benchmarks/ragged-row', { file: 'data.csv', line: 2, row: 1 }],
    ['a,a\n1,2\n', 'benchmarks/duplicate-column', { file: 'data.csv', line: 1, field: 'a' }],
    ['a,b\n1,"open\n', 'benchmarks/csv', { file: 'data.csv', line: 2, column: 3 }],
    ['a,b\n1,"x"y\n', 'benchmarks/csv', { file: 'data.csv', line: 2, column: 6 }],
    ['\n \n', 'benchmarks/empty-file', { file: 'data.csv' }],
  ])('refuses %j with its place', (text, code, where) => {
    const problem = problemOf(() => csvTable(text, 'strict', 'data.csv'))
    expect(problem).toMatchObject({ code, where })
    expect(problem?.remedy).not.toBe('')
  })

  test('pandas would take a row that is too long as an index and shift the columns: it is refused there too', () => {
    expect(problemOf(() => csvTable('a,b\nx,y,\n', 'pandas', 'data.csv'))).toMatchObject({
      code: 'benchmarks/ragged-row',
    })
  })
})
