import type { Measure } from '../../../benchmarks/scenario/measure.ts'
import { amounts, lossesOf, numbers, shares } from '../measure.ts'

/** What is derived from all instances of a split: without tokens or log probabilities below 0 there is none of it. */
export const SPLIT_MEASURES: readonly Measure[] = [
  ...amounts('1', ['perplexity'], { better: 'lower', of: 'split' }),
  ...amounts('bits per byte', ['bits_per_byte'], { better: 'lower', of: 'split' }),
  ...lossesOf('nats per byte', ['logprob_per_byte'], { better: 'higher', of: 'split' }),
  ...shares(['ece_10_bin', 'ece_1_bin'], { better: 'lower', of: 'split' }),
  ...shares(['selective_cov_acc_area', 'selective_acc@10'], { better: 'higher', of: 'split' }),
  ...numbers('1', ['platt_coef', 'platt_intercept'], { of: 'split' }),
  ...shares(['platt_ece_10_bin', 'platt_ece_1_bin'], { better: 'lower', of: 'split' }),
]
