import { describe, expect, it } from 'vitest'
import type { Price, Prices } from '../../../models/prices/price.ts'
import { addUsages, spentOf, usdPerThousand, withTaskSpending } from '../../../targets/board/board-cost.ts'
import { observedCost } from '../../../targets/spend/spending.ts'
import {
  costLines,
  costsReport,
  costTotal,
  costTotals,
  type CostInput,
} from '../../../targets/board/cost-table.ts'
import type { TokenUsage } from '../../../targets/record/completion.ts'
import type { Built } from '../../../targets/runs/board-metric.ts'
import { madeUpTarget } from '../../rig/made-up-run.ts'
import { priceOf, usageOf } from '../../rig/model-calls.ts'

const pricesOf = (...all: readonly Price[]): Prices => new Map(all.map((each) => [each.deployment, each]))

const usage = (fields: Partial<TokenUsage> = {}): TokenUsage =>
  usageOf({ calls: 10, inputTokens: 1_000_000, outputTokens: 100_000, seconds: 20, ...fields })

const run = (fields: Partial<CostInput> = {}): CostInput => ({
  benchmark: 'notes',
  deployment: 'a/one',
  maxTokens: 50_000,
  judgeMaxTokens: () => 4096,
  usage: { ...usage(), judges: { gpt: { ...usage({ calls: 3, outputTokens: 1000 }), deployment: 'j/gpt' } } },
  ...fields,
})

const PRICES = pricesOf(priceOf('a/one', 2, 10), priceOf('j/gpt', 1, 5))

describe('what answers cost', () => {
  it('is charged by their tokens', () => {
    expect(observedCost(usage(), priceOf('a/one', 2, 10))).toBeCloseTo(3, 12)
  })

  it('is unknown without a price, or where a reply told no tokens', () => {
    expect(observedCost(usage(), undefined)).toBeNull()
    expect(observedCost(usage({ unknown: 1 }), priceOf('a/one', 2, 10))).toBeNull()
  })

  it('is nothing where nothing is charged, whatever was told', () => {
    expect(observedCost(usage({ unknown: 10 }), priceOf('a/one', 0, 0))).toBe(0)
  })
})

describe('what a row of the board took', () => {
  it('adds up its runs', () => {
    expect(spentOf([usage(), usage({ seconds: 40 })], priceOf('a/one', 2, 10))).toEqual({
      calls: 20,
      inputTokens: 2_000_000,
      outputTokens: 200_000,
      latency: 3,
      usd: 6,
    })
  })

  it('is not told where one of its runs does not tell', () => {
    expect(spentOf([usage(), undefined], priceOf('a/one', 2, 10))).toBeNull()
    expect(spentOf([], priceOf('a/one', 2, 10))).toBeNull()
  })

  it('has no tokens where a reply told none, for those of the others are no sum', () => {
    const told = { calls: 20, inputTokens: 2_000_000, outputTokens: 200_000 }
    expect(spentOf([usage(), usage()], undefined)).toMatchObject(told)
    const untold = { calls: 20, inputTokens: null, outputTokens: null, usd: null }
    expect(spentOf([usage(), usage({ unknown: 1 })], priceOf('a/one', 2, 10))).toMatchObject(untold)
    const free = spentOf([usage({ unknown: 1 })], priceOf('a/one', 0, 0))
    expect(free).toMatchObject({ inputTokens: null, usd: 0 })
  })

  it('has no latency where no call was timed', () => {
    expect(spentOf([usage({ seconds: 0 })], undefined)).toMatchObject({ latency: null, usd: null })
  })

  it('has the latency of the calls that were timed alone', () => {
    const runs = [usage({ seconds: 0 }), usage({ calls: 12, untimed: 7 }), usage({ calls: 5 })]
    expect(spentOf(runs, undefined)).toMatchObject({ calls: 27, latency: 4 })
    expect(spentOf([addUsages(runs)], undefined)).toMatchObject({ calls: 27, latency: 4 })
  })
})

describe('cost lines', () => {
  it("set a model's own answers apart from its judges' calls", () => {
    const lines = costLines([run()], PRICES)
    expect(lines.map(({ judge, deployment }) => [judge, deployment])).toEqual([
      [null, 'a/one'],
      ['gpt', 'j/gpt'],
    ])
    expect(lines.map(({ usd }) => usd)).toEqual([3, 1.005])
  })

  it('charge every reply at its longest for the ceiling', () => {
    const [answers, judge] = costLines([run()], PRICES)
    expect(answers?.ceiling).toBeCloseTo(2 + 10 * 0.05 * 10, 12)
    expect(judge?.ceiling).toBeCloseTo(1 + (3 * 4096 * 5) / 1e6, 12)
  })

  it('add up the runs of a benchmark, each with its own longest reply', () => {
    const lines = costLines([run(), run({ maxTokens: 10_000 })], PRICES)
    expect(lines).toHaveLength(2)
    expect(lines[0]?.usage.calls).toBe(20)
    expect(lines[0]?.ceiling).toBeCloseTo(4 + 5 + 1, 12)
  })

  it('stand in the order of their names, whatever order the runs come in', () => {
    const runs = [run({ deployment: 'b/two' }), run({ benchmark: 'codes' }), run()]
    const names = (of: readonly CostInput[]): readonly string[] =>
      costLines(of, PRICES).map(({ model, benchmark, judge }) => `${model} ${benchmark} ${judge ?? ''}`)
    expect(names(runs)).toEqual(names(runs.toReversed()))
    expect(names(runs)[0]).toBe('a/one codes ')
  })
})

