import type { Verb } from '../verb.ts'
import { JSON_FLAG, SESSION_FLAGS } from '../common/shared-flags.ts'

export const rate: Verb = {
  name: 'rate',
  summary:
    "Have clinicians rate blinded answers by the benchmark's own rubric: draw what to rate (plan), rate on this machine (serve) or in one sealed file (pack, import), see how far it is (status, log), hand it on (export), take ratings back (withdraw), list what to discuss (disagreements).",
  args: '[command] [suites-or-files...]',
  flags: [
    { flags: '--study <name>', description: 'the study', shownDefault: 'the only one, else main' },
    { flags: '--raters <names>', description: 'plan: names or codes, with commas between' },
    { flags: '--rater <name>', description: 'serve, pack, withdraw, log: only this rater' },
    { flags: '--labels <count>', description: 'plan: answers to rate of each run' },
    {
      flags: '--half-width <points>',
      description: 'plan: as many as bring the interval of each mean to ± so many points',
      shownDefault: '0.2 from 1 to 5',
    },
    {
      flags: '--practice <count>',
      description: 'plan: answers that each rater sees first and that count nowhere',
      shownDefault: '3',
    },
    {
      flags: '--overlap <share>',
      description: 'plan: share of answers that two raters see',
      shownDefault: '0.3',
    },
    { flags: '--allocation <how>', description: 'plan: proportional, or neyman by what was rated so far' },
    { flags: '--seed <text>', description: 'plan: another seed is another draw', shownDefault: '1' },
    { flags: '--reference <how>', description: 'serve, pack: closed, open or never', shownDefault: 'closed' },
    {
      flags: '-p, --port <number>',
      description: 'serve, disagreements: port',
      shownDefault: '8100, else the next free one',
    },
    { flags: '--out <file>', description: 'pack, export: where to write' },
    { flags: '--csv', description: 'export: a table, with the columns of the MedHELM paper first' },
    { flags: '--with-comments', description: 'export: comments, too, which may hold patient text' },
    {
      flags: '--map <columns>',
      description: 'import: other names of columns, as rater=Reviewer,model=System',
    },
    { flags: '--suite <name>', description: 'import: the suite whose answers a table is of' },
    { flags: '--serve', description: 'disagreements: a page of them with their texts, on this machine' },
    { flags: '--item <number>', description: "withdraw: only this item of the rater's" },
    {
      flags: '-m, --max-eval-instances <count>',
      description: 'as given to run',
      shownDefault: 'medmake.yaml, else 1000',
    },
    JSON_FLAG,
    ...SESSION_FLAGS,
  ],
  examples: [
    'medmake rate plan main --raters ann,bob --half-width 0.15',
    'medmake rate serve',
    'medmake rate pack --rater bob',
    'medmake rate import main-bob.ratings.json',
    'medmake rate import medi_qa.csv --study published',
    'medmake rate status',
    'medmake rate export --csv --out ratings.csv',
  ],
  load: async () => (await import('./action.ts')).rateAction,
}
