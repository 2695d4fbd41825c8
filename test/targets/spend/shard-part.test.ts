import { expect, test } from 'vitest'
import { digestOf } from '../../../cache/values/digest.ts'
import { shardRun, spentBefore } from '../../../targets/spend/shard-part.ts'
import { madeUpEntry } from './made-up-entry.ts'

test('of a part’s allowance its own attempts at the same submission have spent, and nobody else', () => {
  const shard = { index: 1, count: 16, submission: '77' }
  const runs = [`${shardRun(shard)}a`, `${shardRun(shard)}b`, '77.10.a', '77.2.a', '177.1.a', '7.1.a', 'a']
  const entries = runs.map((run) => ({ ...madeUpEntry({ run }), completion: digestOf<'completion'>(run) }))
  expect(spentBefore(entries, shard)).toEqual(new Map([['a/m', 4]]))
})
