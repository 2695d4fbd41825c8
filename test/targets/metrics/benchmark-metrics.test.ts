import { describe, expect, it } from 'vitest'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { billingCodes, findBillingCodes } from '../../../targets/metrics/billing-codes.ts'
import { medcalcBench, gestationalDays, monthDayYear } from '../../../targets/metrics/medcalc-bench.ts'
import { medec } from '../../../targets/metrics/medec.ts'
import type { Metric } from '../../../targets/metrics/metric.ts'
import { shared } from '../../rig/shared.ts'
import { goldenLines, textOf, type Row } from './golden-lines.ts'
import { adapter, metricSpec, sampleState, typed } from './sample-state.ts'

type Sample = Parameters<typeof sampleState>[0]

const values = (metric: Metric, sample: Sample): readonly PyValue[] =>
  typed(metric.evaluate(sampleState(sample), metricSpec(metric.id), adapter()))

const calculation = (category: string, lower: PyValue, upper: PyValue): Sample => ({
  golds: ['5'],
  extraData: new Map<string, PyValue>([
    ['category', category],
    ['lower_limit', lower],
    ['upper_limit', upper],
  ]),
})

const accuracy = (sample: Sample, answer: string): PyValue =>
  (values(medcalcBench, { ...sample, answers: [answer] })[0] as readonly PyValue[])[1] ?? null

describe('MedCalc-Bench', () => {
  it('takes numbers between the limits, ends included, and Python’s spellings of them', () => {
    const sample = calculation('physical', '4.75', '5.25')
    expect(
      ['4.75', ' 5.25 ', '5.26', '0_5', '5 mg', 'nan'].map((answer) => accuracy(sample, answer)),
    ).toEqual([1, 1, 0, 1, 0, 0])
  })

  it('takes dates between the limits', () => {
    const sample = calculation('date', '02/27/2020', '03/01/2020')
    expect(
      ['02/29/2020', '2/29/2020', '02/30/2020', '03/02/2020'].map((answer) => accuracy(sample, answer)),
    ).toEqual([1, 1, 0, 0])
  })

  it('scores laboratory items 0 whatever the answer, as HELM does', () => {
    expect(accuracy(calculation('lab', '4', '6'), '5')).toBe(0)
  })

  it.each(['risk', 'severity', 'diagnosis'])('asks for the very text where a %s is wanted', (category) => {
    const sample = { ...calculation(category, '4', '6'), golds: ['severe'] }
    expect(['severe', ' severe\n', 'Severe', '5'].map((answer) => accuracy(sample, answer))).toEqual([
      1, 1, 0, 0,
    ])
  })

  it('refuses an instance without limits', () => {
    expect(() => accuracy(calculation('physical', null, '6'), '5')).toThrow('targets/bad-extra-data')
    expect(() => accuracy({ golds: ['5'] }, '5')).toThrow('targets/bad-extra-data')
  })

  it('orders dates and gestational ages', () => {
    expect(gestationalDays("('38 weeks', '2 days')")).toBe(268)
    expect(monthDayYear('12/31/1999')).toBeLessThan(monthDayYear('1/1/2000') ?? 0)
    expect([monthDayYear('02/29/1900'), monthDayYear('01/01/0000')]).toEqual([undefined, undefined])
  })
})

describe('MEDEC', () => {
  it('asks for the flag, and for the sentence that no gold names', () => {
    expect(values(medec, { golds: ['CORRECT'], answers: [' CORRECT\n'] })).toEqual([
      ['medec_error_flag_accuracy', 1],
      ['medec_error_sentence_accuracy', 1],
    ])
    expect(values(medec, { golds: ['5 Gave aspirin.'], answers: ['5 Gave aspirin.'] })).toEqual([
      ['medec_error_flag_accuracy', 1],
      ['medec_error_sentence_accuracy', 0],
    ])
  })
})

describe('MEDEC, by hand', () => {
  const scored = (sample: Sample): readonly PyValue[] =>
    values(medec, sample).map((each) => (each as readonly PyValue[])[1] ?? null)

  it('counts an error that was overlooked as wrong twice', () => {
    expect(scored({ golds: ['5 Gave aspirin.'], answers: ['CORRECT'] })).toEqual([0, 0])
    expect(scored({ golds: ['CORRECT'], answers: ['5 Gave aspirin.'] })).toEqual([0, 0])
  })

  it('reads the correct reference without its full stops', () => {
    expect(scored({ golds: ['..5.'], answers: ['5 Gave aspirin.'] })).toEqual([1, 1])
    expect(scored({ golds: ['.CORRECT.'], answers: ['CORRECT'] })).toEqual([1, 1])
    const second = { golds: ['CORRECT', '5'], correct: [false, true] }
    expect(scored({ ...second, answers: ['5'] })).toEqual([1, 1])
  })
})

describe('billing codes', () => {
  it('are found as HELM finds them', () => {
    expect(findBillingCodes('**S72.001A**, T45.1X5A; Z79.01. E785 e11.9 0DTJ4ZZ B548ZZA')).toEqual([
      'S72',
      'T45',
      'Z79.01',
      'E785',
    ])
  })

  it('have up to four digits behind the point, and no asterisks within', () => {
    expect(findBillingCodes('T45.1234 T45.12345 **E11**.9 and I**10**')).toEqual([
      'T45.1234',
      'T45',
      'E11.9',
      'I10',
    ])
  })

  it('have no score but a failure when neither side holds one', () => {
    const state = sampleState({ golds: ['none'], answers: ['none'] })
    expect(billingCodes.evaluate(state, metricSpec('x'), adapter())).toEqual([])
    expect(billingCodes.failures?.(state, metricSpec('x'))[0]?.cause.code).toBe('no-codes')
  })
})

const list = (value: PyValue | undefined): readonly string[] =>
  (Array.isArray(value) ? value : [value]) as readonly string[]

const sampleOf = (row: Row): Sample => {
  const extra = row.get('extra')
  return {
    golds: list(row.get('gold')),
    correct: (row.get('correct') as readonly boolean[] | undefined) ?? list(row.get('gold')).map(() => true),
    answers: list(row.get('pred')),
    ...(extra instanceof Map ? { extraData: extra as ReadonlyMap<string, PyValue> } : {}),
  }
}

/** The metric's values, or `refused` where HELM raises. */
const outcome = (metric: Metric, row: Row): PyValue => {
  const state = sampleState(sampleOf(row))
  try {
    const points = metric.evaluate(state, metricSpec(metric.id), adapter())
    const failed = (metric.failures?.(state, metricSpec(metric.id)) ?? []).length > 0
    return failed && points.length === 0 ? 'refused' : typed(points)
  } catch (error) {
    if (error instanceof ProblemError) return 'refused'
    throw error
  }
}

describe.skipIf(shared('golden/metrics') === undefined)('golden values of HELM', () => {
  it.each([
    ['medcalc.jsonl', 829, medcalcBench],
    ['medec.jsonl', 1391, medec],
    ['billing-codes.jsonl', 486, billingCodes],
  ])('in %s are all met', (file, count, metric) => {
    const rows = goldenLines(file)
    expect(rows).toHaveLength(count)
    for (const row of rows)
      expect(outcome(metric, row), `row ${row.get('id') as number}`).toEqual(row.get('stats') ?? 'refused')
  })

  it('hold the codes that are found here', () => {
    for (const row of goldenLines('billing-codes.jsonl')) {
      if (typeof row.get('pred') !== 'string') continue
      expect(findBillingCodes(textOf(row, 'pred'))).toEqual(row.get('pred_codes'))
    }
  })
})
