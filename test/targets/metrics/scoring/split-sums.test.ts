import { describe, expect, it } from 'vitest'
import { metricOf } from '../../../../targets/metrics/catalog.ts'
import { gestationalDays, monthDayYear } from '../../../../targets/metrics/medcalc-bench.ts'
import { StatsAggregator } from '../../../../targets/metrics/scoring/aggregate-run.ts'
import { calibrationStats } from '../../../../targets/metrics/scoring/calibration-stats.ts'
import { mapAnswer } from '../../../../targets/metrics/scoring/map-answer.ts'
import { emptyPoint, floatPoint, intPoint } from '../../../../targets/metrics/metric.ts'
import { Tally, clippedMean } from '../../../../targets/metrics/scoring/trial-sums.ts'
import { dataStats } from '../../../../targets/metrics/text/extractive-fragments.ts'

describe('sums over a split', () => {
  const context = (id: string, split: 'test' | 'valid' = 'test') => ({
    instance: { id, split },
    trainTrialIndex: 0,
  })

  it('of HealthBench cut all means but the run’s own, each with its error', () => {
    const aggregator = new StatsAggregator([metricOf('health_bench')])
    const add = (id: string, own: number, tag: number): void =>
      aggregator.add(context(id), [
        [floatPoint('demo', own), floatPoint('demo:below_zero', own < 0 ? 1 : 0), floatPoint('theme', tag)],
      ])
    add('a', -3, -1)
    add('b', 1, 0.5)
    const found = aggregator.result().stats.map(({ name, mean, count }) => [name.name, mean, count])
    expect(found.slice(0, 3)).toEqual([
      ['demo', -1, 1],
      ['demo:below_zero', 0.5, 1],
      ['theme', 0, 1],
    ])
    expect(found[3]?.[0]).toBe('theme:bootstrap_std')
    // −1 is cut to 0, −0.25 too, 0.5 comes up in a quarter: √(3/16) · 0.5.
    expect(Math.abs(Number(found[3]?.[1]) - Math.sqrt(3 / 16) / 2)).toBeLessThan(0.01)
    expect(found).toHaveLength(4)
  })

  it('of HealthBench cut a tag that begins as the run’s own score does', () => {
    const aggregator = new StatsAggregator([metricOf('health_bench')])
    aggregator.add(context('a'), [[floatPoint('overall', -1), floatPoint('overall_score', -1)]])
    const found = aggregator.result().stats.map(({ name, mean }) => [name.name, mean])
    expect(found).toEqual([
      ['overall', -1],
      ['overall_score', 0],
      ['overall_score:bootstrap_std', 0],
    ])
  })

  it('of HealthBench take nothing for what has no value', () => {
    const aggregator = new StatsAggregator([metricOf('health_bench')])
    for (const [id, tag] of [
      ['a', floatPoint('theme', 0.5)],
      ['b', emptyPoint('theme')],
    ] as const)
      aggregator.add(context(id), [[floatPoint('demo', 1), tag]])
    const found = aggregator.result().stats.map(({ name, mean }) => [name.name, mean])
    expect(found).toEqual([
      ['demo', 1],
      ['theme', 0.5],
      ['theme:bootstrap_std', 0],
    ])
    const none = new StatsAggregator([metricOf('health_bench')])
    none.add(context('a'), [[floatPoint('demo', 1), emptyPoint('theme')]])
    expect(none.result().stats.map(({ name, count }) => [name.name, count])).toEqual([
      ['demo', 1],
      ['theme', 0],
    ])
  })

  it('of answers tell calibration where one was less than sure and was held against references', () => {
    const stats = (logprob: number, more: readonly ReturnType<typeof intPoint>[]) => {
      const aggregator = new StatsAggregator([metricOf('basic_generation')])
      for (const [at, correct] of [1, 0, 1, 1].entries())
        aggregator.add(context(`${at}`), [
          [
            floatPoint('max_prob', 0.9 - at / 10),
            intPoint('exact_match', correct),
            floatPoint('logprob', logprob),
            ...more,
          ],
        ])
      return new Map(
        aggregator
          .result()
          .stats.filter(({ name }) => name.perturbation === undefined)
          .map(({ name, mean }) => [name.name, mean]),
      )
    }
    // Surest first: right, wrong, right, right; mean confidence 0.75 as often as right.
    expect(stats(-0.5, []).get('selective_cov_acc_area')).toBeCloseTo((1 + 1 / 2 + 2 / 3 + 3 / 4) / 4, 12)
    expect(stats(-0.5, []).get('ece_1_bin')).toBeCloseTo(0, 12)
    expect(stats(-0.5, []).get('selective_acc@10')).toBe(1)
    expect(stats(0, []).has('ece_1_bin')).toBe(false)
  })

  it('of no answers have no calibration, and of all alike no scaling to look for', () => {
    expect(calibrationStats([])).toEqual({ points: [], hasScaling: true })
    const alike = calibrationStats([
      { probability: 0.6, correct: true },
      { probability: 0.8, correct: true },
    ])
    const named = new Map(alike.points.map(({ name, value }) => [name, value]))
    expect(named.get('ece_1_bin')).toBeCloseTo(0.3, 12)
    expect([named.get('platt_ece_1_bin'), named.get('platt_coef'), alike.hasScaling]).toEqual([
      0,
      undefined,
      true,
    ])
  })

  it('merge floats as floats', () => {
    const [ints, floats] = [new Tally(), new Tally()]
    ints.add(1, false)
    floats.add(2, true)
    ints.merge(floats)
    expect(ints.stat({ name: 'x' })).toMatchObject({ float: true, min: 1, max: 2, sum: 3 })
  })
})

