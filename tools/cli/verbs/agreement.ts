import type { Verb } from '../verb.ts'

export const agreement: Verb = {
  name: 'agreement',
  summary: 'Measure how a jury agrees with clinicians, and clinicians with each other.',
  args: '<ratings...>',
  flags: [{ flags: '--json', description: 'print one JSON object' }],
  examples: ['medmake agreement ratings.csv', 'medmake agreement medi_qa.csv mtsamples.csv --json'],
  load: async () => (await import('../actions/agreement.ts')).agreementAction,
}
