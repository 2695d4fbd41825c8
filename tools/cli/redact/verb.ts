import type { Verb } from '../verb.ts'
import { JSON_FLAG } from '../common/shared-flags.ts'

export const redact: Verb = {
  name: 'redact',
  summary: "Take judges' prompts and explanations out of HELM's run files, in place.",
  args: '<folder>',
  flags: {
    '--texts':
      'every text of instances, prompts and answers, too; ids, sub-splits, and what the run spec says stay',
    '--runs <pattern>': 'only runs whose name matches this regular expression',
    ...JSON_FLAG,
  },
  examples: [
    'medmake redact benchmark_output/runs/demo',
    'medmake redact benchmark_output --texts --runs "^shc_"',
  ],
  load: async () => (await import('./action.ts')).redactAction,
}
