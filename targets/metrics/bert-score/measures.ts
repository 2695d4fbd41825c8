import type { Measure } from '../../../benchmarks/scenario/measure.ts'

/** Means of cosines of an encoder's vectors; only where the workspace has an encoder. */
export const BERT_SCORES: readonly Measure[] = ['P', 'R', 'F'].map((part) => ({
  name: `BERTScore-${part}`,
  unit: 'cosine',
  least: -1,
  most: 1,
  better: 'higher',
  of: 'instance',
}))
