import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Patience } from '../../../cache/claims/claims.ts'
import { CommitGate } from '../../../cache/claims/holding.ts'
import type { DiskStore } from '../../../cache/disk-store.ts'
import { scanSegments } from '../../../cache/log/scan-segment.ts'
import { recordKey } from '../../../cache/lmdb/index-entry.ts'
import { isSealed } from '../../../cache/lmdb/index-files.ts'
import { ValueIndex } from '../../../cache/lmdb/value-index.ts'
import { encodeRecord, stampRecord } from '../../../cache/log/record.ts'
import { isBehind } from '../../../cache/log/roll-forward.ts'
import { openStore } from '../../../cache/open-store.ts'
import { repairStore } from '../../../cache/repair-store.ts'
import type { StoreEvent } from '../../../cache/store.ts'
import { verifyStore } from '../../../cache/verify-store.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const opened = (path: string, events: StoreEvent[] = []): Promise<DiskStore> =>
  openStore({ path, onEvent: (event) => void events.push(event) })

/** Opens, works and closes. */
const during = async (path: string, work: (store: DiskStore) => Promise<void>): Promise<void> => {
  const store = await opened(path)
  await work(store)
  await store.close()
}

test('of what an index lost the last word counts, and what came and went is not listed', async () => {
  const path = join(temporaryFolder(), 'store')
  const index = join(path, 'index.lmdb')
  await during(path, (store) => store.put('traces', 'a', 1))
  cpSync(index, `${index}.before`)
  await during(path, async (store) => {
    for (const value of [2, 3]) await store.put('traces', 'a', value)
    for (const value of [1, 2]) await store.put('traces', 'new', value)
    await store.put('traces', 'passing', 1)
    await store.remove('traces', 'passing')
  })
  cpSync(`${index}.before`, index)
  const events: StoreEvent[] = []
  const store = await opened(path, events)
  expect(events).toEqual([{ type: 'store-behind', listed: 2 }])
  expect(['a', 'new', 'passing'].map((id) => store.get('traces', id))).toEqual([3, 2, undefined])
  await store.close()
})

test.each(['as it was closed', 'of format 1, which says of no segment how far it is known'])(
  'nothing lies behind the index of a store %s',
  async (form) => {
    const path = join(temporaryFolder(), 'store')
    if (form.includes('1'))
      cpSync(join(import.meta.dirname, '../../fixtures/store-format-1'), path, { recursive: true })
    else
      await during(path, async (store) => {
        for (const value of [1, 2]) await store.put('traces', 'a', value)
      })
    const gate = new CommitGate(undefined, new Patience(() => undefined))
    const index = await ValueIndex.open(join(path, 'index.lmdb'), { readOnly: true, gate })
    expect([index.segments().length, isBehind(index, path)]).toEqual([1, false])
    await index.close()
  },
)

test('what the index knows of what lies before its end counts, though the log there is damaged since', async () => {
  const path = join(temporaryFolder(), 'store')
  await during(path, async (store) => {
    await store.put('traces', 'gone', 1)
    await store.remove('traces', 'gone')
  })
  const log = join(path, 'values/00000001.log')
  const bytes = readFileSync(log)
  bytes.writeUInt8(0, bytes.lastIndexOf('gone'))
  writeFileSync(log, bytes)
  lost(path, ['value', 'new', 5, 0])
  await during(path, async (store) => {
    expect(['gone', 'new'].map((id) => store.get('traces', id))).toEqual([undefined, 'of 5'])
  })
})

test('a record that was moved as its mover was killed is no news', async () => {
  const path = join(temporaryFolder(), 'store')
  await during(path, (store) => store.put('traces', 'listed', 'of 1'))
  lost(path, ['value', 'listed', 1, 0])
  expect(await verifyStore(path)).toMatchObject({ sound: true, unindexed: 0 })
  const events: StoreEvent[] = []
  await (await opened(path, events)).close()
  expect(events).toEqual([])
})

test('what another store has in the log and not yet in the index is left to it', async () => {
  const path = join(temporaryFolder(), 'store')
  const one = await opened(path)
  await one.put('traces', 'a', 1)
  const record = encodeRecord('value', recordKey('traces', 'under way'), '1')
  stampRecord(record, { epoch: 9, counter: 0 })
  appendFileSync(join(path, 'values/00000001.log'), record)
  const events: StoreEvent[] = []
  const two = await opened(path, events)
  expect([two.get('traces', 'a'), two.has('traces', 'under way')]).toEqual([1, false])
  for (const store of [one, two]) await store.close()
  expect(events).toEqual([])
  await (await opened(path, events)).close()
  expect(events).toEqual([{ type: 'store-behind', listed: 1 }])
})

test('what is put after a repair comes after all that was repaired', async () => {
  const path = join(temporaryFolder(), 'store')
  for (const value of [1, 2, 3]) await during(path, (store) => store.put('traces', 'a', value))
  await repairStore(path)
  expect(isSealed(join(path, 'index.lmdb'))).toBe(true)
  await during(path, (store) => store.put('traces', 'a', 'after the repair'))
  await repairStore(path)
  await during(path, async (store) => {
    expect(store.get('traces', 'a')).toBe('after the repair')
    await store.remove('traces', 'a')
  })
  await repairStore(path)
  await during(path, async (store) => expect(store.has('traces', 'a')).toBe(false))
})

