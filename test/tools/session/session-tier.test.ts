import { expect, test } from 'vitest'
import { folderTier } from '../../../cache/tier/folder-tier.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { createSessionTier } from '../../../tools/session/tier/session-tier.ts'
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
  const session = createSessionTier(use, () => undefined, temporaryFolder())
  await session.begin(digestOf<'plan'>('plan'), {}, new AbortController().signal)
  await expect(session.end({ state: 'done' })).rejects.toBe(full)
})
