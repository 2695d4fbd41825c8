import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import type { EstimateLine } from '../../../targets/estimate/estimate.ts'
import type { TargetsEstimate } from '../../../targets/estimate/estimate-targets.ts'
import { csvEstimate, formatEstimate, unreadLines } from '../../../tools/spend/format-estimate.ts'
import { priceOf } from '../../rig/model-calls.ts'

const LINE: EstimateLine = {
  target: 'notes:model=m',
  benchmark: 'notes',
  model: 'm/a',
  deployment: 'm/a',
  judge: null,
  calls: 1200,
  withoutAnswer: 0,
  cut: 0,
  inputTokens: { low: 1000, high: 2000, ceiling: 3000, basis: 'tokenizer' },
  outputTokens: { low: 400, high: 500, ceiling: 600, p50: 7, p95: 9, basis: 'benchmark', samples: 20 },
  usd: { low: 1, high: 2, ceiling: 3 },
}

const JUDGE: EstimateLine = {
  ...LINE,
  deployment: 'j/gpt',
  judge: 'gpt',
  withoutAnswer: 1,
  inputTokens: { low: 50, high: 50, ceiling: 60, basis: 'deployment' },
  outputTokens: { low: 4, high: 5, ceiling: 6, p50: 1, p95: 2, basis: 'stated', samples: 0 },
  usd: null,
}

const estimate = (changes: Partial<TargetsEstimate> = {}): TargetsEstimate => ({
  lines: [LINE],
  calls: 1200,
  inputTokens: { low: 1000, high: 2000, ceiling: 3000 },
  outputTokens: { low: 400, high: 500, ceiling: 600 },
  usd: { low: 1, high: 2, ceiling: 3 },
  unpriced: [],
  times: [{ deployment: 'm/a', calls: 1200, minutes: { low: 2, high: 4 } }],
  minutes: { low: 2, high: 4 },
  prices: [priceOf('m/a', 1, 3)],
  targets: 5,
  fresh: 2,
  sent: 0,
  unread: [],
  ...changes,
})

describe('an estimate as text', () => {
  it('tells tokens, a reply’s length, dollars from lowest to highest, and the most, run by run', () => {
    const text = formatEstimate(estimate())
    const dollars = '1\\.00 – 2\\.00 +3\\.00'
    expect(text).toMatch(/^5 targets: 2 fresh, 3 to build; 1,200 calls to pay for$/m)
    expect(text).toMatch(
      new RegExp(`^notes:model=m +1,200 +1,000 – 2,000 +400 – 500 +7 / 9 +${dollars}$`, 'm'),
    )
    expect(text).toMatch(new RegExp(`^all +1,200 +1,000 – 2,000 +400 – 500 +${dollars}$`, 'm'))
    expect(text).toContain('Minutes: 2 – 4, at the known limits')
    expect(text).toContain('  m/a: 1,200 calls, 2 – 4 min')
    expect(text).toContain('  m/a: 1 in, 3 out, 2026-01-01, contract')
    expect(text).not.toMatch(/\*|Judges’ prompts|too long|No price/)
  })

  it('marks what rests on other replies or on none, and says that judges’ prompts lack their answers', () => {
    const text = formatEstimate(
      estimate({ lines: [LINE, JUDGE], usd: null, unpriced: ['j/gpt'], minutes: null, sent: 3 }),
    )
    expect(text).toMatch(/^notes:model=m +gpt +1,200 +50\* +4 – 5\*\* +1 \/ 2 +unknown +unknown$/m)
    expect(text).toMatch(/^\* {2}from the same deployment’s replies/m)
    expect(text).toMatch(/^\*\* no replies to judge by/m)
    expect(text).toMatch(/^all .* unknown +unknown$/m)
    expect(text).toContain('Judges’ prompts are taken with the answers’ expected lengths.')
    expect(text).toContain('to pay for, beside 3 that batches have')
    expect(text).toContain('Minutes: unknown')
    expect(text).toContain('No price is declared for j/gpt')
  })

  it('counts runs whose data can’t be read as neither fresh nor to build, and tells each reason once', () => {
    const unread = ['a', 'b'].map((run) => ({ run, code: 'data/missing', reason: 'no file' }))
    const one = estimate({ unread, calls: 1, lines: [{ ...LINE, cut: 1 }], times: [] })
    expect(formatEstimate(one)).toContain('5 targets: 2 fresh, 1 to build; 1 call to pay for')
    expect(formatEstimate(one)).toMatch(
      /notes:model=m: 1 of 1.200 prompts is too long for m\/a and sent without its end/,
    )
    expect(unreadLines(one)).toEqual(['Not estimated: a and 1 more: no file [data/missing]'])
    expect(formatEstimate(estimate({ lines: [], calls: 0 }))).not.toContain('\n')
  })
})

it('A row of an estimate holds each bound under its own name, and nothing for dollars that are not known.', () => {
  const [own, judge] = parse<Record<string, string>>(csvEstimate(estimate({ lines: [LINE, JUDGE] })), {
    columns: true,
  })
  expect(own).toEqual({
    run: 'notes:model=m',
    benchmark: 'notes',
    model: 'm/a',
    judge: '',
    deployment: 'm/a',
    calls: '1200',
    input_tokens_low: '1000',
    input_tokens_high: '2000',
    input_tokens_ceiling: '3000',
    input_basis: 'tokenizer',
    output_tokens_low: '400',
    output_tokens_high: '500',
    output_tokens_ceiling: '600',
    output_tokens_p50: '7',
    output_tokens_p95: '9',
    output_basis: 'benchmark',
    replies_known: '20',
    usd_low: '1',
    usd_high: '2',
    usd_ceiling: '3',
  })
  expect(judge).toMatchObject({
    judge: 'gpt',
    deployment: 'j/gpt',
    usd_low: '',
    usd_high: '',
    usd_ceiling: '',
  })
})
