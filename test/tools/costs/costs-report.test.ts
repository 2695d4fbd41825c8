import { describe, expect, test } from 'vitest'
import type { Built } from '../../../targets/runs/board-metric.ts'
import { judgeRequest } from '../../../targets/stages/judge.ts'
import { costsReport } from '../../../targets/board/cost-table.ts'
import { csvCosts, formatCosts, unknownText } from '../../../tools/costs/format-costs.ts'
import { priceOf, usageOf } from '../../rig/model-calls.ts'

const usage = (calls: number, inputTokens: number, more: object = {}) =>
  usageOf({ calls, inputTokens, outputTokens: 1e6, reasoningTokens: 5, seconds: 3, ...more })

const run = (
  name: string,
  deployment: string,
  judges: object = {},
  {
    body = {},
    grading,
    ...more
  }: { readonly body?: object; readonly grading?: object; [field: string]: unknown } = {},
): Built =>
  ({
    digest: `digest of ${name}`,
    name: 'alike',
    target: {
      spec: {
        benchmark: { name: 'notes', jury: { grading } },
        adapter: { modelDeployment: deployment, maxTokens: 100, numOutputs: 2 },
      },
      deployment: { client: { args: { body } } },
      judges: Object.keys(judges).map((judge) => ({
        judge: { name: judge },
        deployment: { client: { args: { body } } },
      })),
    },
    record: { usage: { ...usage(10, 2e6, more), judges } },
  }) as unknown as Built

const PRICES = new Map(
  [priceOf('m/b', 1, 0), priceOf('m/a', 2, 10), priceOf('j/gpt', 0, 5), priceOf('idle', 9, 9)].map((each) => [
    each.deployment,
    each,
  ]),
)

const judged = { gpt: { ...usage(3, 1e6), deployment: 'j/gpt' } }

describe('the costs of runs', () => {
  test('count a run once that several suites share, and a judge’s calls as a judge’s alone', () => {
    const shared = run('a', 'm/a', judged)
    const report = costsReport([shared, shared, run('b', 'm/b')], PRICES)
    expect(report.models.map(({ name, answers, jury, usd }) => [name, answers, jury, usd])).toEqual([
      ['m/a', 14, 5, 19],
      ['m/b', 2, 0, 2],
    ])
    expect(report.judges.map(({ name, usd }) => [name, usd])).toEqual([['gpt', 5]])
    expect(report.total.usd).toBe(21)
    expect(report.prices.map(({ deployment }) => deployment)).toEqual(['j/gpt', 'm/a', 'm/b'])
    expect(report.unpriced).toEqual([])
  })

  test('take every output of a request at its longest for the ceiling', () => {
    const [own, jury] = costsReport([run('a', 'm/a', judged)], PRICES).lines
    // 2 M tokens read, 10 calls of two outputs of 100 tokens
    expect(own?.ceiling).toBeCloseTo(4 + (10 * 2 * 100 * 10) / 1e6, 12)
    expect(jury?.ceiling).toBeCloseTo((3 * judgeRequest('').maxTokens * 5) / 1e6, 12)
  })

  test('take what a deployment’s own limit lets a reply be, and what a grader of items may say', () => {
    const [own, jury] = costsReport(
      [run('a', 'm/a', judged, { body: { max_completion_tokens: 9000 } })],
      PRICES,
    ).lines
    expect(own?.ceiling).toBeCloseTo(4 + (10 * 2 * 9000 * 10) / 1e6, 12)
    expect(jury?.ceiling).toBeCloseTo((3 * 9000 * 5) / 1e6, 12)
    const graded = costsReport([run('a', 'm/a', judged, { grading: { style: 'health-bench' } })], PRICES)
    expect(graded.lines[1]?.ceiling).toBeCloseTo((3 * 2048 * 5) / 1e6, 12)
  })

  test('name deployments that were asked and have no price, and those that told no tokens', () => {
    const report = costsReport(
      [run('a', 'z/new'), run('b', 'b/new'), run('c', 'm/a', {}, { unknown: 4 })],
      PRICES,
    )
    expect(report.unpriced).toEqual(['b/new', 'z/new'])
    expect(unknownText(report)).toEqual([
      'No price is declared for b/new, z/new: add it to prices: in models/prices.yaml.',
      'm/a told no token counts for 4 of its replies: what they cost is not known.',
    ])
  })

  test('are told in columns, the total below the models, and prices of what is paid for', () => {
    const report = costsReport([run('a', 'm/a', judged, { cachedInputTokens: 1e6 }), run('b', 'm/b')], PRICES)
    const text = formatCosts(report)
    const [models = '', benchmarks = '', judges = ''] = text.split('\n\n')
    // 1 M read anew and 1 M from the cache, which has no price of its own
    expect(models).toMatch(/^m\/a +13 +3,000,000 +1,000,000 +2,000,000 +14\.00 +5\.00 +19\.00 +4\.08$/m)
    expect(models).toMatch(/^all +23 +5,000,000 +1,000,000 +3,000,000 +16\.00 +5\.00 +21\.00 +6\.08$/m)
    expect(benchmarks).toMatch(/^notes +23 /m)
    expect(judges).toMatch(/^gpt +3 .* 0\.00 +5\.00 +5\.00 /m)
    expect(text).toContain('j/gpt: 0 in, 5 out per million tokens, 2026-01-01, contract')
    expect(formatCosts(costsReport([run('b', 'm/b')], PRICES))).not.toMatch(/^judge /m)
    const [head, first] = csvCosts(report).split('\n')
    expect(head).toBe(
      'model,benchmark,judge,deployment,calls,calls_without_usage,input_tokens,cached_input_tokens,output_tokens,reasoning_tokens,seconds,usd,usd_at_max_tokens',
    )
    expect(first).toBe('m/a,notes,,m/a,10,0,2000000,1000000,1000000,5,3,14,4.02')
  })

  test('show a cent and nothing as they are, and less than a cent as that', () => {
    const at = (input: number): string =>
      formatCosts(costsReport([run('a', 'm/a')], new Map([['m/a', priceOf('m/a', input, 0)]])))
    expect(at(0.005)).toMatch(/^m\/a .* 0\.01 +0\.00 +0\.01 /m)
    expect(at(0.0049)).toMatch(/^m\/a .* < 0\.01 +0\.00 +< 0\.01 /m)
    expect(at(0)).toMatch(/^m\/a .* 0\.00 +0\.00 +0\.00 /m)
    expect(at(0)).not.toContain('Prices in US dollars')
  })
})
