import type { Verb } from '../verb.ts'
import { ENTRY_FLAGS, SESSION_FLAGS } from '../common/shared-flags.ts'

export const affected: Verb = {
  name: 'affected',
  summary: 'Say which pairs, stages and calls the changes since a commit would cost.',
  args: '[suites...]',
  flags: {
    '--base <commit>': ['compare with this commit or branch', 'main'],
    '--format <format>': ['text, markdown or json', 'text'],
    ...ENTRY_FLAGS,
    ...SESSION_FLAGS,
  },
  examples: ['medmake affected --base main', 'medmake affected --base HEAD~1 --format markdown'],
  load: async () => (await import('./action.ts')).affectedAction,
}
