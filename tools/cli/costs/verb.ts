import type { Verb } from '../verb.ts'
import { ENTRY_FLAGS, FAILURES_FLAG, JSON_FLAG, SESSION_FLAGS } from '../common/shared-flags.ts'

export const costs: Verb = {
  name: 'costs',
  summary:
    'Show what built runs took: calls, tokens and dollars at list prices, per model, benchmark and judge.',
  args: '[suites...]',
  flags: {
    ...ENTRY_FLAGS,
    ...FAILURES_FLAG,
    ...SESSION_FLAGS,
    ...JSON_FLAG,
    '--csv': 'print a row for each model, benchmark and judge',
  },
  examples: ['medmake costs demo', 'medmake costs monthly --csv > costs.csv'],
  load: async () => (await import('./action.ts')).costsAction,
}
