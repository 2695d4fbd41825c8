import { expect, test } from 'vitest'
import { digestOf } from '../../../cache/values/digest.ts'
import { memoryStore } from '../../../cache/memory-store.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import type { Target } from '../../../targets/record/target.ts'
import type { UsageWithJudges, TokenUsage } from '../../../targets/record/completion.ts'
import {
  countedCost,
  paidBenchmark,
  putEntry,
  readLedger,
  type LedgerEntry,
} from '../../../targets/spend/ledger.ts'
import { madeUpEntry } from './made-up-entry.ts'
import { spendBy, spendTotal } from '../../../targets/spend/spend-table.ts'
import { observedCost, usageCost } from '../../../targets/spend/spending.ts'
import { usageCosts } from '../../../targets/spend/paid-attempt.ts'

const PAID = madeUpEntry()
const UNKNOWN: LedgerEntry = { ...PAID, usage: null, usd: null }
const UNCERTAIN: LedgerEntry = { ...UNKNOWN, outcome: 'uncertain', ceiling: 1 }

test('A total tells apart what is known, what is not, and what may come on top.', () => {
  expect(spendTotal('all', [PAID, PAID, UNKNOWN, UNCERTAIN])).toStrictEqual({
    name: 'all',
    calls: 3,
    inputTokens: 20,
    outputTokens: 6,
    usd: 4,
    unknownCalls: 1,
    uncertainAttempts: 1,
    uncertainUsd: 5,
  })
  expect(spendTotal('all', [PAID, { ...UNKNOWN, ceiling: null }]).uncertainUsd).toBeNull()
  expect(spendTotal('all', [{ ...PAID, ceiling: null }]).uncertainUsd).toBe(0)
  expect(spendTotal('none', [])).toMatchObject({ calls: 0, usd: 0, uncertainUsd: 0, uncertainAttempts: 0 })
})

test('Sides are days, models with their judges, benchmarks, judges alone; each by name.', () => {
  const entries: readonly LedgerEntry[] = [
    { ...PAID, time: '2026-03-05T00:00:00.000Z', benchmark: 'notes', model: 'b/m' },
    { ...PAID, judge: 'strict', deployment: 'j/m', stage: 'annotations' },
    PAID,
  ]
  const by = (side: Parameters<typeof spendBy>[0]) =>
    spendBy(side, entries).map(({ name, calls }) => `${name} ${calls}`)
  expect(by('day')).toEqual(['2026-03-04 2', '2026-03-05 1'])
  expect(by('model')).toEqual(['a/m 2', 'b/m 1'])
  expect(by('benchmark')).toEqual(['notes 1', 'wards 2'])
  expect(by('judge')).toEqual(['strict 1'])
})

test('A cap counts what is known, else the most that it can have been, else nothing.', () => {
  expect([PAID, UNKNOWN, { usd: null, ceiling: null }, { usd: 0, ceiling: 4 }].map(countedCost)).toEqual([
    2, 4, 0, 0,
  ])
})

test('Entries come by day, those asked for alone, and what is none is left out.', async () => {
  const store = memoryStore()
  const [one, other] = [digestOf<'completion'>('one'), digestOf<'completion'>('other')]
  await putEntry(one, PAID, store)
  await putEntry(other, { ...PAID, time: '2026-03-05T00:00:00.000Z' }, store)
  await putEntry(one, { ...PAID, usd: 3 }, store)
  const read = (filter?: Parameters<typeof readLedger>[1]) =>
    [...readLedger(store, filter)].map(
      ({ time, completion, usd }) => `${time.slice(8, 10)} ${completion} ${usd}`,
    )
  expect(read().toSorted()).toEqual([`04 ${one} 2`, `04 ${one} 3`, `05 ${other} 2`])
  expect(read({ since: '2026-03-05' })).toEqual([`05 ${other} 2`])
  expect(read({ completions: new Set([other]) })).toEqual([`05 ${other} 2`])
  expect(read({ completions: new Set() })).toEqual([])
})

const PRICE = { input: 1, output: 2 }
const TOKENS = { inputTokens: 1e6, outputTokens: 1e6 }

test.each([
  [undefined, TOKENS, null],
  [PRICE, TOKENS, 3],
  [PRICE, null, null],
  [PRICE, undefined, null],
  [{ input: 0, output: 0 }, undefined, 0],
  [{ input: 0, output: 2 }, undefined, null],
  [{ input: 1, output: 0 }, undefined, null],
])('At %j a reply with %j costs %s.', (price, usage, usd) => {
  expect(usageCost(usage, price)).toBe(usd)
})

const usage = (calls: number, unknown = 0): TokenUsage =>
  ({ ...TOKENS, calls, unknown }) as unknown as TokenUsage

test.each([
  [undefined, usage(1), null],
  [PRICE, usage(1), 3],
  [PRICE, usage(1, 1), null],
  [{ input: 0, output: 0 }, usage(1, 1), 0],
  [{ input: 0, output: 2 }, usage(1, 1), null],
  [{ input: 1, output: 0 }, usage(1, 1), null],
])('At %j replies with %j cost %s.', (price, used, usd) => {
  expect(observedCost(used, price)).toBe(usd)
})

test('What asking again would cost is that of model and judges which are asked over a network.', () => {
  const asked = (name: string, className = 'medmake.chat'): ModelDeployment => {
    const args = className === 'medmake.chat' ? { base_url: 'https://x.example/v1' } : { name: 'lead' }
    return { name, modelName: name, client: { className, args } } as unknown as ModelDeployment
  }
  const target = {
    deployment: asked('a/m'),
    judges: [
      { judge: { name: 'strict' }, deployment: asked('j/m') },
      { judge: { name: 'idle' }, deployment: asked('j/m') },
      { judge: { name: 'absent' }, deployment: asked('j/m') },
      { judge: { name: 'own' }, deployment: asked('own', 'medmake.baseline') },
    ],
  } as unknown as Target
  const used = {
    ...usage(2),
    judges: { strict: usage(3, 1), idle: usage(0), own: usage(5) },
  } as unknown as UsageWithJudges
  expect(usageCosts(target, used, () => PRICE as never)).toEqual([
    { replies: 2, usd: 3 },
    { replies: 3, usd: null },
  ])
})

test.each([
  [JSON.stringify(PAID), 'wards'],
  [JSON.stringify({ ...PAID, stage: 'annotations' }), 'wards'],
  [JSON.stringify({ ...PAID, stage: 'check' }), undefined],
  ['null', undefined],
  ['{', undefined],
])('An entry as it lies in a log, %s, was paid for the text of %s.', (text, benchmark) => {
  expect(paidBenchmark(Buffer.from(text))).toBe(benchmark)
})
