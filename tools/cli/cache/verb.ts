import type { Verb } from '../verb.ts'

export const cache: Verb = {
  name: 'cache',
  summary:
    'Look at the store of results, check it, mend it, drop what no run needs any more, or bring in what others paid for.',
  args: '[stats|verify|gc|merge|push|pull|seal] [folders...]',
  flags: [
    { flags: '--store <folder>', description: 'the cache', shownDefault: 'cache/store' },
    {
      flags: '--repair',
      description: 'verify: save every readable record into a sound store; the damaged one is kept beside it',
    },
    { flags: '--dry-run', description: 'gc: only say what would go' },
    { flags: '--mirror <folder>', description: 'gc: take dataset URLs from this folder' },
    { flags: '--json', description: 'print one JSON object' },
  ],
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
