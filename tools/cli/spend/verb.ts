import type { Verb } from '../verb.ts'
import { JSON_FLAG } from '../common/shared-flags.ts'

export const spend: Verb = {
  name: 'spend',
  summary: 'Say what was paid: every call of the ledger, by day, model, benchmark and judge.',
  flags: {
    '--by <side>': ['day, model, benchmark or judge', 'all four'],
    '--since <day>': 'from this day of UTC on, e.g. 2026-01-31',
    '--store <folder>': ['the cache', 'medmake.yaml, else cache/store'],
    ...JSON_FLAG,
    '--csv': 'print a row for each call',
  },
  examples: [
    'medmake spend',
    'medmake spend --by model --since 2026-01-01',
    'medmake spend --csv > calls.csv',
  ],
  load: async () => (await import('./action.ts')).spendAction,
}
