import type { Measure } from '../../../benchmarks/scenario/measure.ts'
import { amount, loss, number, share } from '../measure.ts'

const of = 'split'

/** Of all tokens of a split: without tokens there is none of it. */
export const LANGUAGE_MEASURES: readonly Measure[] = [
  amount('1', 'perplexity', {
    of,
    better: 'lower',
    displayName: 'Perplexity',
    shortDisplayName: 'PPL',
    description:
      'Among how many tokens, all as likely, the model chose at each step, by its own probabilities.',
  }),
  loss('nats per byte', 'logprob_per_byte', {
    of,
    better: 'higher',
    displayName: 'Log probability per byte',
    shortDisplayName: 'Logprob per byte',
    description: 'Log probability of the answers over the bytes of their tokens.',
  }),
  amount('bits per byte', 'bits_per_byte', {
    of,
    better: 'lower',
    displayName: 'Bits per byte',
    shortDisplayName: 'BPB',
    description: "Bits that a code made of the model's probabilities spends on a byte of its answers.",
  }),
]

const calibration = (name: string, displayName: string, description: string): Measure =>
  share(name, { of, better: 'lower', unlisted: true, displayName, description })

/** Of a split's confidences: without a log probability below 0 there is none of it. */
export const CALIBRATION_MEASURES: readonly Measure[] = [
  calibration(
    'ece_10_bin',
    'Calibration error',
    'Mean gap of confidence and accuracy in ten bins of equal size.',
  ),
  calibration('ece_1_bin', 'Calibration error, one bin', 'Gap of mean confidence and accuracy.'),
  share('selective_cov_acc_area', {
    of,
    better: 'higher',
    unlisted: true,
    displayName: 'Selective accuracy',
    description: 'Area under accuracy by the share of answers kept, the surest first.',
  }),
  share('selective_acc@10', {
    of,
    better: 'higher',
    unlisted: true,
    displayName: 'Accuracy of the surest tenth',
    description: 'Accuracy of the tenth of the answers that the model is surest of.',
  }),
  number('1', 'platt_coef', {
    of,
    unlisted: true,
    displayName: 'Platt scaling: slope',
    description: 'Slope of the logistic curve from confidence to being right.',
  }),
  number('1', 'platt_intercept', {
    of,
    unlisted: true,
    displayName: 'Platt scaling: intercept',
    description: 'Intercept of the logistic curve from confidence to being right.',
  }),
  calibration(
    'platt_ece_10_bin',
    'Calibration error after Platt scaling',
    'Mean gap of scaled confidence and accuracy in ten bins of equal size.',
  ),
  calibration(
    'platt_ece_1_bin',
    'Calibration error after Platt scaling, one bin',
    'Gap of mean scaled confidence and accuracy.',
  ),
]
