import type { Verb } from '../verb.ts'
import { JSON_FLAG } from '../common/shared-flags.ts'

export const spend: Verb = {
  name: 'spend',
  summary: 'Say what was paid: every call of the ledger, by day, model, benchmark and judge.',
  flags: [
    { flags: '--by <side>', description: 'day, model, benchmark or judge', shownDefault: 'all four' },
    { flags: '--since <day>', description: 'from this day of UTC on, e.g. 2026-01-31' },
    { flags: '--store <folder>', description: 'the cache', shownDefault: 'cache/store' },
    JSON_FLAG,
    { flags: '--csv', description: 'print a row for each call' },
  ],
  examples: [
    'medmake spend',
    'medmake spend --by model --since 2026-01-01',
    'medmake spend --csv > calls.csv',
  ],
  load: async () => (await import('./action.ts')).spendAction,
}
