import { describe, expect, it } from 'vitest'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { Store } from '../../../cache/store.ts'
import { basicGeneration } from '../../../targets/metrics/basic-generation.ts'
import { embeddingCache } from '../../../targets/metrics/bert-score/bert-score.ts'
import { billingCodes } from '../../../targets/metrics/billing-codes.ts'
import {
  metricFor,
  metricOf,
  metricOfClass,
  helmMeasures,
  leadOf,
  leadsOf,
  measureNamed,
  measuresOf,
} from '../../../targets/metrics/catalog.ts'
import { ehrSql } from '../../../targets/metrics/ehr-sql.ts'
import { healthBench } from '../../../targets/metrics/health-bench.ts'
import type { Metric } from '../../../targets/metrics/metric.ts'
import { referenceScore } from '../../../targets/metrics/scoring/reference-scores.ts'
import { sctBench } from '../../../targets/metrics/sct-bench.ts'
import { summarization } from '../../../targets/metrics/summarization.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { adapter, completion, metricSpec, sampleState } from './sample-state.ts'

type Sample = Parameters<typeof sampleState>[0]

const valuesOf = (metric: Metric, sample: Sample, more: object = {}): readonly (number | null)[] =>
  metric
    .evaluate(sampleState(sample), { ...metricSpec(metric.id), ...more }, adapter())
    .map(({ value }) => value)

describe('what is said of metrics', () => {
  const object = (className: string, args: Readonly<Record<string, PyValue>> = {}) => ({
    className: `helm.benchmark.metrics.${className}`,
    args: new Map(Object.entries(args)),
  })
  const basic = object('basic_metrics.BasicGenerationMetric', { names: ['f1_score', 'exact_match'] })
  const summary = object('summarization_metrics.SummarizationMetric')
  const jury = object('llm_jury_metrics.LLMJuryMetric', { metric_name: 'demo_accuracy' })
  const made = object('medec_metrics.MedecMetric')
  const unknown = object('other.UnknownMetric')

  it('leads a run by who judged, then what was made for it, then references, then texts', () => {
    expect(leadsOf([summary, basic, unknown]).map(({ name }) => name)).toEqual(['rouge_1', 'f1_score'])
    expect(leadOf([summary, basic])).toBe('f1_score')
    expect(leadOf([summary, basic, made])).toBe('medec_error_flag_accuracy')
    expect(leadOf([summary, made, jury])).toBe('demo_accuracy')
    expect(leadOf([unknown, object('basic_metrics.BasicGenerationMetric')])).toBeUndefined()
    expect(leadOf([object('basic_metrics.BasicReferenceMetric')])).toBeUndefined()
  })

  it('leads a run by a workspace’s metric where that comes first, by the measure with the name of its file', () => {
    const own = {
      className: 'workspace.metrics.kept.all',
      args: new Map<string, PyValue>([
        ['measures', ['all', 'kept.all'].map((name) => new Map<string, PyValue>([['name', name]]))],
      ]),
    }
    expect(leadsOf([own, basic]).map(({ name }) => name)).toEqual(['kept.all', 'f1_score'])
    expect(leadOf([basic, own])).toBe('kept.all')
  })

  it('gives the measures that a run asks for, and finds the rest by name', () => {
    const names = measuresOf(basic).map(({ name }) => name)
    expect(names).toContain('f1_score')
    expect(names).not.toContain('rouge_1')
    expect(names.at(-1)).toBe('max_prob')
    expect(measureNamed('exact_match@10', [basic])?.name).toBe('exact_match')
    expect(names.indexOf('num_bytes')).toBeGreaterThan(names.indexOf('exact_match'))
    expect(measuresOf(object('basic_metrics.BasicGenerationMetric')).map(({ name }) => name)).not.toContain(
      'exact_match',
    )
    expect(measuresOf(unknown)).toEqual([])
    expect(helmMeasures(basic).map(({ name }) => name)).not.toContain('f1_score')
    expect(helmMeasures(object('basic_metrics.BasicReferenceMetric')).map(({ name }) => name)).toEqual([
      'max_prob',
    ])
    // Both give it: what the run's own says comes first.
    expect(measureNamed('rouge_1', [basic, summary])?.group).toBe('summarization_metrics')
    expect(
      measureNamed('rouge_1', [object('basic_metrics.BasicGenerationMetric', { names: ['rouge_1'] })])?.group,
    ).toBeUndefined()
    expect(measureNamed('exact_match@5', [])?.name).toBe('exact_match')
    expect(measureNamed('jury_coverage', [])?.displayName).toBe('Judgements read')
    expect(measureNamed('nothing', [basic])).toBeUndefined()
  })

  it('finds a metric by its id or its class in any module, and says which there are', async () => {
    expect(metricOfClass('another.module.MedecMetric')?.id).toBe('medec')
    expect(metricOfClass('MedecMetric')?.id).toBe('medec')
    expect(metricOfClass('another.XMedecMetric')).toBeUndefined()
    expect(metricFor({ metric: 'medec' })).toBe(metricOf('medec'))
    const problem = await problemOf(() => metricOf('medecc'))
    expect(problem?.code).toBe('targets/unknown-metric')
    expect(problem?.remedy).toMatch(/medec.*Known are basic_generation, .*mimiciv_billing_code/)
  })

  it('names what is left out of summaries: BERTScore without an encoder, SummaC always', () => {
    const omitted = (more: object) => summarization.omits?.({ ...metricSpec('summarization'), ...more })
    expect(omitted({})?.map((line) => line.split(':')[0])).toEqual([
      'BERTScore-P, BERTScore-R, BERTScore-F',
      'summac',
    ])
    expect(omitted({ bertScore: {} })?.map((line) => line.split(':')[0])).toEqual(['summac'])
  })

  it('offers scores of words in place of BLEU', async () => {
    expect((await problemOf(() => referenceScore('bleu_1')))?.remedy).toBe(
      'Take f1_score, rouge_1, rouge_2, rouge_l instead.',
    )
    expect((await problemOf(() => referenceScore('exact_mach')))?.remedy).toContain('exact_match')
  })
})

