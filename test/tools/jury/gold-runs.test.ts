import { expect, test } from 'vitest'
import { askGold, countGoldCalls } from '../../../tools/jury/gold-runs.ts'
import type { Session } from '../../../tools/session/session.ts'

const failure = { code: 'http/500', detail: '', retriable: false } as never

/** A model's run over these instances; the judge finds `bad` unsupported, and of `lost` nothing is known. */
const runs = (asked: string[], ...benchmarks: readonly (readonly [string, readonly string[]])[]) => {
  const judge = {
    name: 'j',
    missing: ({ id }: { readonly id: string }) => (id === 'known' ? undefined : `reply on ${id}`),
    ask: async ({ id }: { readonly id: string }) => {
      asked.push(id)
      return id === 'known' ? undefined : id === 'lost' ? { failure } : { isReasonable: id !== 'bad' }
    },
  }
  return benchmarks.map(([benchmark, ids], at) => ({
    benchmark,
    model: `m${at}`,
    judge,
    instances: ids.map((id) => ({ id, references: id === 'empty' ? [{ text: ' ' }] : [{ text: 'x' }] })),
    scores: new Map(ids.map((id) => [id, 1])),
    isRanked: true,
  })) as never
}

const session = { env: { stop: new AbortController().signal } } as unknown as Pick<Session, 'env'>

test('A reference that several models are held against is asked about once in each benchmark, an empty one never', async () => {
  const asked: string[] = []
  const ids = ['good', 'bad', 'lost', 'empty']
  const found = await askGold(runs(asked, ['notes', ids], ['notes', ids], ['other', ['bad']]), session)
  expect(asked).toEqual(['good', 'bad', 'lost', 'bad'])
  expect(found?.failures).toEqual([{ judge: 'j', cause: failure }])
  expect(
    found?.benchmarks.map(({ benchmark, judge, checked, flagged }) => [benchmark, judge, checked, flagged]),
  ).toEqual([
    ['notes', 'j', 2, ['bad']],
    ['other', 'j', 1, ['bad']],
  ])
})

test('Calls that are still to be made are counted once, however many models share the reference', () => {
  const counted = countGoldCalls(runs([], ['notes', ['good', 'known']], ['notes', ['good', 'bad']]))
  expect([...counted]).toEqual([['j', 2]])
})
