import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { checkPages } from '../../../benchmarks/sources/parquet/check-pages.ts'
import { boundedCompressors } from '../../../benchmarks/sources/parquet/reader.ts'
import { openReader } from '../../../benchmarks/sources/parquet/open-reader.ts'
import { openParquet } from '../../../benchmarks/sources/parquet/parquet-columns.ts'
import { parquetTable } from '../../../benchmarks/sources/parquet/parquet-table.ts'
import { UnpackBudget } from '../../../benchmarks/sources/unpack-limit.ts'
import { parquetFile } from '../../parity/parquet-file.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const whole = parquetFile({ id: 'integer', name: 'text', facts: 'texts' }, [
  { id: 1, name: 'a', facts: ['x'] },
  { id: null, name: null, facts: [] },
])

/** A page header of Thrift's compact protocol: type, sizes, and how many values the page says it has. */
const page = (values: number, unpacked: number): Uint8Array => {
  const zigzag = (value: number): number[] => {
    const bytes: number[] = []
    for (let rest = value * 2; ; rest = Math.floor(rest / 128)) {
      bytes.push((rest % 128) + (rest >= 128 ? 128 : 0))
      if (rest < 128) return bytes
    }
  }
  const header = [0x15, 0, 0x15, ...zigzag(unpacked), 0x15, 0, 0x2c, 0x15, ...zigzag(values), 0, 0, 0, 0]
  return Uint8Array.from(header)
}

test('A column that says it has 200 million values is refused before room is made for them.', () => {
  const budget = new UnpackBudget(1000)
  expect(() => checkPages(page(5, 10), 1000, budget)).not.toThrow()
  expect(() => checkPages(page(200_000_000, 10), 1000, budget)).toThrowError('more values')
  expect(() => checkPages(page(5, 2 ** 31), 1000, budget)).toThrowError('MiB')
})

test('A gzip page unpacks to no more than it says.', () => {
  const bomb = gzipSync(Buffer.alloc(2 ** 20))
  expect(() => boundedCompressors.GZIP?.(bomb, 100)).toThrowError()
  expect(boundedCompressors.GZIP?.(gzipSync('abc'), 3)).toEqual(new Uint8Array(Buffer.from('abc')))
})

test('A file of more rows than bytes is refused.', async () => {
  const data = Array.from({ length: 1_100_000 }, () => true)
  const file = join(temporaryFolder(), 'x.parquet')
  writeFileSync(file, new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'x', data }] })))
  expect(await problemOf(() => parquetTable([file]))).toMatchObject({
    code: 'benchmarks/parquet',
    message: expect.stringContaining('1100000 rows') as string,
  })
})

test('What a reader of cells throws is told once, by a problem.', async () => {
  const file = join(temporaryFolder(), 'x.parquet')
  writeFileSync(file, whole)
  const parquet = await openParquet(file, ['id'])
  const scan = parquet.scan(0, 'id', () => {
    throw new RangeError('a cell that nobody can read')
  })
  expect(await problemOf(() => scan)).toMatchObject({ code: 'benchmarks/parquet', where: { field: 'id' } })
  await parquet.close()
})

const rows = Array.from({ length: 40 }, (_, id) => ({
  id: id % 7 === 3 ? null : id,
  name: id % 5 === 0 ? null : `n${id % 3}`,
  facts: id % 2 === 1 ? ['x', 'y'] : [],
}))
const larger = parquetFile({ id: 'integer', name: 'text', facts: 'texts' }, rows)

const flipped = (at: number): string => {
  const file = join(temporaryFolder(), 'x.parquet')
  writeFileSync(
    file,
    larger.map((byte, index) => (index === at ? byte ^ 255 : byte)),
  )
  return file
}

test('A byte that would have the decoder count for hours, or fill the memory, ends in a problem.', async () => {
  const read = async (at: number, milliseconds?: number): Promise<unknown> => {
    const reader = await openReader(flipped(at), milliseconds)
    return reader.rows(0, ['id', 'name', 'facts']).finally(reader.close)
  }
  await expect(read(22, 3000)).rejects.toThrowError('it takes longer than a sound file of its size')
  await expect(read(27)).rejects.toThrowError(/memory|longer/)
})

test('Any other flipped byte gives a table or one problem.', async () => {
  const places = Array.from({ length: larger.length }, (_, at) => at).filter(
    (at) => at % 60 === 3 && at !== 22 && at !== 27,
  )
  for (const at of places)
    try {
      await parquetTable([flipped(at)])
    } catch (error) {
      expect(error, `byte ${at}`).toMatchObject({ problems: [{ code: 'benchmarks/parquet' }] })
    }
})
