import type { Verb } from '../verb.ts'
import { ENTRY_FLAGS, FAILURES_FLAG, JSON_FLAG, OUTPUT_FLAG, SESSION_FLAGS } from '../common/shared-flags.ts'

export const report: Verb = {
  name: 'report',
  summary: "Write the leaderboard of what was run, as a site and as HELM's tables, and print it.",
  args: '[suites...]',
  flags: {
    ...ENTRY_FLAGS,
    ...OUTPUT_FLAG,
    '--site <folder>': ['where the site goes', '<output-path>/site'],
    '--leaderboard <file>':
      'show a leaderboard file (CSV) as a board instead, under <output-path>/leaderboards/',
    '--paper': 'with --leaderboard: the benchmarks of the MedHELM paper alone',
    '--history <folders...>': 'sites or releases of before, oldest first: a page says what moved, and why',
    ...FAILURES_FLAG,
    ...SESSION_FLAGS,
    ...JSON_FLAG,
  },
  examples: [
    'medmake report demo',
    'medmake report demo --site public --json',
    'medmake report main --history archive/2026-07 archive/2026-09',
    'medmake report --leaderboard leaderboard.csv',
  ],
  load: async () => (await import('./action.ts')).reportAction,
}
