import type { Verb } from '../verb.ts'
import { JSON_FLAG } from '../common/shared-flags.ts'

export const power: Verb = {
  name: 'power',
  summary: 'Plan how many instances a benchmark needs to show a difference between two models.',
  flags: {
    '--difference <size>': 'the difference to notice, in units of the metric',
    '--instances <counts...>': ['what so many instances notice', '100 300 1000'],
    '--discordant <share>': ['of 0/1 answers: the share that just one of both models gets right', '0.2'],
    '--sd <size>': 'of scores: deviation of the paired differences, e.g. 0.6',
    '--range <size>': ['of scores: how far apart the ends of the scale are', '4'],
    '--per-source <count>': ['instances that share a source, such as a patient', '1'],
    '--correlation <share>': ['how alike the differences of one source are', '0.3'],
    '--power <share>': ['chance to notice the difference', '0.8'],
    ...JSON_FLAG,
  },
  examples: [
    'medmake power --difference 0.05 --discordant 0.15',
    'medmake power --difference 0.2 --sd 0.7 --per-source 8 --correlation 0.4',
  ],
  load: async () => (await import('./action.ts')).powerAction,
}
