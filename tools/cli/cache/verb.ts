import type { Verb } from '../verb.ts'

export const cache: Verb = {
  name: 'cache',
  summary: 'Look at the store of results, check it, mend it, share it.',
  args: '[command] [folders...]',
  commands: {
    stats: 'records and bytes by table',
    verify: 'read every record and say what cannot be read; --repair saves the rest',
    gc: 'drop what no suite needs and paid replies can make again',
    merge: 'bring in the stores of other machines',
    push: 'copy to the shared tier what it lacks',
    pull: 'copy from the shared tier what is lacking here',
    seal: 'seal in the shared tier what lies open there of benchmarks that are not public any more',
  },
  flags: {
    '--store <folder>': ['the cache', 'medmake.yaml, else cache/store'],
    '--repair': 'verify: save every readable record into a sound store; the damaged one is kept beside it',
    '--dry-run': 'gc: only say what would go',
    '--mirror <folder>': 'gc: take dataset URLs from this folder',
    '--json': 'print one JSON object',
  },
  examples: [
    'medmake cache stats',
    'medmake cache verify --repair',
    'medmake cache gc --dry-run',
    'medmake cache merge ../colleague',
    'medmake cache push /project/evals && medmake cache pull /project/evals',
    'medmake cache seal /project/evals',
  ],
  load: async () => (await import('./action.ts')).cacheAction,
}
