import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { indexKey, recordKey, segmentKey, encodeLocation } from '../../../cache/lmdb/index-entry.ts'
import { encodeRecord, stampRecord } from '../../../cache/log/record.ts'
import { openSnapshot } from '../../../cache/lmdb/snapshot.ts'
import { openStore } from '../../../cache/open-store.ts'
import type { StoreEvent } from '../../../cache/store.ts'
import { repairStore } from '../../../cache/repair-store.ts'
import { verifyStore } from '../../../cache/verify-store.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { indexFault, IndexNames } from '../../../cache/store-folder.ts'

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
  const named = (isStrange: (n: number) => boolean, shift = 0): IndexNames => {
    const names = new IndexNames(values)
    for (const [n, place] of places.entries()) {
      const key = recordKey('files', isStrange(n) ? `of another ${n}` : `of this log ${n}`)
      names.add(key, encodeLocation({ ...place, offset: place.offset + shift }))
    }
    return names
  }
  return { values, named, bytes: offset }
}

test('an index is of another store where fewer than half of its places hold what it says, of four at least', () => {
  const { named } = logOf(4)
  expect(named(() => true).isForeign).toBe(true)
  expect(named((n) => n > 0).isForeign).toBe(true)
  expect(named((n) => n > 1).isForeign).toBe(false)
  const three = logOf(3)
  expect(three.named(() => true).isForeign).toBe(false)
})

test('places that were cut off or lie in a segment without a sound start are damage of the log', () => {
  const { values, named, bytes } = logOf(8)
  expect(named(() => true, bytes).isForeign).toBe(false)
  // The last record alone is not whole.
  expect(named(() => true, 1).isForeign).toBe(true)
  writeFileSync(join(values, '00000001.log'), Buffer.alloc(bytes))
  expect(named(() => true).isForeign).toBe(false)
})

test('all places of a large index count', () => {
  const { named } = logOf(1000)
  expect(named((n) => n < 600).isForeign).toBe(true)
  expect(named((n) => n < 400).isForeign).toBe(false)
  expect(named((n) => n >= 600).isForeign).toBe(false)
})

test('a record under a key that is not its own is counted, one that can’t be read is damage of the log', () => {
  const { values, named } = logOf(100)
  expect(named(() => false)).toMatchObject({ misnamed: 0, isForeign: false })
  expect(named((n) => n === 57)).toMatchObject({ misnamed: 1, isForeign: false })
  const log = readFileSync(join(values, '00000001.log'))
  log[log.indexOf('of this log 57')] = 0
  writeFileSync(join(values, '00000001.log'), log)
  expect(named((n) => n === 57).misnamed).toBe(0)
})

test('a key that lies in the index as a hash is held against the whole key of its record', () => {
  const values = join(temporaryFolder(), 'values')
  mkdirSync(values)
  const key = recordKey('files', 'a long name '.repeat(1000))
  const record = encodeRecord('value', key, 'text')
  stampRecord(record, { epoch: 1, counter: 1 })
  writeFileSync(join(values, '00000001.log'), record)
  const place = encodeLocation({ segment: 1, offset: 0, size: record.length })
  const names = new IndexNames(values)
  names.add(indexKey(key), place)
  expect(names.misnamed).toBe(0)
  names.add(indexKey(recordKey('files', 'a wrong name '.repeat(1000))), place)
  expect(names.misnamed).toBe(1)
})

test('what an index says of its segments is no place', () => {
  const { values } = logOf(4)
  const names = new IndexNames(values)
  for (let segment = 0; segment < 8; segment += 1)
    names.add(segmentKey(segment), encodeLocation({ segment: 1, offset: 0, size: 40 }))
  expect(names.isForeign).toBe(false)
})

test('a flipped bit in a key of the index is told of, and mended from the log', async () => {
  const path = join(temporaryFolder(), 'store')
  const store = await openStore({ path, onEvent: () => {} })
  for (const name of ['some', 'kept', 'others']) await store.put('completions', name, 1)
  await store.close()
  const index = join(path, 'index.lmdb')
  const bytes = readFileSync(index)
  const key = recordKey('completions', 'kept')
  const last = key.length - 1
  let found = 0
  for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at + 1)) {
    bytes.writeUInt8(bytes.readUInt8(at + last) ^ 1, at + last)
    found += 1
  }
  expect(found).toBeGreaterThan(0)
  writeFileSync(index, bytes)
  await expect(openStore({ path, onEvent: () => {} })).rejects.toThrow(
    'names values by other keys than theirs',
  )
  // Who may only read takes a copy of it.
  await expect(
    openSnapshot(
      index,
      (copy) => indexFault(copy, path),
      () => expect.fail(),
    ),
  ).rejects.toThrow('names values by other keys than theirs')
  expect(await verifyStore(path)).toMatchObject({ sound: false, unreadable: ['completions/kepu'] })
  await repairStore(path)
  const repaired = await openStore({ path, onEvent: () => {} })
  expect(repaired.get('completions', 'kept')).toBe(1)
  await repaired.close()
})

test.each([0, 4, 5, 10, 11])(
  'a flipped bit in byte %i of where a record lies is put right by who opens the store next',
  async (byte) => {
    const path = join(temporaryFolder(), 'store')
    const store = await openStore({ path, onEvent: () => {} })
    for (const name of ['some', 'kept', 'others']) await store.put('completions', name, name)
    await store.close()
    const index = join(path, 'index.lmdb')
    const bytes = readFileSync(index)
    const key = recordKey('completions', 'kept')
    for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at + 1)) {
      const flipped = at + key.length + byte
      bytes.writeUInt8(bytes.readUInt8(flipped) ^ 4, flipped)
    }
    writeFileSync(index, bytes)
    const events: StoreEvent[] = []
    const mended = await openStore({ path, onEvent: (event) => events.push(event) })
    expect(mended.get('completions', 'kept')).toBe('kept')
    await mended.close()
    expect(events).toEqual([{ type: 'store-behind', listed: 1 }])
    expect(await verifyStore(path)).toMatchObject({ sound: true })
  },
)