describe('cost totals', () => {
  it('part the answers from the juries', () => {
    const [total] = costTotals(costLines([run()], PRICES), ({ model }) => model)
    expect(total).toMatchObject({ name: 'a/one', answers: 3, jury: 1.005 })
    expect(total?.usd).toBeCloseTo(4.005, 12)
  })

  it('are unknown where a part is', () => {
    const total = costTotal('all', costLines([run()], pricesOf(priceOf('a/one', 2, 10))))
    expect(total).toMatchObject({ answers: 3, jury: null, usd: null, ceiling: null })
    // Where a reply told no tokens its price tells no ceiling either.
    const [answers] = costLines([run({ usage: { ...usage({ unknown: 1 }), judges: {} } })], PRICES)
    expect(answers).toMatchObject({ usd: null, ceiling: null })
  })

  it('stand by name, however their lines do', () => {
    const lines = costLines([run(), run({ deployment: 'b/two', benchmark: 'codes' })], PRICES)
    expect(lines[0]?.benchmark).toBe('notes')
    expect(costTotals(lines, ({ benchmark }) => benchmark).map(({ name }) => name)).toEqual([
      'codes',
      'notes',
    ])
  })

  it('leave out lines without a name', () => {
    const totals = costTotals(costLines([run()], PRICES), ({ judge }) => judge ?? undefined)
    expect(totals).toMatchObject([{ name: 'gpt', answers: 0, jury: 1.005 }])
  })
})

describe('what answers of a row took', () => {
  it('is told of a thousand, where cost and number are known', () => {
    expect(usdPerThousand({ usd: 2, calls: 500 })).toBe(4)
    expect([usdPerThousand({ usd: null, calls: 5 }), usdPerThousand({ usd: 0, calls: 0 })]).toEqual([
      null,
      null,
    ])
    expect(usdPerThousand({ usd: 0, calls: 5 })).toBe(0)
  })

  it('adds up field by field', () => {
    const one = {
      calls: 1,
      unknown: 2,
      inputTokens: 3,
      cachedInputTokens: 4,
      outputTokens: 5,
      reasoningTokens: 6,
      seconds: 7,
    }
    expect(addUsages([one, one])).toEqual({
      calls: 2,
      unknown: 4,
      inputTokens: 6,
      cachedInputTokens: 8,
      outputTokens: 10,
      reasoningTokens: 12,
      seconds: 14,
    })
  })

  it('is that of the task’s own benchmarks', () => {
    const tasks = [{ benchmarks: ['notes'] }, { benchmarks: ['letters', 'notes'] }, { benchmarks: [] }]
    const runs = [
      { deployment: 'a/one', benchmark: 'notes', usage: usage() },
      { deployment: 'a/one', benchmark: 'letters', usage: usage({ calls: 30 }) },
      { deployment: 'b/two', benchmark: 'letters', usage: usage({ calls: 40 }) },
      { deployment: 'b/two', benchmark: 'notes', usage: undefined },
    ]
    const rows = ['a/one', 'b/two'].map((deployment) => ({ model: { deployment } }))
    const found = withTaskSpending(
      tasks as unknown as Parameters<typeof withTaskSpending>[0],
      { rows } as unknown as Parameters<typeof withTaskSpending>[1],
      runs,
      PRICES,
    ).map(({ spent }) => spent.map((each) => each && [each.calls, each.usd]))
    // A million tokens at 2 dollars and a tenth at 10, once and twice; a part of a sum is no sum.
    expect(found).toEqual([
      [[10, 3], null],
      [[40, 6], null],
      [null, null],
    ])
  })
})

describe('the report of what runs cost', () => {
  it('has the ceiling of all completions of a request, and counts a run of two suites once', () => {
    const target = madeUpTarget({
      instances: [],
      model: 'a/one',
      adapter: { maxTokens: 50_000, numOutputs: 2 },
    })
    const built = (suite: string): Built => ({
      suite,
      target,
      record: { usage: { ...usage(), judges: {} } } as unknown as Built['record'],
      digest: 'd' as Built['digest'],
    })
    const { lines, total } = costsReport([built('main'), built('other')], PRICES)
    // 1 M tokens read at 2, 10 calls of at most 2 × 50,000 tokens written at 10.
    expect(lines).toMatchObject([{ model: 'a/one', benchmark: 'letters', judge: null, usd: 3, ceiling: 12 }])
    expect(total).toMatchObject({ usage: { calls: 10 }, usd: 3, ceiling: 12 })
  })
})
