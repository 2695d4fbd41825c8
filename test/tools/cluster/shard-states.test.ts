import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderTier } from '../../../cache/tier/folder-tier.ts'
import { attemptsFolder, endsFolder } from '../../../cache/tier/tier.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { shardStates } from '../../../tools/cluster/shard-states.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const PLAN = digestOf<'plan'>('a plan')

/** Attempts as shard and number, with what each said at its end. */
const statesOf = async (
  attempts: readonly (readonly [name: string, end?: object | string])[],
  shards: number,
) => {
  const tier = folderTier(temporaryFolder())
  for (const [name, end] of attempts) {
    const file = `${name}-${digestOf(name).slice(0, 16)}.json`
    await tier.create(join(attemptsFolder(PLAN), file), '{}')
    if (end !== undefined)
      await tier.create(join(endsFolder(PLAN), file), typeof end === 'string' ? end : JSON.stringify(end))
  }
  return shardStates(tier, PLAN, shards)
}

const end = (state: string, providerCalls: number, usd: number | null, more: object = {}): object => ({
  state,
  requests: 10,
  answered: 9,
  providerCalls,
  usd,
  ...more,
})

test('A shard is as its last attempt left it, and has cost what all of them did.', async () => {
  const states = await statesOf(
    [
      ['0-0', end('stopped', 5, 0.5)],
      ['0-1', end('done', 3, 0.25, { requests: 12, answered: 12 })],
      ['1-10', end('done', 1, 1)],
      ['1-9', end('stopped', 2, 2)],
      ['10-0', end('stopped', 100, 100)],
    ],
    2,
  )
  expect(states).toEqual([
    { shard: 0, attempts: 2, state: 'done', requests: 12, answered: 12, providerCalls: 8, usd: 0.75 },
    { shard: 1, attempts: 2, state: 'done', requests: 10, answered: 9, providerCalls: 3, usd: 3 },
  ])
})

test('What an attempt has not said, or a damaged file says, leaves the cost unknown.', async () => {
  const states = await statesOf(
    [
      ['1-0', end('stopped', 5, 0.5)],
      ['1-1'],
      ['2-0', end('done', 4, null)],
      ['3-0', '{"state":'],
      ['4-0', { state: 'done' }],
    ],
    5,
  )
  const unknown = { requests: null, answered: null, usd: null }
  expect(states).toEqual([
    { shard: 0, attempts: 0, state: 'waiting', requests: null, answered: null, providerCalls: 0, usd: 0 },
    { shard: 1, attempts: 2, state: 'begun', ...unknown, providerCalls: 5 },
    { shard: 2, attempts: 1, state: 'done', requests: 10, answered: 9, providerCalls: 4, usd: null },
    { shard: 3, attempts: 1, state: 'unreadable', ...unknown, providerCalls: 0 },
    { shard: 4, attempts: 1, state: 'unreadable', ...unknown, providerCalls: 0 },
  ])
})
