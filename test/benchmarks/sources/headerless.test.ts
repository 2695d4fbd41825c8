import { expect, test } from 'vitest'
import { csvTable } from '../../../benchmarks/sources/csv/csv-table.ts'
import { decodeIgnoring } from '../../../benchmarks/sources/read-text.ts'
import { problemOf } from '../../rig/problem-of.ts'

test('A CSV file without a header line gets the names that are declared, and each row must have as many cells.', async () => {
  const header = ['question', 'answer']
  const { rows } = csvTable('Why?,"a, b"\n\nHow?,c\n', 'python', 'q.csv', { header })
  expect(rows.map(({ cells, row }) => [row, ...cells.values()])).toEqual([
    [1, 'Why?', 'a, b'],
    [2, 'How?', 'c'],
  ])
  expect(await problemOf(async () => csvTable('Why?,a,b\n', 'python', 'q.csv', { header }))).toMatchObject({
    code: 'benchmarks/ragged-row',
    where: { line: 1, row: 1 },
  })
  expect(await problemOf(async () => csvTable('Why?\n', 'python', 'q.csv', { header }))).toMatchObject({
    code: 'benchmarks/ragged-row',
  })
  expect(csvTable('', 'python', 'q.csv', { header }).rows).toEqual([])
})

test('Bytes that are no UTF-8 are dropped where the declaration says so, and a U+FFFD that the file holds stays.', () => {
  const bytes = Buffer.concat([
    Buffer.from('a\ufffdé'),
    Buffer.from([0xff, 0xe2, 0x82]),
    Buffer.from('\ufffdz'),
    Buffer.from([0xc3]),
  ])
  expect(decodeIgnoring(bytes)).toBe('a\ufffdé\ufffdz')
  expect(decodeIgnoring(Buffer.from('\ufeffplain'))).toBe('\ufeffplain')
})
