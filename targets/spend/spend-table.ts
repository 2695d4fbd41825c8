import { compareCodePoints } from '../../benchmarks/python/text.ts'
import { groupBy, sumOver } from '../../cache/lists.ts'
import type { LedgerEntry } from './ledger.ts'

/** Sums of ledger entries. */
export interface SpendTotal {
  readonly name: string
  /** Replies that were paid for. */
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** US dollars of the calls whose cost is known. */
  readonly usd: number
  /** Calls whose price or usage nobody told. */
  readonly unknownCalls: number
  /** Attempts without a reply that may be charged for. */
  readonly uncertainAttempts: number
  /** The most that these calls and attempts may cost beside `usd`; null where a price is missing. */
  readonly uncertainUsd: number | null
}

export const SPEND_SIDES = ['day', 'model', 'benchmark', 'judge'] as const
export type SpendSide = (typeof SPEND_SIDES)[number]

/** `model`: what its evaluation took, its judges' calls included. `judge`: judges' calls alone. */
const SIDE_OF: Readonly<Record<SpendSide, (entry: LedgerEntry) => string | undefined>> = {
  day: ({ time }) => time.slice(0, 10),
  model: ({ model }) => model,
  benchmark: ({ benchmark }) => benchmark,
  judge: ({ judge }) => judge ?? undefined,
}

/** A total for each name on that side, by name. */
export const spendBy = (side: SpendSide, entries: readonly LedgerEntry[]): readonly SpendTotal[] =>
  [...groupBy(entries, SIDE_OF[side])]
    .map(([name, own]) => spendTotal(name, own))
    .sort((a, b) => compareCodePoints(a.name, b.name))

export const spendTotal = (name: string, entries: readonly LedgerEntry[]): SpendTotal => {
  const paid = entries.filter(({ outcome }) => outcome === 'paid')
  const unknown = entries.filter(({ usd }) => usd === null)
  const sum = sumOver(entries)
  return {
    name,
    calls: paid.length,
    inputTokens: sum(({ usage }) => usage?.inputTokens),
    outputTokens: sum(({ usage }) => usage?.outputTokens),
    usd: sum(({ usd }) => usd ?? 0),
    unknownCalls: paid.filter(({ usd }) => usd === null).length,
    uncertainAttempts: entries.length - paid.length,
    uncertainUsd: unknown.some(({ ceiling }) => ceiling === null)
      ? null
      : unknown.reduce((total, { ceiling }) => total + (ceiling ?? 0), 0),
  }
}
