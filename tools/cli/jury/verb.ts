import type { Verb } from '../verb.ts'
import { JSON_FLAG, MAX_USD_FLAG, SESSION_FLAGS } from '../common/shared-flags.ts'

export const jury: Verb = {
  name: 'jury',
  summary: 'Show how far judges can be trusted, and what scores owe to them.',
  args: '[command] [suites-or-ratings...]',
  commands: {
    coverage: 'which replies of judges count',
    dropout: 'the board without each judge',
    family: 'leniency, and kinship with the models they judge',
    repeats: 'what chance adds: the same judge asked again',
    agreement: 'how far judges agree',
    probe: 'what judges make of altered answers, references and rubrics',
    gold: 'which references judges doubt',
    calibrate: "what clinicians would give, from a few of their ratings and the jury's scores",
  },
  flags: [
    { flags: '--suite <name>', description: 'calibrate: whose runs the ratings are of' },
    {
      flags: '--half-width <points>',
      description: "calibrate: say how many labels bring the mean's interval to ± so many points",
    },
    {
      flags: '--labels <count>',
      description: 'calibrate: name so many answers to rate next',
      shownDefault: '30',
    },
    {
      flags: '--judge <name>',
      description: 'gold: who reads the references',
      shownDefault: "the jury's first",
    },
    {
      flags: '--probes <names...>',
      description: 'probe: lengthened, turned, withheld, corrupted',
      shownDefault: 'all',
    },
    { flags: '--repeats <count>', description: 'repeats: how often each judge is asked', shownDefault: '3' },
    { flags: '--instances <count>', description: 'repeats, probe: only so many answers of each run' },
    { flags: '--runs <pattern>', description: 'repeats, probe, gold: only runs whose name matches' },
    {
      flags: '-d, --dry-run',
      description: 'repeats, probe, gold: print how many calls it would take; ask nobody',
    },
    { flags: '--max-calls <count>', description: 'repeats, probe, gold: refuse to begin when it takes more' },
    { ...MAX_USD_FLAG, description: `repeats, probe, gold: ${MAX_USD_FLAG.description}` },
    {
      flags: '-m, --max-eval-instances <count>',
      description: 'as given to run',
      shownDefault: 'medmake.yaml, else 1000',
    },
    JSON_FLAG,
    ...SESSION_FLAGS,
  ],
  examples: [
    'medmake jury coverage',
    'medmake jury dropout',
    'medmake jury family main --json',
    'medmake jury calibrate --suite main',
    'medmake jury calibrate ratings.csv --suite main --half-width 0.15',
    'medmake jury probe main --instances 10 --dry-run',
    'medmake jury gold main --judge gpt',
    'medmake jury repeats main --repeats 5 --instances 50 --dry-run',
  ],
  load: async () => (await import('./action.ts')).juryAction,
}
