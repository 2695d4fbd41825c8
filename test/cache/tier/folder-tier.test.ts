import { fstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordKey } from '../../../cache/lmdb/index-entry.ts'
import { encodeRecord, stampRecord } from '../../../cache/log/record.ts'
import { memoryStore } from '../../../cache/memory-store.ts'
import { Attempt, type AttemptName } from '../../../cache/tier/attempt.ts'
import { folderTier } from '../../../cache/tier/folder-tier.ts'
import { holdsOtherKeys, tierMarks, tierValues, type TierDamage } from '../../../cache/tier/read-tier.ts'
import { requireExclusive } from '../../../cache/tier/open-tier.ts'
import { sealTier } from '../../../cache/tier/seal-tier.ts'
import { createTakeOver } from '../../../cache/tier/take-over.ts'
import { TierLog } from '../../../cache/tier/tier-log.ts'
import { tieredStore } from '../../../cache/tier/tiered-store.ts'
import { segmentsFolder, type Tier } from '../../../cache/tier/tier.ts'
import { TABLES } from '../../../cache/store.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const PLAN = digestOf<'plan'>('plan')

const placesOf = async (tier: Tier, mark?: string): Promise<readonly string[]> => {
  const places: string[] = []
  const onDamage = (damage: TierDamage): void => expect.fail(JSON.stringify(damage))
  const reading = { onDamage, ...(mark === undefined ? {} : { mark }) }
  for await (const { table, id, payload } of tierValues(tier, reading))
    places.push(`${table}/${id} ${payload.toString('utf8')}`)
  return places.sort()
}

/** A log whose segment was deleted after its first value. */
const cutOff = async (): Promise<TierLog> => {
  const folder = temporaryFolder()
  const log = new TierLog(folderTier(folder), 'segments/a')
  await log.put('completions', 'first', '1')
  rmSync(join(folder, 'medmake-1/segments/a.0.log'))
  return log
}

test('a name is made once, keeps what it was made with, and leaves nothing beside it', async () => {
  const folder = temporaryFolder()
  const tier = folderTier(folder)
  expect([await tier.create('plan/a', 'one'), await tier.create('plan/a', 'two')]).toEqual([true, false])
  expect(String(await tier.read('plan/a'))).toBe('one')
  expect(readdirSync(join(folder, 'medmake-1/plan'))).toEqual(['a'])
  writeFileSync(join(folder, 'medmake-1/plan/b.new'), 'half')
  expect(await tier.list('plan')).toEqual([{ name: 'plan/a' }])
  await requireExclusive(tier)
  await requireExclusive(tier)
})

test('values that go to the tier together are counted one by one', async () => {
  const log = new TierLog(folderTier(temporaryFolder()), 'segments/a')
  await Promise.all(['a', 'b', 'c'].map((id) => log.put('completions', id, '1')))
  expect([log.stored, log.refused, log.failure]).toEqual([3, 0, undefined])
  await log.close()
})

test('of values that went to a deleted file each is refused and counted, as is all that comes later', async () => {
  const log = await cutOff()
  const puts = ['second', 'third', 'fourth'].map((id) => log.put('completions', id, '2'))
  for (const put of await Promise.allSettled(puts)) expect(put.status).toBe('rejected')
  expect([log.stored, log.refused]).toEqual([1, 3])
  await expect(log.put('completions', 'fifth', '2')).rejects.toBe(log.failure)
  expect([log.stored, log.refused]).toEqual([1, 4])
  await log.close()
})

test('what was paid for is told to be stored only once it lies in the tier', async () => {
  const [inner, log] = [memoryStore(), await cutOff()]
  const store = tieredStore(inner, () => log)
  await expect(store.put('completions', digestOf('call'), 1)).rejects.toThrow(
    'the file was deleted meanwhile',
  )
  await store.put('metrics', digestOf('call'), 1)
  expect(log.refused).toBe(1)
  await log.close()
})

test('a record that is whole and of no known codec is damage', async () => {
  const folder = temporaryFolder()
  const tier = folderTier(folder)
  const record = encodeRecord('value', recordKey('completions', 'a'), '{"a":1}')
  record.writeUInt8(9, 27)
  stampRecord(record, { epoch: 0, counter: 0 })
  const writer = tier.writer('segments/a')
  await writer.append(record)
  await writer.close()
  const damage: TierDamage[] = []
  for await (const value of tierValues(tier, { onDamage: (each) => void damage.push(each) }))
    expect.fail(value.id)
  expect(damage).toEqual([{ segment: 'segments/a.0.log', bytes: record.length }])
})

test('of a tier only what is shared is read, however it came there', async () => {
  const tier = folderTier(temporaryFolder())
  const log = new TierLog(tier, 'segments/a')
  for (const table of TABLES) await log.put(table, 'a', '1')
  await log.close()
  expect(await placesOf(tier)).toEqual(['completions/a 1', 'ledger/a 1'])
})

