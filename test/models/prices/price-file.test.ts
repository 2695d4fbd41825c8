import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { priceOf } from '../../../models/prices/price.ts'
import { loadRegistry } from '../../../models/registry/load.ts'
import type { ModelRegistry } from '../../../models/registry/registry.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'

const load = (files: Files): Promise<ModelRegistry> => {
  const workspace = createWorkspace(files)
  const catalog = join(packageRoot(), 'models/catalog')
  return loadRegistry({ catalog, workspace, localPath: join(workspace, 'prod_env') })
}

const price = (fields: string): string =>
  `prices:\n  - { deployment: a/one, date: 2026-02-03, source: x, ${fields} }\n`

const deployment = (name: string): string =>
  `  - { name: ${name}, client_spec: { class_name: medmake.chat, args: { base_url: "http://127.0.0.1:1/v1" } } }\n`

describe('prices of a workspace', () => {
  it('are read from any models file, with their date and source', async () => {
    const { prices } = await load({
      'models/mine.yaml': price(
        'input: 1, cached_input: 0.5, output: 2, batch_input: 0.25, batch_cached_input: 0.1, batch_output: 1',
      ),
    })
    expect(priceOf(prices, 'a/one')).toEqual({
      deployment: 'a/one',
      input: 1,
      cachedInput: 0.5,
      output: 2,
      batchInput: 0.25,
      batchCachedInput: 0.1,
      batchOutput: 1,
      date: '2026-02-03',
      source: 'x',
      file: 'models/mine.yaml',
    })
  })

  it('take the place of built-in ones', async () => {
    const { prices } = await load({
      'models/prices.yaml':
        'prices: [{ deployment: openai/gpt-5-2025-08-07, input: 7, output: 8, date: 2026-01-01, source: contract }]\n',
    })
    expect(priceOf(prices, 'openai/gpt-5-2025-08-07')).toMatchObject({
      input: 7,
      output: 8,
      source: 'contract',
    })
    expect(priceOf(prices, 'openai/gpt-5-2025-08-07')).not.toHaveProperty('cachedInput')
  })

  it('are unknown, not nothing, for a deployment without one', async () => {
    const { prices } = await load({ 'models/own.yaml': `model_deployments:\n${deployment('a/one')}` })
    expect(priceOf(prices, 'a/one')).toBeUndefined()
  })

  it('do not come from the catalog for a deployment that the workspace declares anew', async () => {
    const name = 'openai/gpt-5-2025-08-07'
    const { prices } = await load({ 'models/own.yaml': `model_deployments:\n${deployment(name)}` })
    expect(priceOf(prices, name)).toBeUndefined()
    const priced = await load({
      'models/a.yaml': `prices: [{ deployment: ${name}, input: 0, output: 0, date: 2026-01-01, source: ours }]\n`,
      'models/own.yaml': `model_deployments:\n${deployment(name)}`,
    })
    expect(priceOf(priced.prices, name)).toMatchObject({ input: 0, output: 0 })
  })

  it.each([
    ['input: -1, output: 2', 'models/bad-value', 'prices[0].input'],
    ['input: "1", output: 2', 'models/bad-value', 'prices[0].input'],
    ['input: 1', 'models/missing-key', 'prices[0].output'],
    ['input: 1, output: 2, cached: 1', 'models/unknown-key', 'prices[0].cached'],
  ])('are refused at their place: %s', async (fields, code, field) => {
    const problem = await problemOf(() => load({ 'models/prices.yaml': price(fields) }))
    expect(problem).toMatchObject({ code, where: { line: 2, field } })
  })

  it('are refused without a date or a source', async () => {
    const text = 'prices:\n  - { deployment: a/one, input: 1, output: 2, date: March, source: x }\n'
    const problem = await problemOf(() => load({ 'models/prices.yaml': text }))
    expect(problem).toMatchObject({ code: 'models/bad-value', where: { field: 'prices[0].date' } })
    expect(problem?.remedy).toContain('2026-01-31')
  })

  it('are refused twice in one file', async () => {
    const text = `${price('input: 1, output: 2')}${price('input: 3, output: 4').replace('prices:\n', '')}`
    const problem = await problemOf(() => load({ 'models/prices.yaml': text }))
    expect(problem).toMatchObject({ code: 'models/price-twice', where: { line: 3 } })
  })
})

