import { describe, expect, it } from 'vitest'
import type { Jury } from '../../../../benchmarks/scenario/benchmark.ts'
import { calibrateBenchmark, calibrateScenarios } from '../../../../targets/jury/study/calibrate.ts'
import type { JudgedAnswer } from '../../../../targets/jury/study/calibrated-score.ts'
import { labelsForMean } from '../../../../targets/statistics/calibration/labels-needed.ts'
import {
  predictionPoweredDifference,
  predictionPoweredMean,
} from '../../../../targets/statistics/calibration/prediction-powered.ts'
import { answers, model, one, MIXED } from './judged-answers.ts'

describe('the scores of a random sample', () => {
  it('are estimated from each model’s own labels, and its answers are counted', () => {
    const { lambda, estimate, interval } = predictionPoweredMean(
      { labels: [4, 4, 1], predictions: [3, 5, 2], unlabelled: [4, 1] },
      0.95,
    )
    expect(one(answers(MIXED))).toEqual({
      run: 'bench:model=a',
      model: 'a',
      raters: 0,
      sample: 'random',
      labels: 3,
      unlabelled: 2,
      raw: 3,
      lambda,
      value: estimate,
      interval: { low: Math.max(1, interval?.low ?? NaN), high: Math.min(5, interval?.high ?? NaN) },
      // 4 / √(6 · 14/3)
      correlation: expect.closeTo(0.7559289460184544, 12),
      unexplained: expect.closeTo(spread([4 - 3 * lambda, 4 - 5 * lambda, 1 - 2 * lambda]), 12),
    })
  })

  it('of rubrics of each instance reach from the least score that anybody gave, if none is above 0, to 1', () => {
    const scaleOf = (...labels: readonly number[]) =>
      calibrateScenarios([
        {
          ...model('a', answers([[0.5, null], ...labels.map((label) => [-0.25, label] as const)])),
          scenario: 's',
          jury: { scale: { least: 1, most: 5 }, grading: {} } as unknown as Jury,
        },
      ])[0]?.calibration.scale
    expect([scaleOf(), scaleOf(0.5), scaleOf(0.5, -0.75)]).toEqual([
      [0, 1],
      [-0.25, 1],
      [-0.75, 1],
    ])
  })

  it('are on the scale that clinicians rate by, unless a judge used more of the declared one', () => {
    const scaleOf = (least: number) =>
      calibrateScenarios([
        {
          ...model(
            'a',
            answers([
              [least, 4],
              [5, null],
            ]),
          ),
          scenario: 's',
          jury: {
            template: 'Accuracy (1-5)\n{RESPONSE}',
            criteria: new Map([['accuracy', ['score']]]),
            scale: { least: 0, most: 5 },
          },
        },
      ])[0]?.calibration.scale
    expect([scaleOf(1), scaleOf(0)]).toEqual([
      [1, 5],
      [0, 5],
    ])
  })

  it('have an interval of sources where answers share them', () => {
    const rows = [
      [3, 4],
      [5, 4],
      [2, 1],
      [4, 3],
      [1, null],
      [2, null],
    ] as const
    const shared = one(answers(rows, (index) => (index < 2 ? { source: 'p' } : {})))
    const { interval } = predictionPoweredMean(
      {
        labels: [4, 4, 1, 3],
        predictions: [3, 5, 2, 4],
        unlabelled: [1, 2],
        sources: {
          labelled: ['source p', 'source p', 'instance i2', 'instance i3'],
          unlabelled: ['instance i4', 'instance i5'],
        },
      },
      0.95,
    )
    expect(shared?.interval?.low).toBeCloseTo(Math.max(1, interval?.low ?? NaN), 12)
    expect(shared?.interval?.high).toBeCloseTo(Math.min(5, interval?.high ?? NaN), 12)
    expect(shared?.interval).not.toEqual(one(answers(rows))?.interval)
    const alike = one(
      answers(
        [
          [3, 4],
          [5, 4],
          [2, 1],
        ],
        () => ({ source: 'p' }),
      ),
    )
    expect([alike?.interval, alike?.reason]).toEqual([null, 'all labels are of one source'])
  })

  it('have no interval that would look sure, and say why', () => {
    expect(one([])).toMatchObject({ labels: 0, unlabelled: 0, raw: null, value: null, correlation: null })
    const bare = { value: null, interval: null, lambda: null, correlation: null, unexplained: null }
    expect(
      one(
        answers([
          [2, null],
          [5, null],
        ]),
      ),
    ).toMatchObject({
      ...bare,
      raw: 3.5,
      reason: 'no clinician rated any of them',
    })
    expect(
      one(
        answers([
          [2, 5],
          [3, null],
        ]),
      ),
    ).toMatchObject({
      labels: 1,
      interval: null,
      unexplained: null,
      correlation: null,
      reason: 'one label tells no spread',
    })
    const patient = answers(
      [
        [2, 5],
        [3, 4],
        [3, null],
      ],
      () => ({ source: 'one patient' }),
    )
    expect(one(patient)).toMatchObject({ labels: 2, interval: null, reason: 'all labels are of one source' })
    expect(
      one(
        answers([
          [2, 3],
          [3, 3],
          [4, 3],
        ]),
      ),
    ).toMatchObject({
      value: 3,
      interval: null,
      correlation: null,
      reason: 'the labels have no spread',
    })
    const two = one(
      answers([
        [2, 3],
        [4, 4],
      ]),
    )
    expect([two?.value, two?.reason, two?.interval === null]).toEqual([3.5, undefined, false])
  })

  it('are told the correlation from two labels on', () => {
    expect(
      one(
        answers([
          [3, 4],
          [5, 4.5],
          [2, null],
        ]),
      )?.correlation,
    ).toBeCloseTo(1, 12)
    expect(
      one(
        answers([
          [3, 4],
          [5, 2],
          [2, null],
        ]),
      )?.correlation,
    ).toBeCloseTo(-1, 12)
    expect(
      one(
        answers([
          [3, 4],
          [2, null],
        ]),
      )?.correlation,
    ).toBeNull()
  })

  it('say how many labels a wished half-width takes', () => {
    expect(one(answers(MIXED))).not.toHaveProperty('labelsNeeded')
    const many = answers(
      Array.from({ length: 50 }, (_, index) => [1 + (index % 5), index < 5 ? 1 + ((index * 2) % 5) : null]),
    )
    const { correlation, labelsNeeded } = one(many, { halfWidth: 0.8 }) ?? {}
    // Labels 1, 3, 5, 2, 4: variance 2.5.
    expect(labelsNeeded).toBe(
      labelsForMean({ total: 50, variance: 2.5, correlation: correlation ?? NaN, halfWidth: 0.8 }, 0.95),
    )
    expect(labelsNeeded).toBeGreaterThan(5)
    // A jury that gives all the same tells nothing: 2.5 · (1.96 / 0.8)² = 15.01 labels.
    const constant = answers(
      Array.from({ length: 50 }, (_, index) => [3, index < 5 ? 1 + ((index * 2) % 5) : null]),
    )
    expect(one(constant, { halfWidth: 0.8 })).toMatchObject({ correlation: null, labelsNeeded: 16 })
    expect(
      one(
        answers([
          [2, 3],
          [3, null],
        ]),
        { halfWidth: 1 },
      )?.labelsNeeded,
    ).toBeNull()
    expect(
      one(
        answers([
          [2, 3],
          [3, 3],
        ]),
        { halfWidth: 1 },
      )?.labelsNeeded,
    ).toBeNull()
  })

  it('of a plan, which may draw more of what the jury calls wrong, tell no rate of its errors', () => {
    // 800 called right, of which 90 % are, and 200 called wrong, of which 30 % are right: 40 of each were rated.
    const called = (jury: 0 | 1, count: number, right: number): JudgedAnswer[] =>
      Array.from({ length: count }, (_, at) => ({
        instance: `${jury} ${at}`,
        jury,
        label: at >= 40 ? null : Number(at < right),
        planned: { stratum: jury, isDrawn: at < 40 },
      }))
    const found = one([...called(1, 800, 36), ...called(0, 200, 12)], { scale: [0, 1] })
    expect(found?.value).toBeCloseTo(0.78, 12)
    expect(found).not.toHaveProperty('verdicts')
  })

  it('of 0 and 1 are put right as verdicts, by the errors on all models’ labels', () => {
    const a = answers([
      [1, 1],
      [1, 0],
      [0, 0],
      [1, null],
      [0, null],
      [1, null],
    ])
    const b = answers([
      [1, 1],
      [1, 1],
      [0, 1],
      [0, 0],
      [0, 0],
    ])
    const { models } = calibrateBenchmark('bench', [model('a', a), model('b', b)], { scale: [0, 1] })
    // 3 of the 4 right ones found, 3 of the 4 wrong ones left: (4/6 + 3/4 − 1) / (3/4 + 3/4 − 1).
    expect(models[0]?.verdicts).toMatchObject({ raw: 4 / 6, estimate: expect.closeTo(5 / 6, 12) })
    // (2/5 − 1/4) / (1/2)
    expect(models[1]?.verdicts).toMatchObject({ raw: 0.4, estimate: expect.closeTo(0.3, 12) })
    for (const [own, scale] of [
      [
        answers([
          [1, 1],
          [0.5, 0],
        ]),
        [0, 1],
      ],
      [
        answers([
          [1, 0.5],
          [0, 0],
        ]),
        [0, 1],
      ],
      [
        answers([
          [1, 1],
          [0, 0],
        ]),
        [0, 2],
      ],
      [
        answers([
          [1, 1],
          [1, 1],
        ]),
        [1, 1],
      ],
    ] as const)
      expect(one(own, { scale })).not.toHaveProperty('verdicts')
  })
})

