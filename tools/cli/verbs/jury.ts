import type { Verb } from '../verb.ts'

export const jury: Verb = {
  name: 'jury',
  summary: 'Show what each judge does to scores and ranks, from stored judgements; no judge is asked.',
  args: '<dropout> [suites...]',
  flags: [
    { flags: '--store <folder>', description: 'the cache', shownDefault: 'cache/store' },
    { flags: '--local-path <folder>', description: 'credentials and model files', shownDefault: 'prod_env' },
    { flags: '--mirror <folder>', description: 'take dataset URLs from this folder' },
    { flags: '--json', description: 'print one JSON object' },
  ],
  examples: ['medmake jury dropout', 'medmake jury dropout main --json'],
  load: async () => (await import('../actions/jury.ts')).juryAction,
}
