import { readdirSync, readFileSync } from 'node:fs'
import { array, assert, constantFrom, property, stringMatching, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { csvTable } from '../../../../benchmarks/sources/csv/csv-table.ts'
import { separatedTable } from '../../../../benchmarks/sources/csv/separated-table.ts'
import { problemOf } from '../../../rig/problem-of.ts'

const file = 'ratings.csv'
const written = (cell: string): string =>
  /[",\n\r]|^\s*$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

test('What our reader of data takes for cells, lines and rows, csv-parse does.', () => {
  const cell = stringMatching(/^[a-zü,"\n\r-]{0,8}$/u)
  assert(
    property(array(tuple(cell, cell, cell), { maxLength: 8 }), constantFrom('\n', '\r\n'), (rows, end) => {
      const text = ['id,score,comment', ...rows.map((row) => row.map(written).join(','))].join(end)
      expect(separatedTable(text, file, ',')).toEqual(csvTable(text, 'strict', file))
    }),
  )
})

test('Both read the built-in benchmarks’ own tables alike.', () => {
  const files = readdirSync('benchmarks/catalog', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.csv'))
    .map((name) => `benchmarks/catalog/${name}`)
  expect(files.length).toBeGreaterThan(2)
  for (const name of files) {
    const text = readFileSync(name, 'utf8')
    expect(separatedTable(text, name, ',')).toEqual(csvTable(text, 'strict', name))
  }
})

test('Columns without a name that hold nothing are no columns, and one that does is one.', () => {
  const { columns, rows } = separatedTable('q;;;\n1; ;a;\n2;;;\n', file, ';')
  expect(columns).toEqual(['q', ''])
  expect(rows.map(({ cells }) => [...cells])).toEqual([
    [
      ['q', '1'],
      ['', 'a'],
    ],
    [
      ['q', '2'],
      ['', ''],
    ],
  ])
})

test.each([
  ['a,,\n1,x,\n2,,y\n', 'benchmarks/duplicate-column', { file, line: 1 }],
  ['', 'benchmarks/empty-file', { file }],
  ['a,b\n1,2\n\n3\n', 'benchmarks/ragged-row', { file, line: 4, row: 2 }],
  ['a,b\n1,"x\ny"\n3\n', 'benchmarks/ragged-row', { file, line: 4, row: 2 }],
  ['a,a\n1,2\n', 'benchmarks/duplicate-column', { file, line: 1 }],
  ['a,b\n1,"x\r\ny"\n3,"open\n4,5\n', 'benchmarks/csv', { file, line: 4 }],
  ['a,b\n1,"x\r\ny"\n2,"z"secret\n', 'benchmarks/csv', { file, line: 4 }],
  ['a,b\n1,"x"secret\n', 'benchmarks/csv', { file, line: 2 }],
])('%j is %s', async (text, code, where) => {
  const problem = await problemOf(() => separatedTable(text, file, ','))
  expect(problem).toMatchObject({ code, where })
  expect(problem?.message).not.toContain('secret')
})
