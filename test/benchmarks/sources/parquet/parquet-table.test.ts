import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { float } from '../../../../benchmarks/python/numbers/number.ts'
import { openParquet } from '../../../../benchmarks/sources/parquet/parquet-columns.ts'
import { parquetTable } from '../../../../benchmarks/sources/parquet/parquet-table.ts'
import { parquetFile } from '../../../parity/parquet-file.ts'
import { problemOf } from '../../../rig/problem-of.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'

const fileOf = (bytes: Uint8Array): string => {
  const file = join(temporaryFolder(), 'data.parquet')
  writeFileSync(file, bytes)
  return file
}

test('Integers stay ints, doubles floats, lists lists, structs dicts, nulls None, and no byte order mark is lost.', async () => {
  const nested = parquetFile({ id: 'integer', name: 'text', facts: 'texts', answers: 'answers' }, [
    {
      id: 9007199254740993n.toString(),
      name: '\ufeffa',
      facts: ['x', ''],
      answers: [{ aid: 1, atext: 'y' }],
    },
    { id: null, name: null, facts: [], answers: [] },
  ])
  const { columns, rows } = await parquetTable([fileOf(nested)])
  expect(columns).toEqual(['id', 'name', 'facts', 'answers'])
  expect(rows.map(({ cells }) => [...cells.values()])).toEqual([
    [
      9007199254740993n,
      '\ufeffa',
      ['x', ''],
      [
        new Map<string, unknown>([
          ['aid', 1],
          ['atext', 'y'],
        ]),
      ],
    ],
    [null, null, [], []],
  ])
  const flat = parquetWriteBuffer({
    columnData: [
      { name: 'whole', data: [1, 2], type: 'DOUBLE' },
      { name: 'part', data: [0.5, NaN], type: 'DOUBLE' },
      { name: 'count', data: [1n, 2n], type: 'INT64' },
      { name: 'flag', data: [true, false], type: 'BOOLEAN' },
    ],
  })
  const table = await parquetTable([fileOf(new Uint8Array(flat))])
  expect(table.rows.map(({ cells }) => [...cells.values()])).toEqual([
    [float(1), 0.5, 1, true],
    [float(2), NaN, 2, false],
  ])
})

test('Rows of several files follow one another.', async () => {
  const [first, second] = ['a', 'b'].map((name) => fileOf(parquetFile({ name: 'text' }, [{ name }])))
  const { rows } = await parquetTable([first ?? '', second ?? ''])
  expect(rows.map(({ cells, row }) => [row, cells.get('name')])).toEqual([
    [1, 'a'],
    [2, 'b'],
  ])
})

test('A file that ends early or is no Parquet is an error that names it.', async () => {
  const whole = parquetFile({ name: 'text' }, [{ name: 'a' }])
  for (const bytes of [
    whole.subarray(0, whole.length - 9),
    new TextEncoder().encode('name\na\n'),
    new Uint8Array(),
  ]) {
    const file = fileOf(bytes)
    expect(await problemOf(() => parquetTable([file]))).toMatchObject({
      code: 'benchmarks/parquet',
      where: { file },
    })
  }
})

test('Cells are handed over with their row in the group, whatever the pages they lie in.', async () => {
  const values = Array.from({ length: 2500 }, (_, index) => index * 7)
  const bytes = parquetWriteBuffer({
    columnData: [{ name: 'n', data: values, type: 'INT32', encoding: 'PLAIN' }],
    rowGroupSize: 1000,
    pageSize: 400,
  })
  const file = await openParquet(fileOf(new Uint8Array(bytes)), ['n'])
  const seen: unknown[] = []
  try {
    for (const group of file.groups.keys())
      await file.scan(group, 'n', (cell, row) => seen.push([Number(cell), group * 1000 + row]))
    expect(file.groups).toEqual([1000, 1000, 500])
  } finally {
    await file.close()
  }
  expect(seen).toEqual(values.map((value, index) => [value, index]))
})

test('What is encrypted, or holds days without end, is not called damaged.', async () => {
  const whole = parquetFile({ name: 'text' }, [{ name: 'a' }])
  const days = parquetWriteBuffer({
    columnData: [{ name: 'seen', data: [9_000_000_000_000_000_000n] }],
    schema: [
      { name: 'root', num_children: 1 },
      {
        name: 'seen',
        type: 'INT64',
        repetition_type: 'REQUIRED',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' },
      },
    ],
  })
  const remedyOf = async (bytes: Uint8Array): Promise<string | undefined> =>
    (await problemOf(() => parquetTable([fileOf(bytes)])))?.remedy
  expect(await remedyOf(Buffer.concat([whole.subarray(0, -4), Buffer.from('PARE')]))).toBe(
    'Write it again without encryption.',
  )
  expect(await remedyOf(new Uint8Array(days))).toBe('Write it as text, or leave it empty.')
})

test('Bytes that are no text are told with their column, and not called damaged.', async () => {
  const bytes = parquetWriteBuffer({
    columnData: [{ name: 'scan', data: [new Uint8Array([0x89, 0xff])], type: 'BYTE_ARRAY' }],
  })
  expect(await problemOf(() => parquetTable([fileOf(new Uint8Array(bytes))]))).toMatchObject({
    where: { field: 'scan' },
    remedy: 'Write the column as text, or as numbers.',
  })
})
