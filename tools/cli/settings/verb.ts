import type { Verb } from '../verb.ts'

export const settings: Verb = {
  name: 'settings',
  summary: 'Show every setting of medmake.yaml: what it is, and its default.',
  flags: { '--json': 'print it as a JSON schema' },
  examples: ['medmake settings', 'medmake settings > medmake.yaml'],
  load: async () => (await import('./action.ts')).settingsAction,
}
