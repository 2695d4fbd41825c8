import type { Verb } from '../verb.ts'
import { ENTRY_FLAGS, JSON_FLAG, OUTPUT_FLAG, SESSION_FLAGS } from '../common/shared-flags.ts'

export const doctor: Verb = {
  name: 'doctor',
  summary: 'Say whether all is set up, and every host that the suites would contact; contact none.',
  args: '[suites...]',
  flags: {
    '--tier <place>': 'also try what a run over many machines needs of this folder or bucket',
    ...ENTRY_FLAGS,
    ...OUTPUT_FLAG,
    ...SESSION_FLAGS,
    ...JSON_FLAG,
  },
  examples: ['medmake doctor', 'medmake doctor demo --json', 'medmake doctor --tier /project/evals'],
  load: async () => (await import('./action.ts')).doctorAction,
}