describe('ehr_sql', () => {
  const asked = (
    [predicted, gold]: readonly [readonly PyValue[], readonly PyValue[]],
    {
      answer = 'SELECT 1',
      query = 'SELECT 2',
      error = null,
      impossible = false,
      ...more
    }: {
      readonly answer?: string
      readonly query?: string
      readonly error?: string | null
      readonly impossible?: boolean
      readonly corrected?: readonly string[]
    } = {},
  ) =>
    valuesOf(
      ehrSql,
      {
        golds: [query],
        answers: [answer],
        extraData: new Map([['is_impossible', impossible]]),
        annotations: new Map([
          [
            'ehr_sql',
            new Map<string, PyValue>([
              ['predicted_result', predicted],
              ['ground_truth_result', gold],
              ['query_error', error],
            ]),
          ],
        ]),
      },
      more,
    )
  const accuracy = (...given: Parameters<typeof asked>): number | null => asked(...given)[0] ?? null

  it('compares sets of rows as Python does', () => {
    const right: readonly (readonly [PyValue, PyValue])[] = [
      [
        [
          [1, 'a'],
          [2, 'b'],
        ],
        [
          [2, 'b'],
          [1, 'a'],
          [1, 'a'],
        ],
      ],
      [[[float(2)]], [[2]]],
      [[[true]], [[1]]],
      [[[null, float(0.5)]], [[null, 0.5]]],
      [[[float(1e22)]], [[10n ** 22n]]],
      [[new Map([['a', 1]])], [new Map([['a', float(1)]])]],
    ]
    for (const [a, b] of right) expect(accuracy([a as readonly PyValue[], b as readonly PyValue[]])).toBe(1)
    const wrong: readonly (readonly [PyValue, PyValue])[] = [
      [[[1]], [[2]]],
      [[[1], [2]], [[1]]],
      [[['1']], [[1]]],
      [[[1, 2]], [[2, 1]]],
      [[], [[1]]],
      [[[1]], []],
      [[new Map([['a', 1]])], [new Map([['b', 1]])]],
      [[[false]], [[null]]],
      [[[2n ** 53n + 1n]], [[float(2 ** 53)]]],
    ]
    for (const [a, b] of wrong) expect(accuracy([a as readonly PyValue[], b as readonly PyValue[]])).toBe(0)
  })

  it('holds empty results equal without a query, or with one that ran where that is corrected', () => {
    const corrected = ['empty-results']
    expect(accuracy([[], []], { answer: ' ' })).toBe(1)
    expect(accuracy([[], []])).toBe(0)
    expect(accuracy([[], []], { corrected })).toBe(1)
    expect(accuracy([[], []], { corrected, answer: '' })).toBe(0)
    expect(accuracy([[], []], { corrected, error: 'no such table' })).toBe(0)
    expect(accuracy([[], []], { corrected: ['another'], answer: 'SELECT 1' })).toBe(0)
    expect(accuracy([[[1]], [[1]]], { query: ' ' })).toBe(0)
  })

  it('counts questions answered, answerable, and queries that ran', () => {
    const rows = [[[1]], [[1]]] as const
    expect(asked(rows)).toEqual([1, 1, 1, 1, 1, 1])
    expect(asked(rows, { error: 'near "x"' })).toEqual([1, 0, 1, 1, 1, 1])
    expect(asked(rows, { impossible: true })).toEqual([1, 1, 0, 0, 1, 0])
    expect(asked(rows, { answer: '' })).toEqual([1, 0, 0, 0, 0, 1])
    expect(valuesOf(ehrSql, { golds: ['x'] })).toEqual([])
  })
})

