import type { Verb } from '../verb.ts'

export const data: Verb = {
  name: 'data',
  summary: "Say which benchmarks' data is here and how to get the rest; download what is public.",
  args: '[command] [benchmarks...]',
  commands: {
    status: 'what is here; of benchmarks that are named what to request where',
    fetch: 'download what is public',
  },
  flags: {
    '--full': 'status: read all data through, however large',
    '--mirror <folder>': 'take dataset URLs from this folder',
    '--store <folder>': ['the cache', 'medmake.yaml, else cache/store'],
    '--json': 'print one JSON object',
  },
  examples: ['medmake data status', 'medmake data fetch pubmed_qa medbullets', 'medmake data fetch'],
  load: async () => (await import('./action.ts')).dataAction,
}
