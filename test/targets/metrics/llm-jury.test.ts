import { describe, expect, it } from 'vitest'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import { loads } from '../../../benchmarks/python/json.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { llmJury } from '../../../targets/metrics/llm-jury.ts'
import type { Profile } from '../../../targets/profile.ts'
import { adapter, metricSpec, sampleState } from './sample-state.ts'

const spec = (change: Readonly<Record<string, PyValue>> = {}) =>
  metricSpec('llm_jury', {
    metric_name: 'demo_accuracy',
    scenario_name: 'demo',
    annotator_models: new Map<string, PyValue>([
      ['gpt', null],
      ['llama', null],
    ]),
    default_score: float(1),
    ...change,
  })

const stateWith = (annotation: string) => sampleState({ annotations: new Map([['demo', loads(annotation)]]) })

const scored = (annotation: string, change: Readonly<Record<string, PyValue>> = {}) =>
  llmJury.evaluate(stateWith(annotation), spec(change), adapter())

describe('the jury’s score', () => {
  it('is the mean over all scores of all judges, in whole numbers', () => {
    const judged =
      '{"prompt_text": "P", "gpt": {"a": {"score": 2.9}, "b": {"score": 5}}, "llama": {"a": {"score": "1"}}}'
    expect(scored(judged)).toEqual([{ name: 'demo_accuracy', value: 8 / 3, float: true }])
  })

  it('is the default score when no judge was asked or could be read', () => {
    expect(scored('{"prompt_text": null, "empty_output_equivalence_judgement": false}')).toEqual([
      { name: 'demo_accuracy', value: 1, float: true },
    ])
    expect(scored('{"prompt_text": "P"}', { default_score: 0 })).toEqual([
      { name: 'demo_accuracy', value: 0, float: false },
    ])
    expect(scored('{"prompt_text": "P"}', { default_score: 2.5 })).toEqual([
      { name: 'demo_accuracy', value: 2.5, float: true },
    ])
  })

  it('keeps fractions under medhelm-0.8, and is at least 1 under paper-2025', () => {
    const judged = '{"gpt": {"a": {"score": 0.5}, "b": {"score": "0.75"}}}'
    const under = (profile: Profile) =>
      llmJury.evaluate(stateWith(judged), spec({ default_score: 0 }), adapter(), profile)[0]
    expect(under('medhelm-0.8')).toEqual({ name: 'demo_accuracy', value: 0.625, float: true })
    // "0.75" is no whole number, so nobody scored.
    expect(under('helm-0.5.16')).toEqual({ name: 'demo_accuracy', value: 0, float: false })
    expect(under('paper-2025')).toEqual({ name: 'demo_accuracy', value: 1, float: false })
    const none = stateWith('{"gpt": {"a": {"score": 0}, "b": {"score": 1}}}')
    const mean = (profile: Profile) => llmJury.evaluate(none, spec(), adapter(), profile)[0]?.value
    expect([mean('helm-0.5.16'), mean('paper-2025')]).toEqual([0.5, 1])
  })

  it('leaves out judges that are not of the jury', () => {
    expect(scored('{"gpt": {"a": {"score": 4}}, "guest": {"a": {"score": 1}}}')[0]?.value).toBe(4)
  })

  it('is 0 without any score where no default is given', () => {
    const bare = metricSpec('llm_jury', {
      metric_name: 'demo_accuracy',
      scenario_name: 'demo',
      annotator_models: new Map<string, PyValue>([['gpt', null]]),
    })
    const nobody = stateWith('{"gpt": null}')
    expect(llmJury.evaluate(nobody, bare, adapter())).toEqual([
      { name: 'demo_accuracy', value: 0, float: true },
    ])
    // A judge without a reply was told of where it was asked.
    expect(llmJury.failures?.(nobody, bare)).toEqual([])
  })

  it('goes on without a judge whose score is null, and tells of it', () => {
    const judged = '{"gpt": {"a": {"score": null}, "b": {"score": 5}}, "llama": {"a": {"score": 2}}}'
    expect(scored(judged)[0]?.value).toBe(2)
    expect(llmJury.failures?.(stateWith(judged), spec())).toEqual([
      { part: 'gpt', cause: { code: 'score-not-a-number', detail: 'the score of "a" is no number' } },
    ])
  })

  it('is refused without the annotation or an argument', () => {
    expect(() => llmJury.evaluate(sampleState({}), spec(), adapter())).toThrow('targets/missing-annotation')
    expect(() => scored('{}', { annotator_models: 'gpt' })).toThrow('targets/bad-metric-argument')
    expect(() => scored('{}', { default_score: 'high' })).toThrow('targets/bad-metric-argument')
  })
})
