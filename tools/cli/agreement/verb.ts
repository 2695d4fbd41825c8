import type { Verb } from '../verb.ts'
import { JSON_FLAG, SESSION_FLAGS } from '../common/shared-flags.ts'

export const agreement: Verb = {
  name: 'agreement',
  summary: 'Measure how a jury and other metrics agree with clinicians, and clinicians with each other.',
  args: '[ratings-or-suites...]',
  flags: [
    { flags: '--study <name>', description: 'only what was rated or imported in this study' },
    {
      flags: '--suite <name>',
      description:
        "take the jury's scores, ROUGE, BERTScore and your own metrics from this suite's runs, not from the table",
    },
    {
      flags: '-m, --max-eval-instances <count>',
      description: 'as given to run',
      shownDefault: 'medmake.yaml, else 1000',
    },
    JSON_FLAG,
    ...SESSION_FLAGS,
  ],
  examples: [
    'medmake agreement ratings.csv',
    'medmake agreement main',
    'medmake agreement ratings.csv --suite main --json',
    'medmake agreement medi_qa.csv --profile paper-2025',
  ],
  load: async () => (await import('./action.ts')).agreementAction,
}
