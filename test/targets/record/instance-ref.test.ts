import { expect, test } from 'vitest'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import { memoryStore } from '../../../cache/memory-store.ts'
import { digestJson, type Digest } from '../../../cache/values/digest.ts'
import {
  instanceDigest,
  instanceOf,
  packedList,
  SkippedRowTally,
  storedInstance,
  storedInstanceList,
  type InstanceRef,
} from '../../../targets/record/instance-ref.ts'

const INSTANCE: Instance = {
  id: 7,
  input: { text: 'Well?' },
  references: [{ text: 'yes', tags: ['correct'] }],
  split: 'test',
  subSplit: 'ward 3',
  extraData: new Map([['dose', float(1)]]),
}

test('An instance comes back from the store as it was, and is known again by all but its id.', () => {
  expect(instanceOf(7, storedInstance(INSTANCE))).toEqual(INSTANCE)
  const { subSplit: _, ...plain } = INSTANCE
  expect(instanceOf(7, storedInstance(plain))).toEqual(plain)
  const digest = (one: Instance): string => instanceDigest(storedInstance(one))
  expect(digest({ ...INSTANCE, id: 8 })).toBe(digest(INSTANCE))
  expect(digest(plain)).not.toBe(digest(INSTANCE))
})

test('An instance’s digest is that of its canonical JSON, and there is none of half a character.', () => {
  const chat: Instance = {
    id: 1,
    input: { text: '', messages: [new Map([['role', 'user']])] },
    references: [],
    split: 'train',
  }
  const odd = { ...chat, input: { text: 'C:\\ud800 \u{1F600}\u2028\u0000é"' } }
  for (const one of [INSTANCE, chat, odd].map(storedInstance))
    expect(instanceDigest(one)).toBe(digestJson(one))
  expect(() => instanceDigest(storedInstance({ ...chat, input: { text: 'a\ud800' } }))).toThrow('surrogate')
})

test('A list of instances comes back with whatever is known of each.', async () => {
  const digest = 'd' as Digest<'instance'>
  const refs: readonly InstanceRef[] = [
    { id: 'a', split: 'test', digest },
    { id: 1, split: 'train', digest, subSplit: 's' },
    { id: 2, split: 'test', digest, cluster: 'c' },
    { id: 3, split: 'test', digest, subSplit: 's', cluster: 'c', attributes: { sex: 'f' } },
    { id: 4, split: 'valid', digest, attributes: { sex: 'm' } },
  ]
  const store = memoryStore()
  await store.put('instances', 'list', packedList({}, { refs }))
  expect(storedInstanceList('list', store)).toEqual({ refs })
  const skipped = { count: 1, listed: [{ file: 'a.csv', row: 2, reason: 'answer' as const }] }
  await store.put('instances', 'with gaps', packedList({}, { refs, skipped }))
  expect(storedInstanceList('with gaps', store)).toEqual({ refs, skipped })
})

test('Of rows that were skipped or cut all are counted, and the first hundred of each listed.', () => {
  const tally = new SkippedRowTally()
  expect(tally.result()).toBeUndefined()
  for (let row = 1; row <= 101; row += 1) tally.add({ file: 'a.csv', row, reason: 'answer' })
  const whole = tally.result()
  expect([whole?.count, whole?.listed.length, whole?.inPart]).toEqual([101, 100, undefined])
  tally.add({ file: 'a.csv', row: 102, reason: 'extra-cells', isPart: true })
  expect(tally.result()).toMatchObject({ count: 101, inPart: { count: 1 } })
})
