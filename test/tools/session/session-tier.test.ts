import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../../cache/open-store.ts'
import { pushValues } from '../../../cache/tier/push-values.ts'
import { Neighbours } from '../../../cache/tier/neighbours.ts'
import type { Tier } from '../../../cache/tier/tier.ts'
import { folderTier } from '../../../cache/tier/folder-tier.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { SessionTier } from '../../../tools/session/tier/session-tier.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

test('an attempt has ended once the tier has its word for it, and not where that can’t be written', async () => {
  const tier = folderTier(temporaryFolder())
  const full = new Error('full')
  const refusing = {
    ...tier,
    create: (name: string, bytes: Buffer | string) =>
      name.startsWith('done/') ? Promise.reject(full) : tier.create(name, bytes),
  }
  const shard = { index: 0, count: 1, submission: 's' }
  const use = { tier: refusing, lease: 60_000, wholeLedger: false, shard }
  const session = new SessionTier(use, () => undefined, temporaryFolder())
  await session.begin(digestOf<'plan'>('plan'), {}, new AbortController().signal)
  await expect(session.end({ state: 'done' })).rejects.toBe(full)
})

test('what was damaged in a tier is taken over once the tier is whole again', async () => {
  const place = temporaryFolder()
  const tier = folderTier(place)
  const ids = ['a', 'b'].map((id) => digestOf<'text'>(id))
  const payload = Buffer.from('{"text":"a reply"}')
  await pushValues(
    tier,
    undefined,
    ids.map((id) => ({ table: 'completions', id, payload })),
  )
  const segments = join(place, 'medmake-1/segments')
  const file = join(segments, readdirSync(segments)[0] ?? '')
  const whole = readFileSync(file)
  writeFileSync(file, whole.with(whole.length - 1, 0))
  const folder = temporaryFolder()
  const inner = await openStore({ path: folder, onEvent: () => undefined })
  const opened: string[] = []
  // As a bucket, which tells sizes.
  const bucket: Tier = {
    ...tier,
    list: async (under) => (await tier.list(under)).map((each) => ({ ...each, bytes: whole.length })),
    open: (name) => (opened.push(name), tier.open(name)),
  }
  const use = { tier: bucket, lease: 60_000, wholeLedger: false }
  const there = async (): Promise<readonly string[]> => {
    const meeting = temporaryFolder()
    const session = new SessionTier(use, () => undefined, meeting)
    const store = await session.through(inner, folder)
    const neighbour = new Neighbours(meeting, bucket)
    const paid = neighbour.take('other', 'theirs')
    if ('release' in paid) await paid.release()
    await (await store.claim(digestOf<'text'>('mine')))?.release()
    neighbour.close()
    await session.close()
    return ids.filter((id) => inner.has('completions', id))
  }
  expect(await there()).toEqual(ids.slice(0, 1))
  // Once, though a neighbour paid for something since.
  expect(opened).toHaveLength(1)
  writeFileSync(file, whole)
  expect(await there()).toEqual(ids)
  await inner.close()
})
