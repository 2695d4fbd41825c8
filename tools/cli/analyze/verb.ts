import type { Verb } from '../verb.ts'
import { ENTRY_FLAGS, FAILURES_FLAG, JSON_FLAG, SESSION_FLAGS } from '../common/shared-flags.ts'

export const analyze: Verb = {
  name: 'analyze',
  summary:
    "The MedHELM paper's analysis of suites or of a leaderboard file: win rates, means, detectable effects, gaps.",
  args: '[suites-or-files...]',
  flags: {
    '--table <name>':
      'only standings (Table 1), categories, subcategories, heatmap, mde (appendix E), subgroups or gaps between them',
    '--paper':
      "the MedHELM paper's Tables 1 to 3 and category ranges, from its public files: a leaderboard, costs, ratings",
    ...JSON_FLAG,
    '--csv': 'print the table with every digit; the standings unless --table names another',
    '--latex': 'print the table for booktabs, two digits',
    ...FAILURES_FLAG,
    ...ENTRY_FLAGS,
    ...SESSION_FLAGS,
  },
  examples: [
    'medmake analyze demo',
    'medmake analyze leaderboard.csv --table heatmap --csv',
    'medmake analyze leaderboard.csv costs.csv ratings.csv --paper',
  ],
  load: async () => (await import('./action.ts')).analyzeAction,
}
