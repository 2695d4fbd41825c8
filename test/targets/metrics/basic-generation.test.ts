import { describe, expect, it } from 'vitest'
import { basicGeneration } from '../../../targets/metrics/basic-generation.ts'
import type { MetricPoint } from '../../../targets/metrics/metric.ts'
import { adapter, completion, metricSpec, sampleState } from './sample-state.ts'

type Sample = Parameters<typeof sampleState>[0]

const evaluate = (sample: Sample, names: readonly string[] = []): readonly MetricPoint[] =>
  basicGeneration.evaluate(sampleState(sample), metricSpec('basic_generation', { names }), adapter())

const value = (points: readonly MetricPoint[], name: string): unknown =>
  points.find((point) => point.name === name)?.value

describe('basic values of an answer', () => {
  it('come in HELM’s order, ints and floats apart', () => {
    const written = evaluate({ golds: ['Rest.'] }, ['exact_match']).map(
      ({ name, value, float }) => `${name} ${value}${float ? ' float' : ''}`,
    )
    expect(written).toEqual([
      'num_references 1',
      'num_train_trials 1',
      'num_prompt_tokens 3',
      'num_completion_tokens 0',
      'num_output_tokens 0',
      'training_co2_cost null',
      'training_energy_cost null',
      'inference_runtime 0.5 float',
      'batch_size 1',
      'finish_reason_length 0',
      'finish_reason_stop 1',
      'finish_reason_endoftext 0',
      'finish_reason_unknown 0',
      'num_train_instances 0',
      'prompt_truncated 0',
      'max_prob 1 float',
      'exact_match 1',
      'logprob 0',
      'num_perplexity_tokens 0',
      'num_bytes 0',
    ])
  })

  it('have no scores where there is nothing to compare with', () => {
    expect(evaluate({}, ['exact_match']).map(({ name }) => name)).not.toContain('max_prob')
  })

  it('call every reason but three to finish unknown', () => {
    const finishReason = 'content_filter'
    const points = evaluate({ answers: [completion('x', { finishReason })] })
    expect([value(points, 'finish_reason_stop'), value(points, 'finish_reason_unknown')]).toEqual([0, 1])
  })

  it('count bytes of tokens that are no whole characters', () => {
    const tokens = [
      { text: 'é', logprob: -0.5 },
      { text: 'bytes:\\xe2\\x80', logprob: -0.25 },
    ]
    const points = evaluate({ answers: [completion('é\u2026', { logprob: -0.75, tokens })] })
    expect(['num_bytes', 'num_perplexity_tokens', 'logprob'].map((name) => value(points, name))).toEqual([
      4, 2, -0.75,
    ])
  })

  it('need a list of names and a completion', () => {
    const noNames = metricSpec('basic_generation')
    expect(() => basicGeneration.evaluate(sampleState({ golds: ['x'] }), noNames, adapter())).toThrow(
      'targets/bad-metric-argument',
    )
    expect(() => evaluate({ answers: [] })).toThrow('targets/no-completion')
  })
})
