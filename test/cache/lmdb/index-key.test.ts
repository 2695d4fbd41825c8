import { expect, test } from 'vitest'
import { indexKey, isHashedKey, parseRecordKey, recordKey } from '../../../cache/lmdb/index-entry.ts'
import { TABLES } from '../../../cache/store.ts'
import { digestOf } from '../../../cache/values/digest.ts'

test('a record’s key tells its table and id, and of other bytes it tells nothing', () => {
  for (const table of TABLES)
    for (const id of [digestOf('a'), 'ä', ''])
      expect(parseRecordKey(recordKey(table, id))).toEqual({ table, id })
  const digest = recordKey('files', digestOf('a'))
  expect([33, 2, 1, 0].map((size) => parseRecordKey(digest.subarray(0, size)))).toEqual(
    Array(4).fill(undefined),
  )
  expect(parseRecordKey(Buffer.concat([digest, Buffer.of(0)]))).toBeUndefined()
  expect(parseRecordKey(Buffer.concat([Buffer.of(99), digest.subarray(1)]))).toBeUndefined()
})

test('a key of up to 480 bytes is the index’s as well, a longer one is there as its hash', () => {
  const [longest, longer] = [478, 479].map((size) => recordKey('files', 'a'.repeat(size))) as [Buffer, Buffer]
  expect(indexKey(longest).equals(longest)).toBe(true)
  expect([indexKey(longer).length, isHashedKey(indexKey(longer)), isHashedKey(longest)]).toEqual([
    34,
    true,
    false,
  ])
})