describe('the difference of two models', () => {
  it('never lies beyond the ends of the scale, nor does its interval', () => {
    const rated = (...rows: readonly (readonly [number, number])[]) => answers(rows)
    const [pair] = calibrateBenchmark(
      'bench',
      [model('a', rated([3, 1], [3, 5], [3, 1])), model('b', rated([3, 5], [3, 1], [3, 5]))],
      { scale: [1, 5] },
    ).pairs
    // Differences 4, −4 and 4: far less sure than the scale is wide.
    expect(pair?.interval).toEqual({ low: -4, high: 4 })
    expect(pair?.value).toBeCloseTo(4 / 3, 12)
  })

  it('rests on the instances of both, a label of one of them left aside', () => {
    const a = answers([
      [3, 4],
      [5, 4],
      [2, 1],
      [4, 3],
      [1, null],
    ])
    const b = answers([
      [4, 5],
      [4, 5],
      [2, 3],
      [5, null],
      [3, 2],
      [1, 1],
    ]).toReversed()
    const { pairs } = calibrateBenchmark('bench', [model('a', a), model('b', b), model('c', a)], {
      scale: [1, 5],
    })
    expect(pairs.map((pair) => [pair.a, pair.b])).toEqual([
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'c'],
    ])
    const left = { labels: [4, 4, 1], predictions: [3, 5, 2], unlabelled: [4, 1] }
    const right = { labels: [5, 5, 3], predictions: [4, 4, 2], unlabelled: [5, 3] }
    const { lambda, estimate, interval } = predictionPoweredDifference(left, right, 0.95)
    expect(pairs[0]).toMatchObject({ labels: 3, unlabelled: 2, lambda, value: estimate })
    // 1, −1, 0 and 1, 2
    expect(pairs[0]?.raw).toBeCloseTo(0.6, 12)
    expect(pairs[0]?.interval?.low).toBeCloseTo(Math.max(-4, interval?.low ?? NaN), 12)
    expect(pairs[0]?.interval?.high).toBeCloseTo(Math.min(4, interval?.high ?? NaN), 12)
    expect(pairs[1]).toMatchObject({ value: 0, interval: null, reason: 'the labels have no spread' })
    const none = calibrateBenchmark('bench', [model('a', a), model('z', [])], { scale: [1, 5] }).pairs[0]
    expect(none).toMatchObject({ raw: null, value: null, reason: 'no clinician rated any of them' })
  })
})

const spread = (values: readonly number[]): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
}
