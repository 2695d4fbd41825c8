import type { Verb } from '../verb.ts'

export const data: Verb = {
  name: 'data',
  summary: "Say which benchmarks' data is here and how to get the rest; download what is public.",
  args: '[command] [benchmarks...]',
  commands: {
    status: 'what is here, what to request where',
    fetch: 'download what is public',
  },
  flags: [
    { flags: '--full', description: 'status: read all data through, however large' },
    { flags: '--mirror <folder>', description: 'take dataset URLs from this folder' },
    { flags: '--store <folder>', description: 'the cache', shownDefault: 'cache/store' },
    { flags: '--json', description: 'print one JSON object' },
  ],
  examples: ['medmake data status', 'medmake data fetch pubmed_qa medbullets', 'medmake data fetch'],
  load: async () => (await import('./action.ts')).dataAction,
}
