import { expect, it } from 'vitest'
import { LostValueError } from '../../../cache/problems/lost-value.ts'
import { memoryStore } from '../../../cache/memory-store.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import type { TargetKey } from '../../../targets/keys/keys.ts'
import type { RunRecord } from '../../../targets/record/record.ts'
import {
  dropAllBuilds,
  dropLost,
  freshRecord,
  readLastBuild,
  readTrace,
  traceId,
  traceOf,
  writeTrace,
} from '../../../targets/record/trace.ts'

const KEY = { key: { model: 'a' }, digest: 'd1' as Digest<'target'> } as unknown as TargetKey
const RECORD = 'r1' as Digest<'record'>
const record = (change: Partial<RunRecord> = {}): RunRecord =>
  ({
    complete: true,
    counts: {},
    failures: [],
    causes: {},
    usage: {},
    omitted: [],
    ...change,
  }) as unknown as RunRecord

it('a build is found by its key once its trace is written, and by its run’s name', async () => {
  const store = memoryStore()
  expect(freshRecord(KEY.digest, store)).toBeUndefined()
  await writeTrace('run', KEY, traceOf(record({ omitted: ['x'] }), RECORD), store)
  expect(readTrace(KEY.digest, store)).toMatchObject({
    record: RECORD,
    complete: true,
    failures: 0,
    omitted: ['x'],
  })
  expect(readLastBuild('run', store)).toMatchObject({ digest: 'd1', key: { model: 'a' } })
  expect(readLastBuild('other', store)).toBeUndefined()
  expect(traceOf(record(), RECORD)).not.toHaveProperty('omitted')
})

it('it is fresh only where it is complete and its record is still there', async () => {
  const store = memoryStore()
  await writeTrace('run', KEY, traceOf(record(), RECORD), store)
  expect(freshRecord(KEY.digest, store), 'no record').toBeUndefined()
  await store.put('records', RECORD, {})
  expect(freshRecord(KEY.digest, store)).toMatchObject({ digest: RECORD })
  await writeTrace('run', KEY, traceOf(record({ complete: false }), RECORD), store)
  expect(freshRecord(KEY.digest, store), 'incomplete').toBeUndefined()
})

it('builds are forgotten, what explains the next one stays', async () => {
  const store = memoryStore()
  await writeTrace('run', KEY, traceOf(record(), RECORD), store)
  await dropAllBuilds(store)
  expect(readTrace(KEY.digest, store)).toBeUndefined()
  expect(readLastBuild('run', store)).toBeDefined()
})

it('a build of which something was lost is forgotten, and it alone', async () => {
  const store = memoryStore()
  const other = { ...KEY, digest: 'd2' as Digest<'target'> }
  for (const key of [KEY, other]) await writeTrace('run', key, traceOf(record(), RECORD), store)
  const lost = { table: 'prompts' as const, id: 'p', what: 'a prompt' }
  expect(await dropLost(new LostValueError({ ...lost, trace: traceId(KEY.digest) }), store)).toBe(true)
  expect([readTrace(KEY.digest, store), readTrace(other.digest, store)?.record]).toEqual([undefined, RECORD])
  expect(await dropLost(new LostValueError(lost), store)).toBe(false)
  expect(await dropLost(new Error('other'), store)).toBe(false)
})
