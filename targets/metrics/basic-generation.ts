import { isList } from '../../benchmarks/python/kinds.ts'
import type { MetricSpec } from '../../benchmarks/scenario/benchmark.ts'
import type { Measure } from '../../benchmarks/scenario/metric-code.ts'
import type { RequestState, Token } from '../record/request-state.ts'
import {
  firstCompletion,
  textsArgument,
  amount,
  count,
  flag,
  loss,
  metricObject,
  type BuiltInMetric,
  type MetricPoint,
  emptyPoint,
  floatPoint,
  intPoint,
  number,
  share,
} from './metric.ts'
import {
  CONFIDENCE,
  referencePoints,
  MATCHES,
  QUASI_PREFIX_OF_A,
  REFERENCE_MEASURES,
} from './scoring/reference-scores.ts'
import { basicReference } from './basic-reference.ts'
import { instancesPerSplit } from './instances-per-split.ts'

/** HELM's efficiency stats. Energy and carbon stand empty: HELM's tables know only models older than MedHELM. */
const efficiency = (state: RequestState): readonly MetricPoint[] => {
  const completions = state.result?.completions ?? []
  const tokens = completions.reduce((sum, completion) => sum + completion.tokens.length, 0)
  return [
    // A tokenizer that is not at hand leaves the count unknown: no number stands in for it.
    state.numPromptTokens === null
      ? emptyPoint('num_prompt_tokens')
      : intPoint('num_prompt_tokens', state.numPromptTokens),
    intPoint('num_completion_tokens', tokens),
    intPoint('num_output_tokens', tokens),
    emptyPoint('training_co2_cost'),
    emptyPoint('training_energy_cost'),
    floatPoint('inference_runtime', state.result?.requestTime ?? 0),
    intPoint('batch_size', 1),
  ]
}

const FINISH_REASONS = ['length', 'stop', 'endoftext', 'unknown'] as const

/** One of four is 1; every reason that HELM does not know is `unknown`. */
const finishReason = (state: RequestState): readonly MetricPoint[] => {
  const given = firstCompletion(state).finishReason
  const reason = FINISH_REASONS.find((known) => known === given) ?? 'unknown'
  return FINISH_REASONS.map((known) => intPoint(`finish_reason_${known}`, known === reason ? 1 : 0))
}

/** UTF-8 bytes of a token. A token that is no whole character comes as `bytes:\xe2\x80`: each `\x` is one byte. */
const tokenBytes = ({ text }: Token): number =>
  text.startsWith('bytes:') ? text.split('\\x').length - 1 : Buffer.byteLength(text)

const languageModel = (state: RequestState): readonly MetricPoint[] => {
  const { tokens } = firstCompletion(state)
  const logprob = tokens.reduce((sum, token) => sum + token.logprob, 0)
  const bytes = tokens.reduce((sum, token) => sum + tokenBytes(token), 0)
  return [
    { name: 'logprob', value: logprob, float: tokens.some((token) => !Number.isInteger(token.logprob)) },
    intPoint('num_perplexity_tokens', tokens.length),
    intPoint('num_bytes', bytes),
  ]
}

const general = { group: 'general_information' } as const
const effort = { group: 'efficiency_detailed', better: 'lower' } as const

const FINISH_TEXTS: Readonly<Record<(typeof FINISH_REASONS)[number], readonly [name: string, how: string]>> =
  {
    endoftext: ['Ended by the model', 'ended with the token that it ends texts with'],
    length: ['Cut for length', 'were cut at the most tokens allowed'],
    stop: [
      'Ended at a stop sequence',
      'ended where a stop sequence began, or as the server says a turn ends',
    ],
    unknown: ['Ended for no known reason', 'ended for a reason that HELM has no name for'],
  }

/** What was asked and what it took. */
const ASKED: readonly Measure[] = [
  count('num_references', { displayName: 'References', description: 'References of an instance; mean.' }),
  count('num_train_trials', {
    ...general,
    displayName: 'Trials',
    description: 'How often the run was made, each time with in-context examples drawn anew.',
  }),
  count('num_prompt_tokens', {
    ...general,
    displayName: 'Prompt tokens',
    description: "Tokens of a prompt, by the model's tokenizer; mean.",
  }),
  count('num_completion_tokens', {
    displayName: 'Completion tokens',
    description: 'Tokens of all completions of a prompt; mean.',
  }),
  count('num_output_tokens', { displayName: 'Output tokens', description: 'Tokens that came out; mean.' }),
  amount('kg CO2', 'training_co2_cost', {
    ...effort,
    displayName: 'CO2 of training (kg)',
    description:
      "Carbon dioxide of the model's training, estimated; HELM's table ends before the models of today.",
  }),
  amount('MWh', 'training_energy_cost', {
    ...effort,
    displayName: 'Energy of training (MWh)',
    description: "Energy of the model's training, estimated; HELM's table ends before the models of today.",
  }),
  amount('seconds', 'inference_runtime', {
    ...effort,
    displayName: 'Time to answer (s)',
    description: 'Seconds from request to reply, network and queue of that deployment included; mean.',
  }),
  count('batch_size', {
    displayName: 'Requests in a batch',
    description: 'How many requests were sent as one.',
  }),
  ...(['endoftext', 'length', 'stop', 'unknown'] as const).map((reason) =>
    flag(`finish_reason_${reason}`, {
      displayName: FINISH_TEXTS[reason][0],
      description: `Share of answers that ${FINISH_TEXTS[reason][1]}.`,
    }),
  ),
  count('num_train_instances', {
    displayName: 'In-context examples',
    description: 'Examples that stood in a prompt; mean.',
  }),
  flag('prompt_truncated', {
    displayName: 'Prompts cut',
    description: 'Share of prompts that did not fit the window even without examples, and were cut.',
  }),
]

