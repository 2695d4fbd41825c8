import { expect, it } from 'vitest'
import { givenRows } from '../../../benchmarks/sources/given/given-table.ts'
import type { ModelRegistry } from '../../../models/registry/registry.ts'
import { isCosts, paperCosts } from '../../../tools/analysis/costs-file.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { priceOf } from '../../rig/model-calls.ts'

const HEAD =
  'Model,Benchmark,Total Input Tokens,Total Output Tokens,Total Judge Input Tokens,Total Judge Output Tokens'
const table = (...rows: readonly string[]) =>
  givenRows(Buffer.from([HEAD, ...rows, ''].join('\n')), 'costs.csv').table

const registry = (...names: readonly string[]): ModelRegistry => {
  const prices = names.map((name, index) => priceOf(name, index + 1, 10 * (index + 1)))
  return { prices: new Map(prices.map((price) => [price.deployment, price])) } as unknown as ModelRegistry
}
const JUDGES = ['gpt-4o-2024-05-13', 'llama-3.3-70b-instruct', 'claude-3-7-sonnet-20250219']
const HOSTED = JUDGES.map((judge) => `stanfordhealthcare/${judge}`)

it('The paper’s costs are those of its benchmarks, at its host’s prices, with three judges who read and write alike.', () => {
  const rows = table(
    'GPT-4o (2024-05-13),ACI-Bench,"1,000,000","200,000",400000,"50,000"',
    'GPT-4o (2024-05-13),MedQA,7,7,7,7',
    'GPT-4o (2024-05-13),Med-MCQA,7,7,7,7',
    'Unknown,N2C2-CT,5,6,0,0',
  )
  const [own, unknown] = paperCosts(rows, registry(...HOSTED, 'elsewhere/unknown'))
  expect(own).toEqual({
    model: 'GPT-4o (2024-05-13)',
    benchmarks: 1,
    inputTokens: 1_000_000,
    outputTokens: 200_000,
    benchmarkTokens: 1_200_000,
    juryTokens: 450_000,
    benchmarkUsd: 1 + 0.2 * 10,
    // At 1, 2 and 3 USD a million read, ten times as much written.
    juryUsd: expect.closeTo(6 * 0.4 + 60 * 0.05, 12),
    totalUsd: expect.closeTo(3 + 5.4, 12),
  })
  expect(unknown).toMatchObject({ model: 'Unknown', benchmarkUsd: null, totalUsd: null })
  // A judge without a price leaves the jury's costs unknown.
  expect(paperCosts(rows, registry(...HOSTED.slice(0, 2)))[0]).toMatchObject({
    benchmarkUsd: 3,
    juryUsd: null,
  })
})

it('A file of costs is known by all its columns, and a count that is no whole number is refused at its place.', async () => {
  expect(isCosts(table('m,b,1,1,1,1'))).toBe(true)
  expect(isCosts(givenRows(Buffer.from('Model,Benchmark,Total Input Tokens\nm,b,1\n'), 'x.csv').table)).toBe(
    false,
  )
  for (const text of ['1.5', '"1,00"', '-1', 'many', ''])
    expect(
      await problemOf(() => paperCosts(table('m,b,1,1,1,1', `m,c,1,${text},1,1`), registry())),
    ).toMatchObject({
      code: 'analysis/not-a-number',
      where: { line: 3, row: 2, field: 'Total Output Tokens' },
    })
})
