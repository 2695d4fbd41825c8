import type { RequestState, Token } from '../record/request-state.ts'
import { firstCompletion } from './scoring/first-completion.ts'
import { textsArgument } from './metric-arguments.ts'
import { amounts, counts, flags, lossesOf, shares } from './measure.ts'
import type { Metric, MetricPoint } from './metric.ts'
import { emptyPoint, floatPoint, intPoint } from './scoring/points.ts'
import { referencePoints } from './scoring/reference-points.ts'
import { QUASI_PREFIX_OF_A, REFERENCE_MEASURES } from './scoring/reference-scores.ts'
import { SPLIT_MEASURES } from './scoring/split-measures.ts'

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

/**
 * HELM's BasicGenerationMetric (HELM.md T16): what was asked and answered, in counts; times in seconds;
 * finish reasons as 0 or 1; and, where there are references, the scores that `names` lists (0–1, higher is better).
 * `logprob` is in nats, at most 0.
 */
export const basicGeneration: Metric = {
  id: 'basic_generation',
  version: '1.0.0',
  source: 'crfm-helm 0.5.16 BasicGenerationMetric',
  measures: [
    ...counts(['num_references', 'num_train_trials']),
    ...counts(['num_prompt_tokens', 'num_completion_tokens', 'num_output_tokens']),
    ...amounts('kg CO2', ['training_co2_cost'], { better: 'lower' }),
    ...amounts('MWh', ['training_energy_cost'], { better: 'lower' }),
    ...amounts('seconds', ['inference_runtime'], { better: 'lower' }),
    ...counts(['batch_size']),
    ...flags(FINISH_REASONS.map((reason) => `finish_reason_${reason}`)),
    ...counts(['num_train_instances']),
    ...flags(['prompt_truncated']),
    ...shares(['max_prob'], { better: 'higher' }),
    ...REFERENCE_MEASURES,
    ...lossesOf('nats', ['logprob'], { better: 'higher' }),
    ...counts(['num_perplexity_tokens', 'num_bytes']),
    ...SPLIT_MEASURES,
  ],
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
