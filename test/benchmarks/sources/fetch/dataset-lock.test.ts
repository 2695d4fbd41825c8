import { expect, test } from 'vitest'
import {
  parseDatasetLock,
  printDatasetLock,
  recordDataset,
} from '../../../../benchmarks/sources/fetch/remote-file.ts'
import { benchmarkContext } from '../../../rig/benchmark-context.ts'

const [one, two] = ['1'.repeat(64), '2'.repeat(64)]

test('Entries are sorted by URL and read back as they were.', () => {
  const text = printDatasetLock(
    new Map([
      ['https://b.org/x', two],
      ['https://a.org/x', one],
    ]),
  )
  expect(text.split('\n').slice(1)).toEqual([`${one}  https://a.org/x`, `${two}  https://b.org/x`, ''])
  expect(parseDatasetLock(text, 'datasets.lock')).toEqual(
    new Map([
      ['https://a.org/x', one],
      ['https://b.org/x', two],
    ]),
  )
})

test('Line ends of Windows, as Git may check them out, are none of an entry.', () => {
  const text = printDatasetLock(new Map([['https://a.org/x', one]]))
  expect(parseDatasetLock(text.replaceAll('\n', '\r\n'), 'datasets.lock')).toEqual(
    new Map([['https://a.org/x', one]]),
  )
})

test.each(['<<<<<<< HEAD', `${one} https://a.org/x`, `${one}  https://a.org/x\n${two}  https://a.org/x`])(
  'The line that can not be read is named: %j.',
  (text) => {
    expect(() => parseDatasetLock(text, 'datasets.lock')).toThrowError(/benchmarks\/datasets-lock/)
  },
)

test('Who comes second to record a data set gets what the first one saw.', async () => {
  const context = benchmarkContext()
  const seen = await Promise.all([
    recordDataset('https://a.org/x', one, context),
    recordDataset('https://a.org/x', two, context),
  ])
  expect(new Set(seen).size).toBe(1)
})
