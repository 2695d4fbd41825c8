import type { Verb } from '../verb.ts'
import { ENTRY_FLAGS, SESSION_FLAGS } from '../common/shared-flags.ts'

export const explain: Verb = {
  name: 'explain',
  summary: 'Say, stage by stage, what a run would do again and which change is the cause.',
  args: '<run-or-suite>',
  flags: { ...ENTRY_FLAGS, ...SESSION_FLAGS, '--json': 'print a JSON object for each run, one a line' },
  examples: [
    'medmake explain demo',
    'medmake explain "smoking_status:model=baseline_first-choice"',
    'medmake explain medhelm-0.8-public --models-to-run openai/gpt-4o-2024-05-13',
  ],
  load: async () => (await import('./action.ts')).explainAction,
}
