import type { Verb } from '../verb.ts'
import { JSON_FLAG } from '../common/shared-flags.ts'

export const metrics: Verb = {
  name: 'metrics',
  summary: 'List every number that is computed: unit, range, which way is better, version, source.',
  args: '[names...]',
  flags: { ...JSON_FLAG },
  examples: ['medmake metrics', 'medmake metrics rouge ece --json'],
  load: async () => (await import('./action.ts')).metricsAction,
}