const of = 'split'

/** Of all tokens of a split: without tokens there is none of it. */
const LANGUAGE_MEASURES: readonly Measure[] = [
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

const group = 'calibration_detailed'

const calibration = (name: string, displayName: string, description: string): Measure =>
  share(name, { of, better: 'lower', group, displayName, description })

/** Of a split's confidences: without a log probability below 0 there is none of it. */
const CALIBRATION_MEASURES: readonly Measure[] = [
  share('ece_10_bin', {
    of,
    better: 'lower',
    group: 'calibration',
    displayName: 'Calibration error',
    description: 'Mean gap of confidence and accuracy in ten bins of equal size.',
  }),
  calibration('ece_1_bin', 'Calibration error, one bin', 'Gap of mean confidence and accuracy.'),
  share('selective_acc@10', {
    of,
    better: 'higher',
    group,
    displayName: 'Accuracy of the surest tenth',
    description: 'Accuracy of the tenth of the answers that the model is surest of.',
  }),
  share('selective_cov_acc_area', {
    of,
    better: 'higher',
    group,
    displayName: 'Selective accuracy',
    description: 'Area under accuracy by the share of answers kept, the surest first.',
  }),
  number('1', 'platt_coef', {
    of,
    group,
    displayName: 'Platt scaling: slope',
    description: 'Slope of the logistic curve from confidence to being right.',
  }),
  number('1', 'platt_intercept', {
    of,
    group,
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

/** What the answers' probabilities come to. */
const ANSWERED: readonly Measure[] = [
  loss('nats', 'logprob', {
    better: 'higher',
    displayName: 'Log probability',
    shortDisplayName: 'Logprob',
    description: 'Natural logarithm of the probability that the model gave to its answer; mean.',
  }),
  count('num_perplexity_tokens', {
    displayName: 'Tokens with probabilities',
    description: 'Tokens of an answer that perplexity is computed of; mean.',
  }),
  count('num_bytes', { displayName: 'Bytes', description: 'Bytes of those tokens in UTF-8; mean.' }),
  ...LANGUAGE_MEASURES,
  ...CALIBRATION_MEASURES,
]

/** HELM's three metric objects of nearly every benchmark. */
export const basicObjects = (names: readonly string[]): readonly MetricSpec[] => [
  metricObject(basicGeneration, { names }),
  metricObject(basicReference),
  metricObject(instancesPerSplit),
]

/**
 * HELM's BasicGenerationMetric (HELM.md T16): what was asked and answered, in counts; times in seconds;
 * finish reasons as 0 or 1; and, where there are references, the scores that `names` lists (0–1, higher is better).
 * `logprob` is in nats, at most 0.
 */
export const basicGeneration: BuiltInMetric = {
  id: 'basic_generation',
  version: '1.0.0',
  source: 'crfm-helm 0.5.16 BasicGenerationMetric',
  className: 'basic_metrics.BasicGenerationMetric',
  sets: [
    { name: 'exact_match', simple: ['exact_match'], specs: () => basicObjects(MATCHES) },
    { name: 'basic', beside: true, specs: () => basicObjects([]) },
  ],
  measures: [...ASKED, ...REFERENCE_MEASURES, ...ANSWERED, CONFIDENCE],
  given: (args) => {
    const names = args.get('names')
    const asked = isList(names) ? names : []
    return [
      ...ASKED,
      ...REFERENCE_MEASURES.filter(({ name }) => asked.includes(name)),
      ...ANSWERED,
      CONFIDENCE,
    ]
  },
  ofSplit: 'answers',
  lead: {
    as: 'compared with references',
    name: (args) => {
      const names = args.get('names')
      const first = isList(names) ? names[0] : undefined
      return typeof first === 'string' ? first : undefined
    },
  },
  reads: ['instance', 'prompt', 'completions', 'latency'],
  corrects: [QUASI_PREFIX_OF_A],
  evaluate: (state, spec, adapter) => [
    intPoint('num_references', state.instance.references.length),
    intPoint('num_train_trials', adapter.numTrainTrials),
    ...efficiency(state),
    ...finishReason(state),
    intPoint('num_train_instances', state.numTrainInstances),
    intPoint('prompt_truncated', state.promptTruncated ? 1 : 0),
    ...(state.instance.references.length > 0
      ? referencePoints(state, textsArgument(spec, 'names'), adapter, spec.corrected)
      : []),
    ...languageModel(state),
  ],
}
