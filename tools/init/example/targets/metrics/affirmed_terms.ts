import { defineMetric } from 'medmake'
import { affirmed } from './negation.ts'

// A benchmark lists it as `affirmed_terms`. Terms that both texts affirm, and not those that either denies: to say
// "no fever" where the note says "fever" is as wrong as to leave it out.
export const metric = defineMetric({
  measures: [
    {
      name: 'affirmed_terms',
      displayName: 'Affirmed terms (F1)',
      description: 'Agreement on the terms that are affirmed: harmonic mean of precision and recall.',
    },
    {
      name: 'denied_terms_claimed',
      unit: 'count',
      most: null,
      better: 'lower',
      displayName: 'Denied terms claimed',
    },
  ],
  evaluate: ({ completion, references, args }) => {
    const terms = args['terms'] as readonly string[]
    const given = affirmed(completion, terms)
    const wanted = affirmed(references.find(({ correct }) => correct)?.text ?? '', terms)
    const both = given.filter((term) => wanted.includes(term)).length
    return {
      affirmed_terms: given.length + wanted.length === 0 ? 1 : (2 * both) / (given.length + wanted.length),
      denied_terms_claimed: given.length - both,
    }
  },
})
