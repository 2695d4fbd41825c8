import type { Verb } from '../verb.ts'

export const affected: Verb = {
  name: 'affected',
  summary: 'Say which pairs, stages and calls the changes since a commit would cost.',
  args: '[suites...]',
  flags: [
    { flags: '--base <commit>', description: 'compare with this commit or branch', shownDefault: 'main' },
    { flags: '--format <format>', description: 'text, markdown or json', shownDefault: 'text' },
    {
      flags: '-m, --max-eval-instances <count>',
      description: 'as given to run',
      shownDefault: 'medmake.yaml, else 1000',
    },
    { flags: '-t, --num-train-trials <count>', description: 'as given to run' },
    { flags: '--local-path <folder>', description: 'as given to run', shownDefault: 'prod_env' },
    { flags: '--store <folder>', description: 'the cache', shownDefault: 'cache/store' },
    { flags: '--mirror <folder>', description: 'take dataset URLs from this folder' },
  ],
  examples: ['medmake affected --base main', 'medmake affected --base HEAD~1 --format markdown'],
  load: async () => (await import('../actions/affected.ts')).affectedAction,
}
