import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import type { PlacedEntry } from '../../../targets/spend/ledger.ts'
import { madeUpEntry } from '../../targets/spend/made-up-entry.ts'
import { csvSpend, formatSpend } from '../../../tools/spend/format-spend.ts'

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

test('Rows of the ledger are in the order of their calls, those of one moment by their replies.', () => {
  const at = (time: string, completion: string): PlacedEntry => ({
    ...madeUpEntry({ time: `2026-03-04T${time}:00.000Z` }),
    completion: completion as PlacedEntry['completion'],
  })
  const given = [at('12:00', 'd'), at('10:00', 'c'), at('10:00', 'b'), at('09:00', 'e')]
  for (const entries of [given, given.toReversed()]) {
    const rows = parse<Record<string, string>>(csvSpend(entries), { columns: true })
    expect(rows.map(({ completion }) => completion)).toEqual(['e', 'b', 'c', 'd'])
  }
})

test('What was spent stands by model and judge with the sum of each, and what may be charged beside it.', () => {
  const placed = (own: Parameters<typeof madeUpEntry>[0]): PlacedEntry => ({
    ...madeUpEntry(own),
    completion: 'c' as PlacedEntry['completion'],
  })
  const paid = [placed({}), placed({ model: 'b/m', usd: 1 }), placed({ judge: 'gpt', usd: 0.5 })]
  const text = formatSpend(paid, ['model', 'judge'])
  expect(text).toMatch(/^a\/m +2 +20 +6 +2\.50 +0 +0 +0$/m)
  expect(text).toMatch(/^b\/m +1 +10 +3 +1\.00 /m)
  expect(text.match(/^all +.*$/gm)?.map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    'all 3 30 9 3.50 0 0 0',
    'all 1 10 3 0.50 0 0 0',
  ])
  expect(text).not.toContain('no reply: attempts')
  const lost = placed({ outcome: 'uncertain', usd: null, ceiling: 4 })
  expect(formatSpend([...paid, lost], ['model'])).toMatch(/^a\/m +2 +30 +9 +2\.50 +0 +1 +4\.00$/m)
  expect(formatSpend([...paid, lost], ['model'])).toContain('no reply: attempts that timed out')
  expect(formatSpend([], ['model'])).toBe('The ledger holds no paid call.')
  expect(formatSpend([placed({})], ['judge'])).toMatch(/^Days are UTC/)
})
