import type { Verb } from '../verb.ts'
import { STORELESS_FLAGS } from '../common/shared-flags.ts'

export const benchmark: Verb = {
  name: 'benchmark',
  summary: 'Make a benchmark of your own, try it, show what is known of any.',
  args: '[command] [names...]',
  commands: {
    new: 'write the files of a benchmark, to be filled in',
    check: 'read its data, show prompts, the price, and two instances with embedded models',
    show: 'size, licence, contact, and what of it is unchecked',
  },
  flags: {
    '--description <text>': 'new: what it asks, in one sentence',
    '--access <who>': ['new: public, gated or private', 'private'],
    '--metrics <names...>': [
      'new: exact_match, rouge_l, jury_score, …; the first is the main one',
      'exact_match',
    ],
    '--own-metric <name>': 'new: a metric of your own, as targets/metrics/NAME.ts',
    '--judges <deployments...>': ['new: who reads the answers for jury_score', 'benchmarks/judges.yaml'],
    '--data <file>':
      'new: a table to begin with, in place of the sample: CSV, Excel (.xlsx), JSON or JSON lines',
    '--sheet <name>': 'new: which sheet of the workbook; else the first that is not hidden',
    '--source <text>': 'new: whose data it is, for NOTICE',
    '--licence <text>': 'new: the licence of the data',
    '--yes': 'new: ask nothing on a terminal',
    '--models-to-run <models...>': ['check: price it for these', 'openai/gpt-4o-2024-05-13'],
    '-m, --max-eval-instances <count>': ['check: price so many', '1000'],
    '--include-restricted': 'check: show prompts of a benchmark that is not public, too',
    ...STORELESS_FLAGS,
    '--json': 'check, show: print one JSON object',
  },
  examples: [
    'medmake benchmark new',
    'medmake benchmark new discharge_letters --metrics jury_score --data letters.xlsx',
    'medmake benchmark check discharge_letters',
    'medmake benchmark show pubmed_qa medec',
  ],
  load: async () => (await import('./action.ts')).benchmarkAction,
}
