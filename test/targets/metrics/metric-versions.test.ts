import { describe, expect, it } from 'vitest'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { METRIC_IDS, metricOf } from '../../../targets/metrics/catalog.ts'
import { parseReply } from '../../../targets/jury/judge-scores.ts'
import { dialectOf } from '../../../targets/profile.ts'
import { adapter, completion, metricSpec, sampleState, typed } from './sample-state.ts'

const NAMES = [
  'exact_match',
  'quasi_exact_match',
  'prefix_exact_match',
  'quasi_prefix_exact_match',
  'quasi_leave_articles_exact_match',
  'exact_match_indicator',
  'final_number_exact_match',
  'f1_score',
  'rouge_1',
  'rouge_2',
  'rouge_l',
]

const verdict = (score: PyValue): PyValue => new Map([['accuracy', new Map([['score', score]])]])

/** Rows of queries: Python holds 2.0 and 2 equal. */
const ONE_A: PyValue = [1, 'a']
const TWO_NULL: PyValue = [float(2), null]

/** Answers that between them touch every rule of every metric. */
const STATES: readonly (readonly [gold: string, answer: string])[] = [
  [
    'The patient has pneumonia (J18.9) and takes 500mg.',
    'Patient has a pneumonia: J18.9, E11.65; takes 500 mg.',
  ],
  ['CORRECT', 'CORRECT'],
  ['3 Gave aspirin.', '3'],
  ['03/04/2020', '3/5/2020'],
  ["It's A", 'a'],
  ['', ''],
]

/** Replies of which every rule for a rating reads one. */
const RATED = [
  'Rating: +1',
  'Rating: 10',
  'x Rating: -1 Rating: +2',
  'Rating: +1+2',
  'rating: 0',
  'Rating: 0 0',
] as const

const statesFor = (id: string) =>
  STATES.map(([gold, answer], index) =>
    sampleState({
      id: index,
      input: "The patient isn't well: fever, cough; 500mg b.i.d. since 3/1/2020 (pneumonia?) Patient has it.",
      golds: [gold, 'another', '{a reference}'],
      answers: [
        completion(id === 'sct_bench' ? (RATED[index] ?? '') : answer, {
          tokens: [{ text: 'bytes:\\xe2', logprob: -0.5 }],
          finishReason: 'length',
        }),
      ],
      extraData: new Map<string, PyValue>([
        ['category', ['physical', 'date', 'risk', 'date', 'lab', 'severity'][index] ?? ''],
        ['lower_limit', index === 0 ? '1' : '03/01/2020'],
        ['upper_limit', index === 0 ? '2' : '03/09/2020'],
        ['expert_distribution', [0, 1, 4, index, 2].map(float)],
      ]),
      annotations: new Map<string, PyValue>([
        [
          'demo',
          new Map<string, PyValue>([
            ['gpt', verdict([2, '4', true, float(3), 2.9, null][index] ?? null)],
            ['claude', verdict(5)],
          ]),
        ],
        [
          'ehr_sql',
          new Map<string, PyValue>([
            ['predicted_result', [ONE_A, TWO_NULL].slice(0, index)],
            ['ground_truth_result', index === 5 ? [] : [[2, null], ONE_A, ONE_A].slice(0, index + 1)],
            ['query_error', index === 0 ? 'no such table: x' : null],
          ]),
        ],
      ]),
    }),
  )

const ARGUMENTS = {
  names: NAMES,
  metric_name: 'demo_accuracy',
  scenario_name: 'demo',
  annotator_models: new Map([
    ['gpt', null],
    ['claude', null],
  ]),
  default_score: float(1),
}

const valuesDigest = async (id: string): Promise<string> => {
  const metric = metricOf(id)
  const spec = metricSpec(id, ARGUMENTS)
  const values = statesFor(id).map((state) => typed(metric.evaluate(state, spec, adapter({ numOutputs: 5 }))))
  return `${metric.version} ${digestOf<'text'>(dumps(values)).slice(0, 16)}`
}

/**
 * Version of each metric and a digest of its values for the answers above. When a value changes on purpose, raise the
 * metric's version and write both here: results in users' stores are kept by version.
 */
const PINNED: Readonly<Record<string, string>> = {
  basic_generation: '1.0.0 cee91adf5e0507f0',
  basic_reference: '1.0.0 4eceefa0f0e75652',
  instances_per_split: '1.0.0 4eceefa0f0e75652',
  llm_jury: '1.0.0 f3cd3b1ba1f6cc72',
  summarization: '1.0.0 ba1dd0571b831d69',
  medcalc_bench: '1.0.0 3410ecc744b60150',
  medec: '1.0.0 028098899ca7bd95',
  ehr_sql: '1.0.0 b875b6f26087b46b',
  sct_bench: '1.0.0 0a8ecc19ecea64f6',
  mimiciv_billing_code: '1.0.0 d828bea1573d2e54',
}

describe('values and versions of metrics', () => {
  it.each(METRIC_IDS.filter((id) => id !== 'health_bench'))(
    '%s has not changed without a new version',
    async (id) => {
      expect(await valuesDigest(id)).toBe(PINNED[id])
    },
  )

  it('the reply parser has not changed without a new version', () => {
    const replies = ['{"a": {"score": 1}', '{"a": "score"}', 'x', '[]', '{"a": 1}', '{"b": {}}', '{"a": {}}']
    const outcomes = replies.map((reply) => parseReply(reply, new Map([['a', ['score']]])))
    const kinds = outcomes.map((outcome) => (outcome.kind === 'failed' ? outcome.cause.code : outcome.kind))
    expect([dialectOf('helm-0.5.16').parser, ...kinds]).toEqual([
      'helm-0.5.16/1',
      'done',
      'done',
      'unparseable',
      'not-an-object',
      'not-an-object',
      'missing-criterion',
      'missing-key',
    ])
  })

  it('suggest the id that was meant', () => {
    expect(() => metricOf('summarisation')).toThrow(
      expect.objectContaining({
        problems: [
          expect.objectContaining({
            code: 'targets/unknown-metric',
            remedy: expect.stringContaining('"summarization"'),
          }),
        ],
      }),
    )
  })
})
