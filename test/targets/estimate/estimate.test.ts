import { describe, expect, it } from 'vitest'
import type { Prices } from '../../../models/prices/price.ts'
import type { CallGroup } from '../../../targets/estimate/group-calls.ts'
import { estimate } from '../../../targets/estimate/estimate.ts'
import { History, type SpendSample } from '../../../targets/estimate/history.ts'

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
  cut: 0,
}
const samples = (count: number, over: Partial<SpendSample> = {}): readonly SpendSample[] =>
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
const of = (groups: readonly CallGroup[], seen: readonly SpendSample[], prices = PRICES) =>
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
    // Lengths that spread: the total to come could be more than all calls together may bring.
    const spread = Array.from({ length: 20 }, (_, at) =>
      samples(1, { outputTokens: at < 10 ? 1 : 10 }),
    ).flat()
    const [wide] = of([{ ...GROUP, outputBound: 100 }], spread).lines
    expect(wide?.outputTokens.high).toBe(100)
    const lengths = Array.from({ length: 100 }, (_, at) => samples(1, { outputTokens: at + 1 })).flat()
    expect(of([GROUP], lengths).lines[0]?.outputTokens).toMatchObject({ p50: 50, p95: 95 })
  })

  it('goes by replies that passed what their requests allow, as hidden reasoning does, but for a judge’s prompts', () => {
    const group = { ...GROUP, outputBound: 100 }
    const seen = [...samples(1, { overran: true }), ...samples(19)]
    const judge = {
      ...GROUP,
      deployment: 'judge',
      judge: 'judge',
      counted: 1000,
      withoutAnswer: 10,
      answerBound: 100,
    }
    const [line, judged] = of([group, judge], seen).lines
    expect(line?.outputTokens).toMatchObject({ low: 300, high: 300, p50: 30, p95: 30, ceiling: 300 })
    expect(judged?.inputTokens.high).toBe(1000 + 160 + 150)
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
    const other = { ...GROUP, target: 'other', deployment: 'judge' }
    const among = of([other, GROUP, judge], samples(20)).lines.find((each) => each.judge !== null)
    expect(among?.inputTokens).toEqual(line?.inputTokens)
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
    expect(of([GROUP, { ...GROUP, target: 'other', deployment: 'b' }], samples(20)).minutes).toBeNull()
  })

  it('adds up runs, names deployments in order, and takes the slowest for the time', () => {
    const prices: Prices = new Map(
      [...PRICES].map(([name, price]) => [name, { ...price, input: 2e6, output: 3e6 }]),
    )
    const judge = { ...GROUP, deployment: 'judge', judge: 'judge', model: 'b', calls: 4, outputBound: 40 }
    const seen = [
      ...samples(20),
      ...samples(20, { deployment: 'judge', judged: true, inputTokens: 50, outputTokens: 4, seconds: 30 }),
    ]
    const options = { history: new History(seen), prices, pace: () => ({ concurrency: 3 }) }
    const found = estimate(
      [judge, GROUP, { ...GROUP, target: 'idle', calls: 0, deployment: 'idle' }],
      options,
    )
    expect(found.lines.map(({ target, deployment }) => `${target} ${deployment}`)).toEqual([
      'run judge',
      'run a',
    ])
    expect(found.calls).toBe(14)
    expect(found.inputTokens).toEqual({ low: 1400, high: 1400, ceiling: 4640 + 4256 })
    expect(found.outputTokens).toEqual({ low: 316, high: 316, ceiling: 1040 })
    expect(found.usd).toEqual({
      low: 2 * 1400 + 3 * 316,
      high: 2 * 1400 + 3 * 316,
      ceiling: 2 * (4640 + 4256) + 3 * 1040,
    })
    expect(found.prices.map(({ deployment }) => deployment)).toEqual(['a', 'judge'])
    expect(found.unpriced).toEqual([])
    expect(found.times).toEqual([
      { deployment: 'a', calls: 10, minutes: { low: 8 / 60, high: 8 / 60 } },
      { deployment: 'judge', calls: 4, minutes: { low: 1, high: 1 } },
    ])
    expect(found.minutes).toEqual({ low: 1, high: 1 })
  })

  it('takes tokens a minute for the time where they bind, the most at the high end', () => {
    const pace = { concurrency: 5, tokensPerMinute: 100 }
    const slow = estimate([GROUP], { history: new History([]), prices: PRICES, pace: () => pace })
    expect(slow.minutes).toEqual({ low: 5.1, high: 30 })
  })

  it('widens what rests on other benchmarks, and adds the answers that a judge still lacks', () => {
    const judge: CallGroup = {
      ...GROUP,
      deployment: 'judge',
      judge: 'judge',
      calls: 10,
      withoutAnswer: 5,
      answerBound: 500,
    }
    const others = samples(20, { deployment: 'judge', judged: true, benchmark: 'b' })
    const [, line] = of([GROUP, judge], [...samples(20), ...others]).lines
    // Half of 300 tokens of answers, of another tokenizer; 900 tokens of input told, a quarter more or less.
    expect(line?.inputTokens.basis).toBe('deployment')
    expect(line?.inputTokens.low).toBeCloseTo(900 / 1.25 + 150 / 1.5, 9)
    expect(line?.inputTokens.high).toBeCloseTo(900 * 1.25 + 150 * 1.5, 9)
    expect(line?.inputTokens.ceiling).toBe(4640 + 750)
    const own = samples(20, { deployment: 'judge', judged: true, inputTokens: 70 })
    const [, known] = of([GROUP, judge], [...samples(20), ...own]).lines
    expect(known?.inputTokens).toMatchObject({ basis: 'benchmark', low: 700, high: 700 })
    const [, counted] = of([GROUP, { ...judge, counted: 600 }], [...samples(20), ...own]).lines
    expect(counted?.inputTokens).toMatchObject({ basis: 'benchmark', low: 700, high: 985 })
  })

  it('knows of the answers of a model without calls that they are no longer than they may be', () => {
    const judge: CallGroup = { ...GROUP, judge: 'judge', counted: 0, withoutAnswer: 10, answerBound: 100 }
    const alone = (deployment: string) => of([{ ...judge, deployment }], []).lines[0]?.inputTokens
    expect(alone('judge')).toMatchObject({ low: 0, high: 160 + 150, ceiling: 640 + 150, basis: 'stated' })
    // The same tokenizer as the model's own: nothing to allow for.
    const same = of(
      [
        { ...GROUP, calls: 0 },
        { ...judge, deployment: 'a' },
      ],
      [],
    ).lines[0]?.inputTokens
    expect(same).toMatchObject({ low: 0, high: 160 + 100, ceiling: 640 + 100 })
  })

  it('never says a ceiling that is below what it expects', () => {
    const dear = samples(20, { inputTokens: 5000 })
    expect(of([GROUP], dear).lines[0]?.inputTokens).toMatchObject({ low: 50000, high: 50000, ceiling: 50000 })
  })

  it('believes the tokenizer where the bill touches what it counts, at either end', () => {
    const basis = (counted: number): string | undefined =>
      of([{ ...GROUP, counted }], samples(20)).lines[0]?.inputTokens.basis
    // 900 tokens were told; the template adds up to 160 to what is counted.
    expect([739, 740, 900, 901].map(basis)).toEqual(['benchmark', 'tokenizer', 'tokenizer', 'benchmark'])
  })

  it('is nothing for nothing', () => {
    expect(of([{ ...GROUP, calls: 0 }], [])).toMatchObject({
      lines: [],
      calls: 0,
      usd: { low: 0, high: 0, ceiling: 0 },
    })
  })
})