test('a segment that was read is closed, and what another key sealed is told of beside one’s own', async () => {
  const tier = folderTier(temporaryFolder())
  const others = []
  for (const mark of ['own', 'other']) {
    await tier.create(`${segmentsFolder(mark)}/a.0.log`, '')
    others.push(await holdsOtherKeys(tier, 'own'))
  }
  expect(others).toEqual([false, true])
  const segment = await tier.open(`${segmentsFolder('own')}/a.0.log`)
  segment?.close()
  expect(() => fstatSync(segment?.file ?? NaN)).toThrow('EBADF')
})

test('what is no segment beside sealed ones is no other key’s', async () => {
  const tier = folderTier(temporaryFolder())
  await TierLog.ofItsOwn(tier, segmentsFolder('own')).put('completions', 'a', '1')
  for (const name of ['.DS_Store', 'own/.DS_Store', 'other/.DS_Store'])
    await tier.create(`segments-sealed/${name}`, '')
  expect(await tierMarks(tier)).toEqual(['own'])
})

test('sealing leaves nothing in the open of what it sealed, and the rest as it was', async () => {
  const tier = folderTier(temporaryFolder())
  for (const [base, secret] of [
    ['segments/mixed', true],
    ['segments/open', false],
  ] as const) {
    const log = new TierLog(tier, base)
    await log.put('completions', `${base} call`, '"reply"')
    await log.put('ledger', `${base} entry`, JSON.stringify(secret))
    await log.put('completions', `${base} other`, '"other"')
    await log.close()
  }
  const left: string[] = []
  const report = await sealTier(tier, {
    unpaid: [],
    mark: 'mark',
    completionOf: ({ payload }) => (String(payload) === 'true' ? 'segments/mixed call' : undefined),
    seal: (value) => Promise.resolve({ ...value, payload: Buffer.from('"sealed"') }),
    whenLeft: async (segment) => {
      // A segment that is still there when its values are sealed would be sealed for ever.
      expect(left).toEqual([])
      left.push(segment)
      return Promise.resolve()
    },
  })
  expect(left).toEqual(['segments/mixed.0.log'])
  expect(report).toEqual({ segments: 1, sealed: 2, kept: 1, damagedBytes: 0 })
  expect(await placesOf(tier, 'mark')).toEqual([
    'completions/segments/mixed call "sealed"',
    'ledger/segments/mixed entry "sealed"',
  ])
  expect(await placesOf(tier)).toEqual([
    'completions/segments/mixed other "other"',
    'completions/segments/open call "reply"',
    'completions/segments/open other "other"',
    'ledger/segments/open entry false',
  ])
})

test('what is appended to a segment while it is sealed is sealed, too, before the segment goes', async () => {
  const tier = folderTier(temporaryFolder())
  const log = new TierLog(tier, 'segments/pushed')
  await log.put('completions', 'early', '1')
  let late: Promise<void> | undefined
  const report = await sealTier(tier, {
    unpaid: ['early', 'late'],
    mark: 'mark',
    completionOf: () => undefined,
    // Its segment was read by then.
    seal: async (value) => {
      await (late ??= log.put('completions', 'late', '2'))
      return value
    },
    whenLeft: () => Promise.resolve(),
  })
  await log.close()
  expect([report.segments, await placesOf(tier)]).toEqual([1, []])
  expect(new Set(await placesOf(tier, 'mark'))).toEqual(
    new Set(['completions/early 1', 'completions/late 2']),
  )
})

test.each([
  ['is taken over where the last one did not say that it ended', 0, true],
  ['is left alone where the last one ended, whatever an earlier one said', 1, false],
] as const)('a shard with two attempts %s', async (_, ended, isTaken) => {
  const tier = folderTier(temporaryFolder())
  const clock = { now: 0 }
  // Each look at the clock takes a tenth of the lease.
  const options = { tier, lease: 60, now: () => (clock.now += 6) }
  const attempts: Attempt[] = []
  for (let n = 0; n < 2; n += 1) attempts.push(await Attempt.begin({ ...options, plan: PLAN, shard: 4 }))
  await attempts[ended]?.end({ state: 'done' })
  const last = attempts[1]?.name
  const waited: AttemptName[] = []
  const takeOver = createTakeOver(options, (names) => void waited.push(...names))
  await takeOver(`${segmentsFolder(undefined, PLAN)}/4-1-${last?.nonce}.0.log`)
  expect(waited).toEqual(isTaken ? [last] : [])
  const count = async (folder: string): Promise<number> => (await tier.list(folder)).length
  expect([await count('attempts'), await count('done')]).toEqual(isTaken ? [3, 2] : [2, 1])
})

test('a segment of which no attempt is left has nobody to wait for', async () => {
  const tier = folderTier(temporaryFolder())
  const takeOver = createTakeOver({ tier, lease: 60, now: () => 0 }, () => expect.fail('it waited'))
  await takeOver(`${segmentsFolder(undefined, PLAN)}/4-1-${'0'.repeat(16)}.0.log`)
  expect(await tier.list('attempts')).toEqual([])
})