it('means are cut to 0 … 1 once they are formed, and so are those of resamples', () => {
  const { mean, bootstrapStd } = clippedMean([-1, 1], 'a')
  expect(mean).toBe(0)
  // 0, 0 and 1 with ¼, ½ and ¼.
  expect(Math.abs(bootstrapStd - Math.sqrt(3) / 4)).toBeLessThan(0.02)
  // A thousand draws: the share of ones, p where √(p(1 − p)) is the deviation, has three decimals.
  const thousandths = 500 * (1 - Math.sqrt(1 - 4 * bootstrapStd ** 2))
  expect(thousandths).toBeCloseTo(Math.round(thousandths), 9)
  const { mean: high, bootstrapStd: above } = clippedMean([1, 3], 'a')
  expect([high, above]).toEqual([1, 0])
  // Within six standard errors of an end resamples are drawn, though none of these is cut: 0.15 / √10 but for chance.
  for (const near of [0, 1]) {
    const values = Array.from({ length: 10 }, (_, at) => (at === 0 ? 0.5 : near))
    const { bootstrapStd: drawn } = clippedMean(values, 'a')
    expect(Math.abs(drawn - 0.15 / Math.sqrt(10))).toBeGreaterThan(1e-9)
    expect(drawn).toBeCloseTo(0.15 / Math.sqrt(10), 2)
  }
  const far = clippedMean(
    Array.from({ length: 100 }, (_, at) => 0.4 + (at % 2) / 5),
    'a',
  )
  expect(far.mean).toBeCloseTo(0.5, 12)
  expect(far.bootstrapStd).toBeCloseTo(0.01, 12)
})

it('answers name options as Python’s expressions find them', () => {
  const options = new Map([
    ['A', 'yes'],
    ['b', 'no'],
  ])
  expect(mapAnswer('A', options, undefined)).toBe('yes')
  expect(mapAnswer('A.', options, undefined)).toBeUndefined()
  expect(mapAnswer('answer: A!', options, '(?i)ANSWER: (.)')).toBe('yes')
  expect(mapAnswer('answer: A!', options, 'ANSWER: (.)')).toBeUndefined()
  expect(mapAnswer('so b it is', options, 'b')).toBe('no')
  expect(mapAnswer('so b it is', options, '(x)?b')).toBeUndefined()
  expect(() => mapAnswer('A', options, 'x(?i)A')).toThrow('targets/bad-output-mapping-pattern')
})

it('dates and gestational ages are read as Python does, or not at all', () => {
  expect([
    gestationalDays("('1 weeks', '6 days')"),
    gestationalDays('38 weeks'),
    gestationalDays(''),
  ]).toEqual([13, undefined, undefined])
  const order = ['01/31/2020', '2/1/2020', '02/29/2020', '3/ 1/2020', '12/31/2020', '1/1/2021'].map(
    monthDayYear,
  )
  expect(order).not.toContain(undefined)
  expect(order).toEqual(order.toSorted((a = 0, b = 0) => a - b))
  expect(new Set(order).size).toBe(6)
  // As 2000, the year 400 is a leap year; 1900 is none.
  expect(monthDayYear('02/29/0400')).toBeDefined()
  for (const wrong of [
    '02/29/1900',
    '02/29/0100',
    '13/01/2020',
    '04/31/2020',
    '02/29/2021',
    '1/1/20',
    '2020-01-01',
    '1/1/0000',
    '',
  ])
    expect(monthDayYear(wrong), wrong).toBeUndefined()
})

it('fragments of a summary are the longest of its source from where they start', () => {
  const words = (text: string): readonly string[] => text.split(' ')
  // "b c" and "a b c d": 6 of 7 words; 2² + 4² over 7; 9 over 7.
  const stats = dataStats(words('b c x A b c d'), words('a b q b c a b c d'))
  expect(stats.coverage).toBeCloseTo(6 / 7, 12)
  expect(stats.density).toBeCloseTo(20 / 7, 12)
  expect(stats.compression).toBeCloseTo(9 / 7, 12)
  expect(dataStats(words('a b'), words('b a'))).toMatchObject({ coverage: 1, density: 1, compression: 1 })
})
