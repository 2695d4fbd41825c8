import { expect, test } from 'vitest'
import { memoryStore } from '../../../cache/memory-store.ts'
import { guardedStore } from '../../../cache/vault/open-vault.ts'
import { namedRecord } from '../../../targets/record/named-record.ts'
import { getRecord, putRecord, RowTable, type RunRecord } from '../../../targets/record/record.ts'
import type { Stat } from '../../../targets/record/stat.ts'

const stat = (name: string, subSplit?: string): Stat => ({
  name: { name, split: 'test', ...(subSplit === undefined ? {} : { subSplit }) },
  count: 1,
  sum: 1,
  sumSquared: 1,
  float: false,
})

const record = {
  target: 'of a target',
  name: 'wards:model=m',
  rows: 1,
  columns: 1,
  coverage: {},
  stats: [stat('exact_match'), stat('exact_match', 'ward 3'), stat('exact_match', '0'), stat('f1', 'ward 3')],
  ownStats: [stat('own', 'ward 9')],
} as unknown as RunRecord

const kept = async (access: 'public' | 'private') => {
  const [open, vault] = [memoryStore(), memoryStore()]
  const store = access === 'public' ? open : guardedStore(open, vault)
  const digest = await putRecord(record, new RowTable(1, 1), { store, access })
  return { open, vault, store, digest }
}

test('Sub-splits of what is not public have numbers in the open store, and their names where texts lie.', async () => {
  const { open, vault, store, digest } = await kept('private')
  const stored = getRecord(digest, open)
  expect(stored?.stats.map(({ name }) => name.subSplit)).toEqual([undefined, '0', '1', '0'])
  expect(stored?.ownStats.map(({ name }) => name.subSplit)).toEqual(['2'])
  expect(vault.get('records', `${digest}:sub-splits`)).toEqual(['ward 3', '0', 'ward 9'])
  expect(stored && namedRecord({ record: stored, digest }, store)).toEqual(record)
})

test('Names that the store lost are told, and no number is taken for one.', async () => {
  const { open, vault, store, digest } = await kept('private')
  await vault.remove('records', `${digest}:sub-splits`)
  const stored = getRecord(digest, open)
  expect(() => stored && namedRecord({ record: stored, digest }, store)).toThrow('the names of sub-splits')
})

test('Public records hold the names of their sub-splits.', async () => {
  const { open, digest } = await kept('public')
  expect(getRecord(digest, open)).toEqual(record)
})
