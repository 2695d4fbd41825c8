import { expect, test } from 'vitest'
import { repr } from '../../../../benchmarks/python/numbers/number.ts'
import { csvTable } from '../../../../benchmarks/sources/csv/csv-table.ts'

// As read_csv of pandas 2.3.3 and `iterrows` give two cells of one column.
test.each([
  [
    ['1e5', '2'],
    ['100000.0', '2.0'],
  ],
  [
    ['1E-2', '+3'],
    ['0.01', '3.0'],
  ],
  [
    ['.5', '5.'],
    ['0.5', '5.0'],
  ],
  [
    ['1.5e3 ', '2'],
    ['1500.0', '2.0'],
  ],
  [
    [' 2', '3 '],
    ['2', '3'],
  ],
  [
    ['\t4', '\f5'],
    ['4', '5'],
  ],
  [
    ['\v6', '7'],
    ['6', '7'],
  ],
  [
    ['+1', '-0'],
    ['1', '0'],
  ],
  [
    ['007', '8'],
    ['7', '8'],
  ],
  [
    ['- 1', '2'],
    ["'- 1'", "'2'"],
  ],
  [
    ['1_000', '2'],
    ["'1_000'", "'2'"],
  ],
  [
    ['0x10', '1'],
    ["'0x10'", "'1'"],
  ],
  [
    ['1e400', '1'],
    ["'1e400'", "'1'"],
  ],
  [
    ['inf', '1'],
    ['inf', '1.0'],
  ],
  [
    ['-Infinity', '1'],
    ['-inf', '1.0'],
  ],
  [
    [' inf', '1'],
    ["' inf'", "'1'"],
  ],
  [
    ['nan ', '1'],
    ["'nan '", "'1'"],
  ],
  [
    ['null', 'x'],
    ['nan', "'x'"],
  ],
  [
    ['TRUE', 'false'],
    ['True', 'False'],
  ],
  [
    ['true', ''],
    ['True', 'nan'],
  ],
  [
    ['True', 'Trueish'],
    ["'True'", "'Trueish'"],
  ],
])('a column of %j is read as pandas reads it', (cells, read) => {
  const { rows } = csvTable(`x\n${cells.map((cell) => `"${cell}"\n`).join('')}`, 'pandas', 'data.csv')
  expect(rows.map((row) => repr(row.cells.get('x') ?? null))).toEqual(read)
})
