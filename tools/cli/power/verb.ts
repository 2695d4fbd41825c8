import type { Verb } from '../verb.ts'
import { JSON_FLAG } from '../common/shared-flags.ts'

export const power: Verb = {
  name: 'power',
  summary: 'Plan how many instances a benchmark needs to show a difference between two models.',
  flags: [
    { flags: '--difference <size>', description: 'the difference to notice, in units of the metric' },
    {
      flags: '--instances <counts...>',
      description: 'what so many instances notice',
      shownDefault: '100 300 1000',
    },
    {
      flags: '--discordant <share>',
      description: 'of 0/1 answers: the share that just one of both models gets right',
      shownDefault: '0.2',
    },
    { flags: '--sd <size>', description: 'of scores: deviation of the paired differences, e.g. 0.6' },
    {
      flags: '--range <size>',
      description: 'of scores: how far apart the ends of the scale are',
      shownDefault: '4',
    },
    {
      flags: '--per-source <count>',
      description: 'instances that share a source, such as a patient',
      shownDefault: '1',
    },
    {
      flags: '--correlation <share>',
      description: 'how alike the differences of one source are',
      shownDefault: '0.3',
    },
    { flags: '--power <share>', description: 'chance to notice the difference', shownDefault: '0.8' },
    JSON_FLAG,
  ],
  examples: [
    'medmake power --difference 0.05 --discordant 0.15',
    'medmake power --difference 0.2 --sd 0.7 --per-source 8 --correlation 0.4',
  ],
  load: async () => (await import('./action.ts')).powerAction,
}
