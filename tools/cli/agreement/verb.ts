import type { Verb } from '../verb.ts'
import { FAILURES_FLAG, JSON_FLAG, SESSION_FLAGS } from '../common/shared-flags.ts'

export const agreement: Verb = {
  name: 'agreement',
  summary: 'Measure how a jury and other metrics agree with clinicians, and clinicians with each other.',
  args: '[ratings-or-suites...]',
  flags: {
    '--study <name>': 'only what was rated or imported in this study',
    '--suite <name>':
      "take the jury's scores, ROUGE, BERTScore and your own metrics from this suite's runs, not from the table",
    ...FAILURES_FLAG,
    '-m, --max-eval-instances <count>': ['as given to run', 'medmake.yaml, else 1000'],
    ...JSON_FLAG,
    ...SESSION_FLAGS,
  },
  examples: [
    'medmake agreement ratings.csv',
    'medmake agreement demo',
    'medmake agreement ratings.csv --suite demo --json',
    'medmake agreement medi_qa.csv --profile paper-2025',
  ],
  load: async () => (await import('./action.ts')).agreementAction,
}
