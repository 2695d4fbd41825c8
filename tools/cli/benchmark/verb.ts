import type { Verb } from '../verb.ts'
import { JSON_FLAG, STORELESS_FLAGS } from '../common/shared-flags.ts'

export const benchmark: Verb = {
  name: 'benchmark',
  summary: 'Make a benchmark of your own, try it, show what is known of any.',
  args: '[command] [names...]',
  commands: {
    new: 'write the files of a benchmark, to be filled in',
    check: 'read its data, show prompts, the price, and two instances with embedded models',
    show: 'size, licence, contact, and what of it is unchecked',
  },
  flags: [
    { flags: '--description <text>', description: 'new: what it asks, in one sentence' },
    { flags: '--access <who>', description: 'new: public, gated or private', shownDefault: 'private' },
    {
      flags: '--metrics <names...>',
      description: 'new: exact_match, rouge_l, jury_score, …; the first is the main one',
      shownDefault: 'exact_match',
    },
    { flags: '--own-metric <name>', description: 'new: a metric of your own, as targets/metrics/NAME.ts' },
    {
      flags: '--judges <deployments...>',
      description: 'new: who reads the answers for jury_score',
      shownDefault: 'benchmarks/judges.yaml',
    },
    { flags: '--data <file>', description: 'new: a CSV file to begin with, in place of the sample' },
    { flags: '--source <text>', description: 'new: whose data it is, for NOTICE' },
    { flags: '--licence <text>', description: 'new: the licence of the data' },
    { flags: '--yes', description: 'new: ask nothing on a terminal' },
    {
      flags: '--models-to-run <models...>',
      description: 'check: price it for these',
      shownDefault: 'openai/gpt-4o-2024-05-13',
    },
    { flags: '-m, --max-eval-instances <count>', description: 'check: price so many', shownDefault: '1000' },
    {
      flags: '--include-restricted',
      description: 'check: show prompts of a benchmark that is not public, too',
    },
    ...STORELESS_FLAGS,
    JSON_FLAG,
  ],
  examples: [
    'medmake benchmark new',
    'medmake benchmark new discharge_letters --metrics jury_score --data letters.csv',
    'medmake benchmark check discharge_letters',
    'medmake benchmark show pubmed_qa medec',
  ],
  load: async () => (await import('./action.ts')).benchmarkAction,
}
