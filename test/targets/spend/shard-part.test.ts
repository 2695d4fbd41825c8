import { expect, test } from 'vitest'
import { digestOf } from '../../../cache/values/digest.ts'
import { shardDays, shardRun, spentBefore } from '../../../targets/spend/shard-part.ts'
import { madeUpEntry } from './made-up-entry.ts'

test('of a part’s allowance its own attempts at the same submission have spent, and nobody else', () => {
  const shard = { index: 1, count: 16, submission: '77' }
  const runs = [`${shardRun(shard)}a`, `${shardRun(shard)}b`, '77.10.a', '77.2.a', '177.1.a', '7.1.a', 'a']
  const entries = runs.map((run) => ({ ...madeUpEntry({ run }), completion: digestOf<'completion'>(run) }))
  expect(spentBefore(entries, shard)).toEqual(new Map([['a/m', 4]]))
})

test('a day’s account of a part holds its part of what others spent, its earlier attempts, and nothing of its own run', async () => {
  const shard = { index: 1, count: 2, submission: '77' }
  const own = `${shardRun(shard)}b`
  const entry = (run: string, time = '2026-01-31T12:00:00Z') => ({
    ...madeUpEntry({ run, time, usd: 1 }),
    completion: digestOf<'completion'>(run + time),
  })
  const entries = [
    entry('a'),
    entry(`${shardRun(shard)}a`),
    entry('77.0.a'),
    entry(own),
    entry('a', '2026-01-30T12:00:00Z'),
  ]
  const days = shardDays(shard, own, () => Promise.resolve(entries))
  expect(await days.exclusively('2026-01-31', ({ settled }) => settled)).toEqual(new Map([['a/m', 1.5]]))
})
