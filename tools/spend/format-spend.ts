import { countText } from '../../cache/words/number-text.ts'
import { csvText } from '../../cache/words/csv-text.ts'
import { alignedTable, tabulated, type TextColumns } from '../../cache/words/tables.ts'
import type { PlacedEntry } from '../../targets/spend/ledger.ts'
import { spendBy, spendTotal, type SpendSide, type SpendTotal } from '../../targets/spend/spend-table.ts'
import { usdOrUnknown, usdText } from './money-text.ts'

const COLUMNS: TextColumns<SpendTotal> = [
  ['calls', ({ calls }) => countText(calls)],
  ['tokens in', ({ inputTokens }) => countText(inputTokens)],
  ['tokens out', ({ outputTokens }) => countText(outputTokens)],
  ['USD', ({ usd }) => usdText(usd)],
  ['of unknown cost', ({ unknownCalls }) => countText(unknownCalls)],
  ['no reply', ({ uncertainAttempts }) => countText(uncertainAttempts)],
  ['may cost more, USD', ({ uncertainUsd }) => usdOrUnknown(uncertainUsd)],
]

/** A table for each side that is asked for, with the sum of all. */
export const formatSpend = (entries: readonly PlacedEntry[], sides: readonly SpendSide[]): string => {
  if (entries.length === 0) return 'The ledger holds no paid call.'
  const all = spendTotal('all', entries)
  const tables = sides.flatMap((side) => {
    const totals = spendBy(side, entries)
    const judges = entries.filter(({ judge }) => judge !== null)
    const sum = side === 'judge' ? spendTotal('all', judges) : all
    return totals.length === 0
      ? []
      : [alignedTable(...tabulated([[side, ({ name }) => name], ...COLUMNS], [...totals, sum]))]
  })
  return [
    ...tables,
    [
      'Days are UTC. Prices are those of the day of the call, as the price files told them then.',
      ...(all.uncertainAttempts > 0
        ? ['no reply: attempts that timed out or broke off; a provider may charge for them all the same.']
        : []),
    ].join('\n'),
  ].join('\n\n')
}

export const spendJson = (entries: readonly PlacedEntry[], sides: readonly SpendSide[]): object => ({
  ...Object.fromEntries(sides.map((side) => [side, spendBy(side, entries)])),
  total: spendTotal('all', entries),
})

const CSV: TextColumns<PlacedEntry, string | number | null> = [
  ['time', (entry) => entry.time],
  ['invocation', (entry) => entry.run],
  ['run', (entry) => entry.target],
  ['benchmark', (entry) => entry.benchmark],
  ['model', (entry) => entry.model],
  ['judge', (entry) => entry.judge],
  ['deployment', (entry) => entry.deployment],
  ['stage', (entry) => entry.stage],
  ['batch', (entry) => String(entry.batch)],
  ['outcome', (entry) => entry.outcome],
  ['input_tokens', (entry) => entry.usage?.inputTokens ?? null],
  ['cached_input_tokens', (entry) => entry.usage?.cachedInputTokens ?? null],
  ['output_tokens', (entry) => entry.usage?.outputTokens ?? null],
  ['reasoning_tokens', (entry) => entry.usage?.reasoningTokens ?? null],
  ['seconds', (entry) => entry.seconds],
  ['price_input', (entry) => entry.price?.input ?? null],
  ['price_cached_input', (entry) => entry.price?.cachedInput ?? entry.price?.input ?? null],
  ['price_output', (entry) => entry.price?.output ?? null],
  ['price_date', (entry) => entry.price?.date ?? null],
  ['usd', (entry) => entry.usd],
  ['usd_ceiling', (entry) => entry.ceiling],
  ['completion', (entry) => entry.completion],
]

export const csvSpend = (entries: readonly PlacedEntry[]): string =>
  csvText(
    ...tabulated(
      CSV,
      entries.toSorted((a, b) =>
        a.time < b.time ? -1 : a.time > b.time ? 1 : a.completion < b.completion ? -1 : 1,
      ),
    ),
  )
