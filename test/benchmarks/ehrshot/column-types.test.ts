import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetWriteBuffer, type ColumnSource } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import { readLabels, type Label } from '../../../benchmarks/ehrshot/labels.ts'
import { timelines } from '../../../benchmarks/ehrshot/timelines.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const write = (columnData: ColumnSource[], schema?: Parameters<typeof parquetWriteBuffer>[0]['schema']) => {
  const file = join(temporaryFolder(), 'x.parquet')
  const options = schema === undefined ? { columnData } : { columnData, schema }
  writeFileSync(file, new Uint8Array(parquetWriteBuffer(options)))
  return file
}

const NANOSECONDS = {
  type: 'INT64',
  repetition_type: 'OPTIONAL',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'NANOS' },
} as const

describe('the value of a label is what Python takes for true', () => {
  test.each([
    ['truth values', [true, false, null], [true, false, false]],
    ['integers', [2, 0, 1], [true, false, true]],
    ['integers with a gap, which is NaN', [1, 0, null], [true, false, true]],
    ['floats', [0.5, 0, Number.NaN], [true, false, true]],
    ['texts', ['False', '', null], [true, false, false]],
  ] as const)('%s', async (_, values, wanted) => {
    const file = write([
      { name: 'subject_id', data: [1n, 2n, 3n] },
      { name: 'prediction_time', data: [new Date(0), new Date(1), new Date(2)] },
      { name: 'boolean_value', data: [...values] },
    ])
    const labels = await readLabels(file, 'guo_los')
    expect(labels.map(({ value }) => value)).toEqual(wanted)
    expect(labels.map(({ time }) => time)).toEqual([0n, 1_000_000n, 2_000_000n])
  })
})

test('Of a lab task ten thousand labels are drawn, in the order in which pandas draws them by seed 1.', async () => {
  const rows = Array.from({ length: 10_001 }, (_, row) => row)
  const file = write([
    { name: 'subject_id', data: rows.map(BigInt) },
    { name: 'prediction_time', data: rows.map(() => new Date(0)) },
    { name: 'boolean_value', data: rows.map((row) => row % 2 === 0) },
  ])
  const labels = await readLabels(file, 'lab_anemia')
  expect(labels).toHaveLength(10_000)
  // DataFrame.sample(n=10000, random_state=1)
  expect(labels.slice(0, 6).map(({ subject }) => subject)).toEqual([9954, 3851, 4963, 7918, 9382, 4532])
  expect(labels.slice(0, 3).map(({ value }) => value)).toEqual([true, false, false])
  expect(await readLabels(file, 'guo_los')).toHaveLength(10_001)
})

test('Events and labels a nanosecond apart are told apart, whatever their units.', async () => {
  const at = 1_577_836_800_000_000_000n
  const columns = ['subject_id', 'time', 'code'] as const
  const file = write(
    [
      { name: columns[0], data: [1n, 1n, 1n, 1n] },
      { name: columns[1], data: [at + 1n, at, null, at - 1n] },
      { name: columns[2], data: ['late', 'same', 'never', 'early'] },
    ],
    [
      { name: 'schema', num_children: 3 },
      { name: columns[0], type: 'INT64', repetition_type: 'REQUIRED' },
      { name: columns[1], ...NANOSECONDS },
      { name: columns[2], type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
    ],
  )
  const label = (time: bigint | undefined): Label => ({ subject: 1, time, value: true })
  const found: string[][] = []
  for await (const { events, codes } of timelines(file, [label(at), label(at + 1n), label(undefined)]))
    found.push(Array.from(events, (code) => codes.texts[code] ?? ''))
  expect(found).toEqual([['early', 'same'], ['early', 'same', 'late'], []])
})

test('Codes that are numbers are printed as pandas prints them.', async () => {
  const file = write([
    { name: 'subject_id', data: [1n, 1n, 1n] },
    { name: 'time', data: [new Date(0), new Date(1), new Date(2)] },
    { name: 'code', data: [7n, null, 8n], type: 'INT64', nullable: true },
  ])
  for await (const { events, codes } of timelines(file, [{ subject: 1, time: 10n ** 9n, value: true }]))
    expect(Array.from(events, (code) => codes.texts[code])).toEqual(['7.0', 'nan', '8.0'])
})

test('Times that are none are refused with their column, and never read as missing.', async () => {
  const file = write([
    { name: 'subject_id', data: [1n] },
    { name: 'prediction_time', data: ['2020-01-01'] },
    { name: 'boolean_value', data: [true] },
  ])
  expect(await problemOf(() => readLabels(file, 'guo_los'))).toMatchObject({
    code: 'benchmarks/column-type',
    where: { file, field: 'prediction_time' },
  })
})
