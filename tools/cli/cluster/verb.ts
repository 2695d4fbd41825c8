import {
  ENTRY_FLAGS,
  JSON_FLAG,
  MAX_USD_FLAG,
  OUTPUT_FLAG,
  SESSION_FLAGS,
  TIER_FLAG,
} from '../common/shared-flags.ts'
import type { Verb } from '../verb.ts'

export const cluster: Verb = {
  name: 'cluster',
  summary: 'Run suites as a Slurm array.',
  args: '[command] [suites...]',
  commands: {
    plan: 'price the run, cut it into parts, write scripts that are yours to edit',
    submit: 'hand the array and its head to Slurm',
    status: 'how far each part is, what was spent',
    resume: 'hand in again what ended early',
  },
  flags: {
    '--tasks <n>': 'plan: parts to cut the run into',
    ...TIER_FLAG,
    ...MAX_USD_FLAG,
    '--watch': 'status: until no task is left',
    ...ENTRY_FLAGS,
    ...OUTPUT_FLAG,
    ...SESSION_FLAGS,
    ...JSON_FLAG,
  },
  examples: [
    'medmake cluster plan monthly --tasks 16 --tier /project/evals --max-usd 40',
    'medmake cluster submit monthly',
    'medmake cluster status monthly --watch',
    'medmake cluster resume monthly',
  ],
  load: async () => (await import('./action.ts')).clusterAction,
}
