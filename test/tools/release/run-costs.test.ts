import { expect, test } from 'vitest'
import { runCosts } from '../../../tools/release/assemble.ts'
import { usageOf } from '../../rig/model-calls.ts'

const USAGE = usageOf({
  calls: 2,
  inputTokens: 1_000_000,
  cachedInputTokens: 400_000,
  outputTokens: 500_000,
  reasoningTokens: 300_000,
  seconds: 3,
})
const priced = (deployment: string, input: number, output: number, cachedInput?: number) => ({
  deployment,
  input,
  output,
  ...(cachedInput === undefined ? {} : { cachedInput }),
  date: '2026-01-01',
  source: 'its list',
})
const PRICES = [priced('a/m', 1, 4, 0.5), priced('j/one', 2, 2), priced('j/free', 0, 0)]

const costs = (judges: Readonly<Record<string, object>>, own: object = {}, prices = PRICES) =>
  runCosts(
    {
      deployment: { deployment: 'a/m' },
      record: {
        usage: {
          ...USAGE,
          ...own,
          judges: Object.fromEntries(
            Object.entries(judges).map(([deployment, more]) => [
              deployment,
              { deployment, ...USAGE, ...more },
            ]),
          ),
        },
      },
    } as unknown as Parameters<typeof runCosts>[0],
    prices,
  )

test('A run costs its tokens by the price of its model, and its judges’ by theirs.', () => {
  // 0.6 million at 1 dollar, 0.4 at 0.5, 0.5 at 4; a judge's million and half of one at 2.
  expect(costs({ 'j/one': {} })).toEqual({ usd: 2.8, juryUsd: 3 })
  expect(costs({ 'j/one': {}, 'j/free': { unknown: 2 } })).toEqual({ usd: 2.8, juryUsd: 3 })
  expect(costs({})).toEqual({ usd: 2.8, juryUsd: 0 })
})

test('What a price or tokens are missing of is not known, not nothing.', () => {
  expect(costs({ 'j/one': {}, 'j/other': {} })).toEqual({ usd: 2.8, juryUsd: null })
  expect(costs({ 'j/other': {}, 'j/one': {} }).juryUsd).toBeNull()
  expect(costs({ 'j/one': { unknown: 1 } }).juryUsd).toBeNull()
  expect(costs({}, { unknown: 1 }).usd).toBeNull()
  expect(costs({}, {}, [priced('b/m', 1, 1)])).toEqual({ usd: null, juryUsd: 0 })
})