/** Models and dollars of token-utilization-2025-06.csv: tokens in and out at their ceiling, and what was charged. */
const TABLE_3 = [
  ['claude-3-5-sonnet-20241022', 242_928_250, 728.77, 3_402_154, 51.05],
  ['claude-3-7-sonnet-20250219', 239_486_312, 718.45, 3_396_266, 50.96],
  ['deepseek-r1', 236_424_366, 319.17, 106_060_000, 572.72],
  ['gemini-1.5-pro-001', 274_243_307, 342.8, 3_396_352, 17.01],
  ['gemini-2.0-flash-001', 273_746_976, 41.08, 3_396_266, 2.02],
  ['gpt-4o-2024-05-13', 245_693_440, 614.26, 3_396_352, 33.94],
  ['gpt-4o-mini-2024-07-18', 245_693_440, 36.87, 3_396_352, 2.02],
  ['llama-3.3-70b-instruct', 239_863_007, 170.29, 3_396_352, 2.41],
  ['o3-mini-2025-01-31', 240_269_125, 288.32, 106_060_000, 513.33],
] as const

/** Of the same file: judges' tokens, each judge's alike, and what the three judges together were charged. */
const TABLE_3_JURY = [
  ['claude-3-5-sonnet-20241022', 19_850_691, 123.27, 26_017_792, 668.94],
  ['deepseek-r1', 41_011_120, 254.68, 27_353_088, 703.28],
  ['gpt-4o-2024-05-13', 16_005_932, 99.39, 25_923_584, 666.52],
] as const

const JUDGES = ['gpt-4o-2024-05-13', 'claude-3-7-sonnet-20250219', 'llama-3.3-70b-instruct']

describe('the built-in prices', async () => {
  const registry = await load({})
  const { prices } = registry

  it('are all of deployments that the catalog declares', () => {
    expect([...prices.keys()].filter((name) => registry.deployment(name) === undefined)).toEqual([])
  })

  it.each(TABLE_3)("give MedHELM's published dollars of %s", (model, inTokens, inUsd, outTokens, outUsd) => {
    const paper = priceOf(prices, `stanfordhealthcare/${model}`)
    // The table sums cents of single benchmarks, each rounded.
    expect(Math.abs(((paper?.input ?? NaN) * inTokens) / 1e6 - inUsd)).toBeLessThan(0.06)
    expect(Math.abs(((paper?.output ?? NaN) * outTokens) / 1e6 - outUsd)).toBeLessThan(0.06)
  })

  it.each(TABLE_3_JURY)(
    "give MedHELM's published dollars of the jury on %s",
    (_, inTokens, inUsd, outTokens, outUsd) => {
      const judges = JUDGES.map((judge) => priceOf(prices, `stanfordhealthcare/${judge}`))
      const sum = (of: 'input' | 'output'): number =>
        judges.reduce((total, judge) => total + (judge?.[of] ?? NaN), 0)
      expect(Math.abs((sum('input') * inTokens) / 1e6 - inUsd)).toBeLessThan(0.06)
      expect(Math.abs((sum('output') * outTokens) / 1e6 - outUsd)).toBeLessThan(0.06)
    },
  )

  it('state 0 for embedded models', () => {
    expect(priceOf(prices, 'baseline/lead')).toMatchObject({ input: 0, output: 0 })
  })

  it('give batches and cached prompts no more than the full price', () => {
    for (const { input, output, cachedInput = 0, batchInput = 0, batchOutput = 0 } of prices.values()) {
      expect(cachedInput).toBeLessThanOrEqual(input)
      expect(batchInput).toBeLessThanOrEqual(input)
      expect(batchOutput).toBeLessThanOrEqual(output)
    }
  })
})
