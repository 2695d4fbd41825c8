import {
  bool,
  dateDay,
  dateMillisecond,
  decimal,
  dictionary,
  fixedSizeList,
  float16,
  float32,
  float64,
  int32,
  int64,
  int8,
  largeList,
  largeUtf8,
  list,
  runEndEncoded,
  struct,
  timestamp,
  TimeUnit,
  uint64,
  utf8,
  utf8View,
  binary,
  type Column,
  type DataType,
} from '@uwdata/flechette'
import { describe, expect, test, vi } from 'vitest'
import { ProblemError } from '../../../../cache/problems/problem.ts'
import { str } from '../../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../../benchmarks/python/value.ts'
import { columnCells } from '../../../../benchmarks/sources/arrow/column-cells.ts'
import { checkLengths } from '../../../../benchmarks/sources/arrow/check-lengths.ts'
import { decompressBuffer } from '../../../../benchmarks/sources/arrow/decompress.ts'
import { UnpackBudget } from '../../../../benchmarks/sources/unpack-limit.ts'
import { arrowTable } from '../../../../benchmarks/sources/arrow/arrow-table.ts'
import { arrowFile } from '../../../rig/arrow-file.ts'
import { problemOf } from '../../../rig/problem-of.ts'

const cellsOf = (bytes: Uint8Array, column = 'x'): readonly PyValue[] =>
  arrowTable(bytes, 'f.feather').rows.map(({ cells }) => cells.get(column) ?? null)
const shown = (type: DataType, values: readonly unknown[]): readonly string[] =>
  cellsOf(arrowFile({ x: [type, values] })).map((cell) =>
    Array.isArray(cell) ? cell.map(str).join(',') : str(cell),
  )

/** As pandas 2.3.3 and pyarrow 26.0.1 give them, printed by Python; items of a list joined by commas. */
const CASES: readonly (readonly [string, DataType, readonly unknown[], readonly string[]])[] = [
  ['texts', utf8(), ['\ufeffa', '', null], ['\ufeffa', '', 'None']],
  ['large texts', largeUtf8(), ['x', null], ['x', 'None']],
  ['integers', int64(), [9007199254740993n, -5n], ['9007199254740993', '-5']],
  ['integers with a gap', int64(), [1n, null], ['1.0', 'nan']],
  ['unsigned ones', uint64(), [18446744073709551615n], ['18446744073709551615']],
  ['truth values with a gap', bool(), [true, null, false], ['True', 'None', 'False']],
  ['single floats', float32(), [0.1, 2, null], ['0.10000000149011612', '2.0', 'nan']],
  [
    'half floats',
    float16(),
    [2 ** -24, 2 ** -15, -(2 ** -14), 65504, Infinity, Number.NaN],
    ['5.960464477539063e-08', '3.0517578125e-05', '-6.103515625e-05', '65504.0', 'inf', 'nan'],
  ],
  ['decimals', decimal(10, 2), [150n, -10000n], ['1.50', '-100.00']],
  ['small decimals', decimal(20, 12), [1n, 0n], ['1E-12', '0E-12']],
  ['dates', dateDay(), [new Date('1850-01-01'), null], ['1850-01-01', 'None']],
  ['dates in milliseconds', dateMillisecond(), [new Date('2020-02-29'), null], ['2020-02-29', 'None']],
  ['categories', dictionary(utf8()), ['a', 'b', null, 'a'], ['a', 'b', 'nan', 'a']],
  [
    'runs of equal values',
    runEndEncoded(int32(), utf8()),
    ['a', 'a', 'b', null, null, 'b'],
    ['a', 'a', 'b', 'None', 'None', 'b'],
  ],
  ['lists', list(utf8()), [['I10', 'E11.9'], [], null, ['A', null]], ['I10,E11.9', '', 'None', 'A,None']],
  ['large lists', largeList(largeUtf8()), [['x'], null], ['x', 'None']],
  ['lists of one length', fixedSizeList(int8(), 2), [[1, 2]], ['1,2']],
  ['lists of integers', list(int32()), [[1, 2], [3]], ['1,2', '3']],
  ['lists of integers with a gap', list(int32()), [[1, null], [2]], ['1.0,nan', '2.0']],
  ['lists of categories', list(dictionary(utf8())), [['x', 'y'], ['x']], ['x,y', 'x']],
  ['lists of lists', list(list(utf8())), [[['a', 'b'], []]], ["['a' 'b'],[]"]],
  [
    'structs',
    struct({ code: utf8(), n: float64() }),
    [{ code: "I1'0", n: 1 }, null],
    ["{'code': \"I1'0\", 'n': 1.0}", 'None'],
  ],
]

test.each(CASES)('%s are what pandas makes of them.', (_, type, values, wanted) => {
  expect(shown(type, values)).toEqual(wanted)
})

test('Gaps and truth values are each row’s own, of many rows too.', () => {
  const values = Array.from({ length: 40 }, (_, row) => (row % 7 === 3 ? null : row % 3 === 0))
  const texts = values.map((value, row) => (value === null ? null : `row ${row}`))
  expect(cellsOf(arrowFile({ x: [bool(), values] }))).toEqual(values)
  expect(cellsOf(arrowFile({ x: [utf8(), texts] }))).toEqual(texts)
})

