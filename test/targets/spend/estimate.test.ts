import { describe, expect, it } from 'vitest'
import type { Prices } from '../../../models/prices/price.ts'
import type { CallGroup } from '../../../targets/spend/call-group.ts'
import { estimate } from '../../../targets/spend/estimate.ts'
import { History, type Sample } from '../../../targets/spend/history.ts'

const PRICES: Prices = new Map(
  ['a', 'judge'].map((deployment) => [
    deployment,
    { deployment, input: 1e6, output: 1e6, date: '2026-01-01', source: 'x', file: 'x' },
  ]),
)
const GROUP: CallGroup = {
  target: 'run',
  benchmark: 'notes',
  model: 'a',
  deployment: 'a',
  judge: null,
  calls: 10,
  promptBytes: 4000,
  counted: null,
  outputBound: 1000,
  withoutAnswer: 0,
  answerBound: 0,
}
const samples = (count: number, over: Partial<Sample> = {}): readonly Sample[] =>
  Array.from({ length: count }, () => ({
    deployment: 'a',
    benchmark: 'notes',
    judged: false,
    promptBytes: 400,
    inputTokens: 90,
    outputTokens: 30,
    seconds: 2,
    ...over,
  }))
const of = (groups: readonly CallGroup[], seen: readonly Sample[], prices = PRICES) =>
  estimate(groups, { history: new History(seen), prices, pace: () => ({ concurrency: 5 }) })

describe('estimate', () => {
  it('says where it has nothing to go by, and takes replies for anything up to max_tokens', () => {
    const [line] = of([GROUP], samples(19)).lines
    expect(line?.outputTokens).toMatchObject({ basis: 'stated', low: 10, high: 1000, p50: 25, p95: 100 })
    expect(line?.inputTokens).toMatchObject({ basis: 'stated', low: 500, high: 2000, ceiling: 4640 })
  })

  it('goes by twenty replies to the same benchmark', () => {
    const [line] = of([GROUP], samples(20)).lines
    expect(line?.outputTokens).toMatchObject({
      basis: 'benchmark',
      samples: 20,
      low: 300,
      high: 300,
      p50: 30,
    })
    expect(line?.inputTokens).toMatchObject({ basis: 'benchmark', low: 900, high: 900 })
    expect(line?.usd).toEqual({ low: 1200, high: 1200, ceiling: 5640 })
  })

  it('goes by other benchmarks, and says so, before it guesses', () => {
    const seen = [...samples(15, { benchmark: 'b' }), ...samples(15, { benchmark: 'c', outputTokens: 5 })]
    const [line] = of([GROUP], seen).lines
    expect(line?.outputTokens).toMatchObject({ basis: 'deployment', low: 50, high: 300 })
  })

  it('never takes a judge’s replies for answers', () => {
    expect(of([GROUP], samples(50, { judged: true })).lines[0]?.outputTokens.basis).toBe('stated')
  })

  it('takes no reply for longer than the request allows', () => {
    const [line] = of([{ ...GROUP, outputBound: 100 }], samples(20)).lines
    expect(line?.outputTokens).toMatchObject({ high: 100, p95: 10 })
  })

  it('counts by the tokenizer where nothing says otherwise', () => {
    const [line] = of([{ ...GROUP, counted: 850 }], []).lines
    expect(line?.inputTokens).toMatchObject({ basis: 'tokenizer', low: 850, high: 850 + 160 })
  })

  it('believes the provider’s bill where it counts otherwise than the tokenizer', () => {
    const [line] = of([{ ...GROUP, counted: 300 }], samples(20)).lines
    expect(line?.inputTokens).toMatchObject({ basis: 'benchmark', low: 900, high: 900 })
  })

  it('adds the answers’ expected lengths to a judge’s prompts', () => {
    const judge: CallGroup = {
      ...GROUP,
      deployment: 'judge',
      judge: 'judge',
      counted: 1000,
      withoutAnswer: 10,
      answerBound: 1000,
    }
    const line = of([GROUP, judge], samples(20)).lines.find((each) => each.judge !== null)
    // 300 tokens of the model's own are 200 to 450 of another tokenizer's.
    expect(line?.inputTokens.low).toBeCloseTo(1200, 9)
    expect(line?.inputTokens.high).toBeCloseTo(1160 + 450, 9)
  })

  it('knows no sum where a price is missing, and says whose', () => {
    const found = of([GROUP, { ...GROUP, target: 'other', deployment: 'new' }], [])
    expect(found.usd).toBeNull()
    expect(found.unpriced).toEqual(['new'])
    expect(found.lines[0]?.usd).not.toBeNull()
  })

  it('takes the longest of latency and limits for the time', () => {
    const pace = { concurrency: 5, requestsPerMinute: 2, tokensPerMinute: 1e6 }
    const slow = estimate([GROUP], { history: new History(samples(20)), prices: PRICES, pace: () => pace })
    expect(slow.minutes).toEqual({ low: 5, high: 5 })
    expect(of([GROUP], samples(20)).minutes?.low).toBeCloseTo((2 * 2) / 60, 9)
    expect(of([GROUP], []).minutes).toBeNull()
  })

  it('is nothing for nothing', () => {
    expect(of([{ ...GROUP, calls: 0 }], [])).toMatchObject({
      lines: [],
      calls: 0,
      usd: { low: 0, high: 0, ceiling: 0 },
    })
  })
})
