import { describe, expect, it } from 'vitest'
import type { Price } from '../../../models/prices/price.ts'
import { costLines, costTotal, costTotals } from '../../../targets/board/cost-table.ts'
import type { CostsReport } from '../../../targets/board/cost-table.ts'
import { formatCosts, unknownText } from '../../../tools/costs/format-costs.ts'
import { priceOf, usageOf } from '../../rig/model-calls.ts'

const report = (prices: readonly Price[], unknown = 0): CostsReport => {
  const usage = {
    ...usageOf({ calls: 5, unknown, inputTokens: 1_000_000, outputTokens: 10, seconds: 1 }),
    judges: {},
  }
  const run = { benchmark: 'notes', deployment: 'a/one', maxTokens: 100, judgeMaxTokens: () => 4096, usage }
  const lines = costLines([run], new Map(prices.map((each) => [each.deployment, each])))
  return {
    lines,
    models: costTotals(lines, ({ model }) => model),
    benchmarks: costTotals(lines, ({ benchmark }) => benchmark),
    judges: [],
    total: costTotal('all', lines),
    prices,
    unpriced: prices.length === 0 ? ['a/one'] : [],
  }
}

describe('costs as text', () => {
  it('tell the price behind each sum, and cents as at least one', () => {
    const text = formatCosts(report([priceOf('a/one', 0.001, 0)]))
    expect(text).toMatch(/^a\/one +5 +1,000,000 +0 +10 +< 0\.01 +0\.00 +< 0\.01 +< 0\.01$/m)
    expect(text).toContain('a/one: 0.001 in, 0 out per million tokens, 2026-01-01, contract')
  })

  it('tell the price of cached prompts where there is one, as the sums take it', () => {
    const text = formatCosts(report([{ ...priceOf('a/one', 2.5, 10), cachedInput: 1.25 }]))
    expect(text).toContain('a/one: 2.5 in, 1.25 cached, 10 out per million tokens, 2026-01-01, contract')
  })

  it('say where a missing price goes', () => {
    expect(unknownText(report([]))).toEqual([
      'No price is declared for a/one: add it to prices: in models/prices.yaml.',
    ])
  })

  it('say how many replies told no tokens, unless they cost nothing anyhow', () => {
    expect(unknownText(report([priceOf('a/one', 1, 1)], 2))).toEqual([
      'a/one told no token counts for 2 of its replies: what they cost is not known.',
    ])
    expect(unknownText(report([priceOf('a/one', 0, 0)], 2))).toEqual([])
    expect(unknownText(report([priceOf('a/one', 1, 1)]))).toEqual([])
  })
})