test.each([
  [TimeUnit.SECOND, undefined, ['1969-12-31 23:59:59', '2020-09-13 12:26:40', 'NaT']],
  [TimeUnit.MICROSECOND, undefined, ['1969-12-31 23:59:59', '2020-09-13 12:26:40', 'NaT']],
  [TimeUnit.NANOSECOND, 'UTC', ['1969-12-31 23:59:59+00:00', '2020-09-13 12:26:40+00:00', 'NaT']],
  [
    TimeUnit.MILLISECOND,
    'America/New_York',
    ['1969-12-31 18:59:59-05:00', '2020-09-13 08:26:40-04:00', 'NaT'],
  ],
] as const)('A time in unit %i of the zone %s is printed as pandas prints it.', (unit, zone, wanted) => {
  const times = [new Date(-1000), new Date(1_600_000_000_000), null]
  expect(shown(timestamp(unit, zone), times)).toEqual(wanted)
})

describe('packed', () => {
  const rows = Array.from({ length: 7 }, () => 'a'.repeat(512))
  test.each(['lz4', 'zstd'] as const)('by %s in several batches is the same', (codec) => {
    const plain = arrowFile({ x: [utf8(), rows] }, { rows: 3 })
    const packed = arrowFile({ x: [utf8(), rows] }, { codec, rows: 3 })
    expect(packed.length).toBeLessThan(plain.length / 2)
    expect(cellsOf(plain)).toEqual(rows)
    expect(cellsOf(packed)).toEqual(rows)
    expect(arrowTable(packed, 'f.feather').rows.map(({ row }) => row)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test('an LZ4 frame may tell its size and each block’s checksum, and hold blocks as they are.', () => {
    // "aaaaaaaa" as one literal and a match with it, then "bc" unpacked.
    const packed = [0x13, 0x61, 0x01, 0x00, 0x00]
    const frame = (flags: number, ...blocks: readonly (readonly number[])[]): Uint8Array =>
      Uint8Array.from([0x04, 0x22, 0x4d, 0x18, flags, 0x40, ...blocks.flat(), 0, 0, 0, 0])
    const block = (bytes: readonly number[], high: number, sum: readonly number[]): readonly number[] => [
      bytes.length,
      0,
      0,
      high,
      ...bytes,
      ...sum,
    ]
    const unpacked = (bytes: Uint8Array, length: number): string =>
      Buffer.from(decompressBuffer(bytes, 'lz4', length, new UnpackBudget(1000))).toString()
    const plain = frame(0x40, [0], block(packed, 0, []), block([0x62, 0x63], 0x80, []))
    expect(unpacked(plain, 10)).toBe('aaaaaaaabc')
    const size = [10, 0, 0, 0, 0, 0, 0, 0]
    const told = frame(
      0x58,
      [...size, 0],
      block(packed, 0, [1, 2, 3, 4]),
      block([0x62, 0x63], 0x80, [5, 6, 7, 8]),
    )
    expect(unpacked(told, 10)).toBe('aaaaaaaabc')
    expect(() => unpacked(plain, 11)).toThrow('shorter than it says')
    expect(() => unpacked(plain, 5)).toThrow('longer than it says')
    const before = frame(0x40, [0], block([0x10, 0x61, 0x02, 0x00, 0x00], 0, []))
    expect(() => unpacked(before, 5)).toThrow('points before its start')
    expect(() => unpacked(frame(0x40, [0], block([0x10, 0x61, 0, 0, 0], 0, [])), 5)).toThrow(
      'points before its start',
    )
  })

  test('what unpacks to more than it says is refused', async () => {
    const bytes = Buffer.from(arrowFile({ x: [utf8(), rows] }, { codec: 'zstd' }))
    const at = bytes.indexOf('28b52ffda0', 0, 'hex')
    bytes.writeBigInt64LE(2n ** 40n, at - 8)
    expect(await problemOf(() => arrowTable(bytes, 'f.feather'))).toMatchObject({
      code: 'benchmarks/arrow',
      where: { field: 'x' },
      message: expect.stringContaining('MiB') as string,
    })
  })

  test('a column that is not wanted stays packed', () => {
    const bytes = Buffer.from(
      arrowFile({ x: [utf8(), rows], y: [utf8(), rows.map(() => 'b')] }, { codec: 'zstd' }),
    )
    bytes.writeBigInt64LE(2n ** 40n, bytes.indexOf('28b52ffda0', 0, 'hex') - 8)
    const { columns, rows: read } = arrowTable(bytes, 'f.feather', ['y'])
    expect(columns).toEqual(['x', 'y'])
    expect([...(read[0]?.cells ?? [])]).toEqual([['y', 'b']])
  })
})

test('Where numbers alone stand in the rows, one gap makes all of them floats, and so does one column of floats.', () => {
  const row = (x: unknown, y: unknown): readonly PyValue[] =>
    cellsOf(arrowFile({ x: [int64(), [1n, x]], y: [int64(), [2n, y]] }), 'y')
  expect(row(3n, 4n)).toEqual([2, 4])
  expect(row(null, 4n).map(str)).toEqual(['2.0', '4.0'])
  const mixed = arrowFile({ x: [int64(), [1n]], y: [float64(), [0.5]] })
  expect(cellsOf(mixed).map(str)).toEqual(['1.0'])
})

test('What pandas notes of its own types and of its index is obeyed.', () => {
  const pandas = {
    index_columns: ['name'],
    columns: [
      { name: 'x', numpy_type: 'Int64' },
      { name: 'name', numpy_type: 'object' },
    ],
  }
  const bytes = arrowFile({ x: [int64(), [1n, null]], name: [utf8(), ['a', 'b']] }, { pandas })
  expect(arrowTable(bytes, 'f.feather').columns).toEqual(['x'])
  expect(cellsOf(bytes)).toEqual([1, '<NA>'])
})

test('A type that no text stands for is named with its column, and harms none that is not wanted.', async () => {
  const bytes = arrowFile({ x: [binary(), [Uint8Array.of(1)]], y: [utf8(), ['a']] })
  expect(await problemOf(() => arrowTable(bytes, 'f.feather'))).toMatchObject({
    message: expect.stringContaining('Binary') as string,
    where: { field: 'x' },
  })
  expect(arrowTable(bytes, 'f.feather', ['y']).rows).toHaveLength(1)
})

test('Texts of up to twelve bytes lie in a column of views itself, longer ones beside it.', () => {
  const written = ['', 'elevenbytes', 'twelve bytes', 'thirteen byte']
  const beside = Buffer.from(written.filter((each) => each.length > 12).join(''))
  const values = new Uint8Array(16 * written.length)
  const view = new DataView(values.buffer)
  for (const [row, each] of written.entries()) {
    view.setInt32(row * 16, each.length, true)
    values.set(Buffer.from(each.slice(0, each.length > 12 ? 4 : 12)), row * 16 + 4)
  }
  const batch = { type: utf8View(), length: written.length, nullCount: 0, values, data: [beside] }
  const column = { type: batch.type, nullCount: 0, data: [batch] } as unknown as Column<unknown>
  expect(columnCells(column, new UnpackBudget(1000), false)).toEqual(written)
  view.setInt32(3 * 16 + 12, 1, true)
  expect(() => columnCells(column, new UnpackBudget(1000), false)).toThrow('leaves its column')
})

test('A cell that begins or ends outside of its column is none.', async () => {
  const whole = Buffer.from(arrowFile({ x: [utf8(), ['abc', 'de']] }))
  const offsets = Buffer.from(Int32Array.of(0, 3, 5).buffer)
  for (const [at, value] of [
    [0, -1],
    [4, 6],
    [8, 4096],
  ] as const) {
    const bytes = Buffer.from(whole)
    bytes.writeInt32LE(value, bytes.indexOf(offsets) + at)
    expect(await problemOf(() => arrowTable(bytes, 'f.feather'))).toMatchObject({
      code: 'benchmarks/arrow',
      message: expect.stringContaining('leaves its column') as string,
    })
  }
})

test('No damaged byte leads to anything but a table or a problem.', () => {
  const whole = arrowFile({ x: [list(utf8()), [['a'], null]], y: [dictionary(utf8()), ['p', 'q']] })
  for (let at = 0; at < whole.length; at++)
    for (const bit of [1, 128]) {
      const bytes = Uint8Array.from(whole)
      bytes[at] = (bytes[at] ?? 0) ^ bit
      try {
        arrowTable(bytes, 'f.feather')
      } catch (error) {
        expect(error).toMatchObject({ problems: [{ code: 'benchmarks/arrow' }] })
      }
    }
})

test('Whichever number of a file is damaged, no list is made that is longer than what a file may have of rows', () => {
  const column = ['a', 'b', null, 'a']
  const types = { x: dictionary(utf8()), y: utf8() }
  const columns = Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, [type, column] as const]),
  )
  const whole = arrowFile(columns, { rows: 2, pandas: { columns: [], index_columns: [] } })
  const longest: number[] = []
  const made = vi.spyOn(Array, 'from')
  try {
    for (let at = 8; at + 4 <= whole.length - 6; at += 4) {
      const bytes = whole.slice()
      new DataView(bytes.buffer).setInt32(at, 2 ** 21, true)
      made.mockClear()
      try {
        arrowTable(bytes, 'f.feather')
      } catch (error) {
        expect(error).toBeInstanceOf(ProblemError)
      }
      longest.push(...made.mock.calls.map(([list]) => (list as Partial<ArrayLike<unknown>>).length ?? 0))
    }
  } finally {
    made.mockRestore()
  }
  expect(Math.max(...longest.filter(Number.isFinite))).toBeLessThanOrEqual(2 ** 20)
})

test('Batches that all lie in one place are not read as often as they are named', () => {
  const whole = arrowFile({ x: [utf8(), Array.from({ length: 4 }, () => 'a')] }, { rows: 1 })
  expect(() => checkLengths(whole, 4)).not.toThrow()
  expect(() => checkLengths(whole, 3)).toThrow('its batches say that they have 4 rows')
})
