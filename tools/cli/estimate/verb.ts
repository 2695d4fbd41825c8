import type { Verb } from '../verb.ts'
import { ENTRY_FLAGS, JSON_FLAG, SESSION_FLAGS } from '../common/shared-flags.ts'

export const estimate: Verb = {
  name: 'estimate',
  summary:
    'Say what a run would cost before it starts: calls, tokens, dollars and minutes of what the store lacks.',
  args: '[suites...]',
  flags: { ...ENTRY_FLAGS, ...SESSION_FLAGS, ...JSON_FLAG, '--csv': 'print a row for each run and judge' },
  examples: [
    'medmake estimate monthly',
    'medmake estimate medhelm-0.8-public --models-to-run openai/gpt-4o-2024-05-13',
    'medmake estimate --run-entries "pubmed_qa:model=openai/gpt-4o-2024-05-13"',
  ],
  load: async () => (await import('./action.ts')).estimateAction,
}
