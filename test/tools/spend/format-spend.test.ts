import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import type { PlacedEntry } from '../../../targets/spend/ledger.ts'
import { madeUpEntry } from '../../targets/spend/made-up-entry.ts'
import { csvSpend } from '../../../tools/spend/format-spend.ts'

const entry = (price: PlacedEntry['price'], usd: number): PlacedEntry => ({
  ...madeUpEntry({ price, usd }),
  usage: { inputTokens: 1000, cachedInputTokens: 400, outputTokens: 50, reasoningTokens: 20 },
  completion: 'c' as PlacedEntry['completion'],
})

test('A row of the ledger holds all that its cost is made of: cached tokens at their own price, or the full one.', () => {
  const rows = parse<Record<string, string>>(
    csvSpend([
      entry({ input: 3, cachedInput: 0.3, output: 15, date: '2026-01-01' }, 0.00267),
      entry({ input: 3, output: 15, date: '2026-01-01' }, 0.00375),
    ]),
    { columns: true },
  )
  const costs = rows.map((row) => {
    const [input = 0, cached = 0, output = 0, full = 0, reduced = 0, priceOut = 0] = [
      'input_tokens',
      'cached_input_tokens',
      'output_tokens',
      'price_input',
      'price_cached_input',
      'price_output',
    ].map((name) => Number(row[name]))
    return ((input - cached) * full + cached * reduced + output * priceOut) / 1e6
  })
  expect(costs).toEqual([0.00267, 0.00375])
  expect(rows.map(({ usd }) => Number(usd))).toEqual(costs)
})