describe('sct_bench', () => {
  const scored = (
    answer: string,
    experts: readonly PyValue[] = [1, float(2), 4, 0, 3],
  ): readonly (number | null)[] =>
    valuesOf(sctBench, { answers: [answer], extraData: new Map([['expert_distribution', experts]]) })

  it.each([
    ['Rating: -2', [0.25, 1]],
    ['Rating: -1', [0.5, 1]],
    ['Rating: 0', [1, 1]],
    ['Rating: +1', [0, 0]],
    ['Rating: +2', [0.75, 1]],
    ['Rating: +1+1', [0, 0]],
    ['Rating: +10', [0, 0]],
    ['Rating: -10', [0, 0]],
    ['Rating: none', [0, 0]],
    ['Rating: ab  -2', [0, 0]],
    ['Rating: ab -2', [0.25, 1]],
    ['Rating: 😀😀 -2', [0.25, 1]],
    ['Rating: 0Rating: -1', [1, 1]],
    ['+2', [0, 0]],
  ])('scores %j', (answer, wanted) => {
    expect(scored(answer)).toEqual(wanted)
  })

  it('scores 0 where no expert gave a rating, and needs five numbers', () => {
    expect(scored('Rating: 0', [0, 0, 0, 0, 0])).toEqual([0, 0])
    for (const wrong of [[1, 2, 3, 4], [1, 2, 3, 4, '5'], []])
      expect(() => scored('Rating: 0', wrong)).toThrow('targets/no-reference')
    expect(() => valuesOf(sctBench, { answers: ['Rating: 0'] })).toThrow('targets/no-reference')
  })
})

describe('billing codes', () => {
  const note = (golds: readonly string[], answers?: readonly string[]): Sample => ({
    golds,
    ...(answers && { answers }),
  })

  it('have precision, recall and F1 of sets, 0 where one side has none', () => {
    expect(valuesOf(billingCodes, note(['I10 E11.9', 'J18.9'], ['I10, I10 and Z99.']))).toEqual([
      1 / 2,
      1 / 3,
      2 / 5,
    ])
    expect(valuesOf(billingCodes, note(['I10'], ['none']))).toEqual([0, 0, 0])
    expect(valuesOf(billingCodes, note(['none'], ['I10']))).toEqual([0, 0, 0])
  })

  it('fail where neither side has one, and say nothing without a reference or an answer', () => {
    const failures = (sample: Sample) => billingCodes.failures?.(sampleState(sample), metricSpec('x'))
    expect(valuesOf(billingCodes, note(['none'], ['none']))).toEqual([])
    expect(failures(note(['none'], ['none']))).toMatchObject([{ cause: { code: 'no-codes' } }])
    for (const sample of [
      note([], ['none']),
      note(['none'], []),
      note(['I10'], ['none']),
      note(['none'], ['I10']),
    ])
      expect(failures(sample)).toEqual([])
  })
})

