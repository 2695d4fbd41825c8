import type { Verb } from '../verb.ts'

export const taxonomy: Verb = {
  name: 'taxonomy',
  summary: "Show MedHELM's categories, the benchmarks in each, and what the suites leave uncovered.",
  args: '[suites...]',
  flags: {
    '-c, --conf-paths <files...>': 'files with run entries instead of suites',
    '--json': 'print one JSON object',
  },
  examples: ['medmake taxonomy', 'medmake taxonomy demo'],
  load: async () => (await import('./action.ts')).taxonomyAction,
}
