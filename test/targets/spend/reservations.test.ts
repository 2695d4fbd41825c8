import { expect, test } from 'vitest'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import type { Price } from '../../../models/prices/price.ts'
import { createSpending } from '../../../targets/spend/capped-spending.ts'
import { madeUpEntry } from './made-up-entry.ts'

const deployment = { name: 'a/m', client: { args: {} } } as unknown as ModelDeployment
/** 0.6 US dollars at most. */
const request = { messages: [], temperature: 0, topP: 1, maxTokens: 1, stop: [], n: 1, sampleIndex: 0 }

const spendingOf = (
  earlier: readonly ReturnType<typeof madeUpEntry>[] = [],
): ReturnType<typeof createSpending> =>
  createSpending({
    run: 'r',
    caps: [{ period: 'run', usd: 1, name: 'cap' }],
    days: { exclusively: () => expect.fail('no cap is by day'), write: () => undefined },
    now: () => 0,
    prices: new Map([['a/m', { input: 0, output: 600_000 } as Price]]),
    tokenizer: () => Promise.resolve(undefined),
    ledger: () => Promise.resolve(earlier),
    stop: new AbortController().signal,
    onReached: () => undefined,
  })

test('a later word on a call takes back what the word before it said', async () => {
  const spending = spendingOf()
  const held = await spending.reserve(deployment, request)
  held?.settle(0.6)
  held?.settle(0.4)
  expect(await spending.reserve(deployment, request)).toMatchObject({ ceiling: expect.closeTo(0.6, 9) })
})

test('what calls of earlier runs cost above their bound is reserved, and no more', async () => {
  const spending = spendingOf([
    madeUpEntry({ usd: 0.5, ceiling: 0.5 }),
    madeUpEntry({ usd: 0.3, ceiling: 0.2 }),
    madeUpEntry({ usd: null, ceiling: 0.1 }),
  ])
  const held = await spending.reserve(deployment, request)
  expect(held?.bound).toBeCloseTo(0.6, 9)
  expect(held?.ceiling).toBeCloseTo(0.7, 9)
})
