import { expect, test } from 'vitest'
import type { Price } from '../../../models/prices/price.ts'
import { costRows, type PublishedCost } from '../../../targets/analysis/paper-costs.ts'
import { priceOf } from '../../rig/model-calls.ts'

const price = (input: number, output: number) => priceOf('x', input, output)

const cost = (model: string, benchmark: string, tokens: readonly number[]): PublishedCost => {
  const [inputTokens = 0, outputTokens = 0, judgeInputTokens = 0, judgeOutputTokens = 0] = tokens
  return { model, benchmark, inputTokens, outputTokens, judgeInputTokens, judgeOutputTokens }
}

const COSTS = [
  cost('a', 'notes', [2_000_000, 100_000, 500_000, 40_000]),
  cost('b', 'notes', [1000, 1000, 0, 0]),
  cost('a', 'letters', [1_000_000, 300_000, 500_000, 60_000]),
]
const own = (model: string): Price | undefined => (model === 'a' ? price(2, 10) : undefined)

test("A model's row adds up its benchmarks and charges dollars per million tokens, of each judge its own.", () => {
  const [row, other] = costRows(COSTS, own, [price(1, 5), price(3, 15)])
  expect(row).toEqual({
    model: 'a',
    benchmarks: 2,
    inputTokens: 3_000_000,
    outputTokens: 400_000,
    benchmarkTokens: 3_400_000,
    juryTokens: 1_100_000,
    benchmarkUsd: 10,
    juryUsd: 6,
    totalUsd: 16,
  })
  expect(other).toMatchObject({ model: 'b', benchmarks: 1, benchmarkUsd: null, juryUsd: 0, totalUsd: null })
})

test('Without prices of all judges neither the jury nor the whole has a price.', () => {
  expect(costRows(COSTS, own, null)[0]).toMatchObject({ benchmarkUsd: 10, juryUsd: null, totalUsd: null })
})
