import { describe, expect, it } from 'vitest'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { metricOf } from '../../../targets/metrics/catalog.ts'
import { metricKey } from '../../../targets/keys/keys.ts'
import { adapter, metricSpec, sampleState } from './sample-state.ts'

type Sample = Parameters<typeof sampleState>[0]

/** One value of a metric, with the errata reproduced and with those named corrected. */
const values = async (id: string, name: string, erratum: string, sample: Sample) => {
  const metric = metricOf(id)
  const spec = metricSpec(id, { names: [name] })
  return [spec, { ...spec, corrected: [erratum] }].map(
    (each) =>
      metric.evaluate(sampleState(sample), each, adapter()).find((point) => point.name === name)?.value,
  )
}

const rows = (predicted: readonly PyValue[], gold: readonly PyValue[], error: string | null) =>
  new Map<string, PyValue>([
    [
      'ehr_sql',
      new Map<string, PyValue>([
        ['predicted_result', predicted],
        ['ground_truth_result', gold],
        ['query_error', error],
      ]),
    ],
  ])

describe('a corrected erratum', () => {
  it.each([
    ['12 The drug was stopped.', '12', [0, 1]],
    ['12 The drug was stopped.', '3 The drug was stopped.', [0, 0]],
    ['CORRECT', 'CORRECT', [1, 1]],
  ])('MEDEC: the sentence of %s, answered by %s', async (gold, answer, expected) => {
    const sample = { golds: [gold], answers: [answer] }
    expect(await values('medec', 'medec_error_sentence_accuracy', 'sentence-accuracy', sample)).toEqual(
      expected,
    )
  })

  it.each([
    ['lab', '4.5', [0, 1]],
    ['dosage', '6', [0, 0]],
    ['physical', '4.5', [1, 1]],
    ['another', '4.5', [0, 0]],
  ])('MedCalc-Bench: the category %s, answered by %s', async (category, answer, expected) => {
    const extraData = new Map<string, PyValue>([
      ['category', category],
      ['lower_limit', float(4)],
      ['upper_limit', '5'],
    ])
    const sample = { golds: ['4.5'], answers: [answer], extraData }
    expect(await values('medcalc_bench', 'medcalc_bench_accuracy', 'lab-category', sample)).toEqual(expected)
  })

  it.each([
    ['A', 'B', [1, 0]],
    ['A', 'A', [1, 1]],
    ['B', 'B', [1, 1]],
    ['B', 'A', [0, 0]],
    ['?', '!', [1, 0]],
  ])('quasi-prefix match: %s, answered by %s', async (gold, answer, expected) => {
    const sample = { golds: [gold], answers: [answer] }
    const name = 'quasi_prefix_exact_match'
    expect(await values('basic_generation', name, 'quasi-prefix-match-of-a', sample)).toEqual(expected)
  })

  it.each([
    ['a query without rows', 'SELECT 1', null, [0, 1]],
    ['no query', '', 'No query generated', [1, 0]],
    ['a query that fails', 'SELECT', 'incomplete input', [0, 0]],
  ])('EHRSQL: gold without rows, answered by %s', async (_, answer, error, expected) => {
    const sample = { golds: ['SELECT 2'], answers: [answer], annotations: rows([], [], error) }
    expect(await values('ehr_sql', 'ehr_sql_execution_accuracy', 'empty-results', sample)).toEqual(expected)
  })

  it('is in the key of the metric that corrects it, and of no other', async () => {
    const keyOf = async (id: string) =>
      metricKey(
        metricOf(id),
        { ...metricSpec(id), corrected: ['sentence-accuracy', 'blank-rows'] },
        adapter(),
        'helm-0.5.16',
      )
    expect(await keyOf('medec')).toMatchObject({ corrected: ['sentence-accuracy'] })
    expect(await keyOf('basic_generation')).not.toHaveProperty('corrected')
    expect(await keyOf('basic_generation')).not.toHaveProperty('profile')
    expect(await keyOf('llm_jury')).toMatchObject({ profile: 'helm-0.5.16' })
  })
})
