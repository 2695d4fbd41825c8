import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordKey, segmentKey } from '../../../cache/lmdb/index-key.ts'
import { encodeLocation } from '../../../cache/lmdb/location.ts'
import { IndexSample } from '../../../cache/log/index-sample.ts'
import { encodeRecord, stampRecord } from '../../../cache/log/record.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

/** A log of so many records; where each lies, under its own key or, from `strange` on, under another's. */
const logOf = (count: number) => {
  const values = join(temporaryFolder(), 'values')
  mkdirSync(values)
  const records = Array.from({ length: count }, (_, n) => {
    const record = encodeRecord('value', recordKey('files', `of this log ${n}`), `${n}`)
    stampRecord(record, { epoch: 1, counter: n })
    return record
  })
  writeFileSync(join(values, '00000001.log'), Buffer.concat(records))
  let offset = 0
  const places = records.map(({ length: size }) => {
    const place = { segment: 1, offset, size }
    offset += size
    return place
  })
  const sampled = (isStrange: (n: number) => boolean, shift = 0): IndexSample => {
    const sample = new IndexSample()
    for (const [n, place] of places.entries()) {
      const key = recordKey('files', isStrange(n) ? `of another ${n}` : `of this log ${n}`)
      sample.add(key, encodeLocation({ ...place, offset: place.offset + shift }))
    }
    return sample
  }
  return { values, sampled, bytes: offset }
}

test('an index is of another store where fewer than half of its places hold what it says, of four at least', () => {
  const { values, sampled } = logOf(4)
  expect(sampled(() => true).isForeignTo(values)).toBe(true)
  expect(sampled((n) => n > 0).isForeignTo(values)).toBe(true)
  expect(sampled((n) => n > 1).isForeignTo(values)).toBe(false)
  const three = logOf(3)
  expect(three.sampled(() => true).isForeignTo(three.values)).toBe(false)
})

test('places that were cut off or lie in a segment without a sound start are damage of the log', () => {
  const { values, sampled, bytes } = logOf(8)
  expect(sampled(() => true, bytes).isForeignTo(values)).toBe(false)
  // The last record alone is not whole.
  expect(sampled(() => true, 1).isForeignTo(values)).toBe(true)
  writeFileSync(join(values, '00000001.log'), Buffer.alloc(bytes))
  expect(sampled(() => true).isForeignTo(values)).toBe(false)
})

test('the places of a large index are looked at evenly', () => {
  const { values, sampled } = logOf(1000)
  expect(sampled((n) => n < 600).isForeignTo(values)).toBe(true)
  expect(sampled((n) => n < 400).isForeignTo(values)).toBe(false)
  expect(sampled((n) => n >= 600).isForeignTo(values)).toBe(false)
})

test('what an index says of its segments is no place', () => {
  const { values } = logOf(4)
  const sample = new IndexSample()
  for (let segment = 0; segment < 8; segment += 1)
    sample.add(segmentKey(segment), encodeLocation({ segment: 1, offset: 0, size: 40 }))
  expect(sample.isForeignTo(values)).toBe(false)
})
