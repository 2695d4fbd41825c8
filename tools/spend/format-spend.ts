import { countText } from './count-text.ts'
import { csvText } from '../compare/csv.ts'
import { alignedTable } from '../compare/tables.ts'
import type { PlacedEntry } from '../../targets/spend/ledger.ts'
import { spendBy, spendTotal, type SpendSide, type SpendTotal } from '../../targets/spend/spend-table.ts'
import { usdOrUnknown, usdText } from './money-text.ts'

const HEADS = ['calls', 'tokens in', 'tokens out', 'USD', 'of unknown cost', 'no reply', 'may cost more, USD']

const row = (total: SpendTotal): readonly string[] => [
  total.name,
  countText(total.calls),
  countText(total.inputTokens),
  countText(total.outputTokens),
  usdText(total.usd),
  countText(total.unknownCalls),
  countText(total.uncertainAttempts),
  usdOrUnknown(total.uncertainUsd),
]

/** A table for each side that is asked for, with the sum of all. */
export const formatSpend = (entries: readonly PlacedEntry[], sides: readonly SpendSide[]): string => {
  if (entries.length === 0) return 'The ledger holds no paid call.'
  const all = spendTotal('all', entries)
  const tables = sides.flatMap((side) => {
    const totals = spendBy(side, entries)
    const judges = entries.filter(({ judge }) => judge !== null)
    const sum = side === 'judge' ? spendTotal('all', judges) : all
    return totals.length === 0 ? [] : [alignedTable([side, ...HEADS], [...totals, sum].map(row))]
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

/** A row an entry. */
export const csvSpend = (entries: readonly PlacedEntry[]): string =>
  csvText(
    [
      'time',
      'invocation',
      'run',
      'benchmark',
      'model',
      'judge',
      'deployment',
      'stage',
      'batch',
      'outcome',
      'input_tokens',
      'cached_input_tokens',
      'output_tokens',
      'reasoning_tokens',
      'seconds',
      'price_input',
      'price_output',
      'price_date',
      'usd',
      'usd_ceiling',
      'completion',
    ],
    entries
      .toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : a.completion < b.completion ? -1 : 1))
      .map((entry) => [
        entry.time,
        entry.run,
        entry.target,
        entry.benchmark,
        entry.model,
        entry.judge,
        entry.deployment,
        entry.stage,
        String(entry.batch),
        entry.outcome,
        entry.usage?.inputTokens ?? null,
        entry.usage?.cachedInputTokens ?? null,
        entry.usage?.outputTokens ?? null,
        entry.usage?.reasoningTokens ?? null,
        entry.seconds,
        entry.price?.input ?? null,
        entry.price?.output ?? null,
        entry.price?.date ?? null,
        entry.usd,
        entry.ceiling,
        entry.completion,
      ]),
  )
