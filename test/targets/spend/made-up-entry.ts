import type { LedgerEntry } from '../../../targets/spend/ledger.ts'

/** A call of a model that was paid for. */
export const madeUpEntry = (own: Partial<LedgerEntry> = {}): LedgerEntry => ({
  time: '2026-03-04T10:00:00.000Z',
  run: 'r',
  target: 't',
  benchmark: 'wards',
  model: 'a/m',
  deployment: 'a/m',
  judge: null,
  stage: 'completions',
  batch: false,
  outcome: 'paid',
  promptBytes: 4,
  seconds: 1,
  usage: { inputTokens: 10, outputTokens: 3 },
  price: null,
  usd: 2,
  ceiling: 4,
  ...own,
})