describe('basic values', () => {
  const points = (sample: Sample, more: object = {}) =>
    basicGeneration.evaluate(
      { ...sampleState(sample), ...more },
      metricSpec('x', { names: [] }),
      adapter({ numTrainTrials: 2 }),
    )

  it('count tokens of all completions, and keep whole logarithms whole', () => {
    const tokens = [
      { text: 'a', logprob: -1 },
      { text: 'b', logprob: -2 },
    ]
    const whole = points({
      answers: [completion('ab', { tokens }), completion('a', { tokens: tokens.slice(1) })],
    })
    const named = new Map(whole.map((point) => [point.name, point]))
    expect(named.get('num_completion_tokens')?.value).toBe(3)
    expect(named.get('num_perplexity_tokens')?.value).toBe(2)
    expect(named.get('logprob')).toEqual({ name: 'logprob', value: -3, float: false })
    expect(named.get('num_train_trials')?.value).toBe(2)
    const [first = { text: '', logprob: 0 }] = tokens
    const broken = points({ answers: [completion('ab', { tokens: [first, { text: 'b', logprob: -0.5 }] })] })
    expect(broken.find(({ name }) => name === 'logprob')).toMatchObject({ value: -1.5, float: true })
  })

  it('leave out what a tokenizer would have counted, and tell a prompt that was cut', () => {
    const found = points({}, { numPromptTokens: null, promptTruncated: true, numTrainInstances: 4 })
    const named = new Map(found.map(({ name, value }) => [name, value]))
    expect([
      named.get('num_prompt_tokens'),
      named.get('prompt_truncated'),
      named.get('num_train_instances'),
    ]).toEqual([null, 1, 4])
  })
})

describe('HealthBench', () => {
  const spec = {
    helm: {
      className: 'x',
      args: new Map<string, PyValue>([
        ['metric_name', 'demo'],
        ['scenario_name', 'demo'],
        [
          'annotator_models',
          new Map<string, PyValue>([
            ['one', null],
            ['two', null],
          ]),
        ],
      ]),
    },
  }

  it('names its score as the run does', () => {
    expect(healthBench.given?.(new Map([['metric_name', 'demo']])).map(({ name }) => name)).toEqual([
      'demo',
      'demo:below_zero',
      'overall_score',
    ])
    expect(healthBench.given?.(new Map()).map(({ name }) => name)).toContain('<metric_name>')
    expect(healthBench.lead?.name(new Map([['metric_name', 'demo']]))).toBe('demo')
    expect(healthBench.lead?.name(new Map([['metric_name', 3]]))).toBeUndefined()
    expect(healthBench.own?.map(({ name }) => name)).toEqual(['jury_coverage'])
  })

  it('has no value without a judgement of each judge, and needs an annotation', () => {
    expect(
      valuesOf(healthBench, { annotations: new Map([['demo', new Map([['one', null]])]]) }, spec),
    ).toEqual([])
    expect(() => valuesOf(healthBench, {}, spec)).toThrow(/no-points|points/)
  })
})

it('embeddings come back from the store, by encoder and token ids', async () => {
  const kept = new Map<string, unknown>()
  const store = {
    get: (table: string, id: string) => kept.get(`${table} ${id}`),
    put: async (table: string, id: string, value: unknown) => void kept.set(`${table} ${id}`, value),
  } as unknown as Store
  const cache = embeddingCache(store, { model: 'a' })
  expect(cache.get([1, 2])).toBeUndefined()
  const values = Float32Array.of(9, 0.5, -2, 3.25).subarray(1)
  await cache.put([1, 2], { size: 3, values })
  expect(cache.get([1, 2])).toEqual({ size: 3, values: Float32Array.of(0.5, -2, 3.25) })
  expect(cache.get([12])).toBeUndefined()
  expect(embeddingCache(store, { model: 'b' }).get([1, 2])).toBeUndefined()
})