test('what is put after an early record was listed comes after all that was put before', async () => {
  const path = join(temporaryFolder(), 'store')
  for (const value of [1, 2, 3]) await during(path, (store) => store.put('traces', 'a', value))
  const record = encodeRecord('value', recordKey('traces', 'early'), '1')
  stampRecord(record, { epoch: 1, counter: 7 })
  appendFileSync(join(path, 'values/00000001.log'), record)
  await during(path, async (store) => {
    expect(store.get('traces', 'early')).toBe(1)
    await store.put('traces', 'a', 'newest')
  })
  await repairStore(path)
  await during(path, async (store) => expect(store.get('traces', 'a')).toBe('newest'))
})

test('of two records of one key that counts which was written later, not that which a scan meets last', async () => {
  const path = join(temporaryFolder(), 'store')
  const [one, two] = [await opened(path), await opened(path)]
  await one.put('traces', 'b', 1)
  await two.put('traces', 'a', 'in the second segment')
  for (const store of [one, two]) await store.close()
  await during(path, (store) => store.put('traces', 'a', 'later, in the first'))
  expect(await verifyStore(path)).toMatchObject({ sound: true, unindexed: 0 })
  await repairStore(path)
  await during(path, async (store) => expect(store.get('traces', 'a')).toBe('later, in the first'))
})

test('where an index lost only what came and went nobody is told', async () => {
  const path = join(temporaryFolder(), 'store')
  const index = join(path, 'index.lmdb')
  await during(path, (store) => store.put('traces', 'a', 1))
  cpSync(index, `${index}.before`)
  await during(path, async (store) => {
    await store.put('traces', 'passing', 1)
    await store.remove('traces', 'passing')
  })
  cpSync(`${index}.before`, index)
  const events: StoreEvent[] = []
  await (await opened(path, events)).close()
  expect(events).toEqual([])
})

/** Appends what a process wrote that was killed before it told the index. */
const lost = (
  path: string,
  ...records: readonly (readonly ['value' | 'removal', string, number, number])[]
): void => {
  for (const [kind, id, epoch, counter] of records) {
    const record = encodeRecord(kind, recordKey('traces', id), kind === 'value' ? `"of ${epoch}"` : '')
    stampRecord(record, { epoch, counter })
    appendFileSync(join(path, 'values/00000001.log'), record)
  }
}

test('what is put after records of later writers were listed comes after the latest of them', async () => {
  const path = join(temporaryFolder(), 'store')
  await during(path, (store) => store.put('traces', 'other', 1))
  lost(path, ['value', 'a', 9, 0], ['value', 'b', 3, 0])
  await during(path, async (store) => {
    expect(['a', 'b'].map((id) => store.get('traces', id))).toEqual(['of 9', 'of 3'])
    await store.put('traces', 'a', 'after')
  })
  await repairStore(path)
  await during(path, async (store) => expect(store.get('traces', 'a')).toBe('after'))
})

test('a value that was put again after its removal is listed, one that was removed later is not', async () => {
  const path = join(temporaryFolder(), 'store')
  await during(path, async (store) => {
    for (const id of ['again', 'gone']) await store.put('traces', id, 1)
    for (const id of ['again', 'gone']) await store.remove('traces', id)
  })
  lost(path, ['value', 'again', 5, 0], ['value', 'gone', 0, 0])
  expect(await verifyStore(path)).toMatchObject({ sound: true })
  const events: StoreEvent[] = []
  const store = await opened(path, events)
  expect(['again', 'gone'].map((id) => store.get('traces', id))).toEqual(['of 5', undefined])
  await store.close()
  expect(events).toEqual([{ type: 'store-behind', listed: 1 }])
})

test('a value that was put before its key was removed is not listed, though nothing was put since', async () => {
  const path = join(temporaryFolder(), 'store')
  await during(path, async (store) => {
    for (const id of ['gone', 'other']) await store.put('traces', id, 1)
    await store.remove('traces', 'gone')
  })
  const [removal] = [...scanSegments(join(path, 'values'))].flatMap(({ finding }) =>
    finding.type === 'record' && finding.header.kind === 'removal' ? [finding.header] : [],
  )
  if (removal === undefined) throw new Error('no removal was written')
  lost(path, ['value', 'gone', removal.epoch, removal.counter - 1])
  const events: StoreEvent[] = []
  const store = await opened(path, events)
  expect([store.has('traces', 'gone'), store.has('traces', 'other')]).toEqual([false, true])
  await store.close()
  expect(events).toEqual([])
})

test.each([
  ['a value that nobody lists', [['value', 'new', 5, 0]], 1],
  [
    'a value and its removal',
    [
      ['value', 'new', 5, 0],
      ['removal', 'new', 5, 1],
    ],
    0,
  ],
  [
    'a removal and a later value, which lies before it',
    [
      ['value', 'new', 5, 1],
      ['removal', 'new', 5, 0],
    ],
    1,
  ],
  ['a removal of what is listed', [['removal', 'listed', 5, 0]], 1],
  ['another value of what is listed', [['value', 'listed', 6, 0]], 1],
  ['the very value that is listed, as another process stored it', [['value', 'listed', 5, 0]], 0],
  ['an earlier value of what is listed', [['value', 'listed', 0, 0]], 0],
  ['an earlier removal of what is listed', [['removal', 'listed', 0, 0]], 0],
] as const)('verify counts what the log has a later word on: %s', async (_, records, unindexed) => {
  const path = join(temporaryFolder(), 'store')
  await during(path, (store) => store.put('traces', 'listed', 'of 5'))
  lost(path, ...records)
  expect(await verifyStore(path)).toMatchObject({ sound: true, unindexed })
})
