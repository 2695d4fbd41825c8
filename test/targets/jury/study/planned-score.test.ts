import { describe, expect, it } from 'vitest'
import type { JudgedAnswer } from '../../../../targets/jury/study/calibrated-score.ts'
import { calibrateBenchmark } from '../../../../targets/jury/study/calibrate.ts'
import {
  labelsOfPlan,
  plannedPair,
  plannedScore,
  plannedStrata,
} from '../../../../targets/jury/study/planned-score.ts'
import { labelsForStratified } from '../../../../targets/statistics/calibration/labels-needed.ts'
import { stratifiedDifference } from '../../../../targets/statistics/calibration/stratified-difference.ts'
import { stratifiedMean } from '../../../../targets/statistics/calibration/stratified-mean.ts'
import { answers, model, one } from './judged-answers.ts'

/** Two strata, the first rated but for one answer that nobody drew. */
const PLANNED = answers(
  [
    [1, 2],
    [2, 2],
    [2, 1],
    [1, null],
    [4, 5],
    [5, 3],
    [4, 4],
    [5, null],
  ],
  (index) => ({ planned: { stratum: index < 4 ? 1 : 2, isDrawn: index !== 2 && index !== 3 } }),
)

describe('a planned sample', () => {
  it('is split by stratum, in order, with the drawn labels alone', () => {
    const strata = plannedStrata(PLANNED.toReversed())
    expect(strata).toMatchObject([
      {
        labels: [2, 2],
        predictions: [2, 1],
        all: [1, 2, 2, 1],
        sources: {
          labelled: ['instance i1', 'instance i0'],
          all: ['instance i3', 'instance i2', 'instance i1', 'instance i0'],
        },
      },
      {
        labels: [4, 3, 5],
        predictions: [4, 5, 4],
        all: [5, 4, 5, 4],
        sources: {
          labelled: ['instance i6', 'instance i5', 'instance i4'],
          all: ['instance i7', 'instance i6', 'instance i5', 'instance i4'],
        },
      },
    ])
    expect(plannedStrata([])).toBeUndefined()
    expect(plannedStrata([...PLANNED, { instance: 'z', jury: 1, label: 1 }])).toBeUndefined()
  })

  it('puts strata with fewer than two labels together', () => {
    const few = PLANNED.map((answer, index) => (index === 0 ? { ...answer, label: null } : answer))
    expect(plannedStrata(few)).toMatchObject([
      {
        weights: [2, 1, 1, 1],
        labels: [2, 5, 3, 4],
        predictions: [2, 4, 5, 4],
        all: [1, 2, 2, 1, 4, 5, 4, 5],
        sources: {
          labelled: ['instance i1', 'instance i4', 'instance i5', 'instance i6'],
          all: ['i0', 'i1', 'i2', 'i3', 'i4', 'i5', 'i6', 'i7'].map((name) => `instance ${name}`),
        },
      },
    ])
  })

  it('has no interval where strata that were drawn in unequal shares have to be put together', () => {
    // Of each ten that stand for two answers nine were drawn of the second stratum, three of the first.
    const uneven = (labelled: (index: number) => boolean, drawn: number): readonly JudgedAnswer[] =>
      answers(
        Array.from({ length: 20 }, (_, index): [number, number | null] => [
          index < 10 ? 2 : 4,
          labelled(index) ? (index < 10 ? 1 : 4) + (index % 2) : null,
        ]),
        (index) => ({
          planned: { stratum: index < 10 ? 1 : 2, isDrawn: index < 10 ? index < drawn : index < 19 },
        }),
      )
    const few = one(uneven((index) => index === 0 || index >= 10, 3))
    expect(few).toMatchObject({ interval: null, onThese: null, reason: 'too few labels for its strata' })
    // One label stands for three, each of the others for one.
    expect(
      stratifiedMean(plannedStrata(uneven((index) => index === 0 || index >= 10, 3)) ?? [], 0.95, 0).estimate,
    ).toBeCloseTo(((10 / 3) * 1 + (10 / 9) * (5 * 4 + 4 * 5)) / (10 / 3 + (10 / 9) * 9), 12)
    expect(one(uneven((index) => index < 3 || index >= 10, 3))?.interval).not.toBeNull()
    expect(one(uneven((index) => index === 0 || index >= 10, 9))?.interval).not.toBeNull()
  })

  it('is estimated by strata; labels that nobody drew are counted and left out', () => {
    const strata = plannedStrata(PLANNED) ?? []
    const { estimate, lambda, interval, likeThese } = stratifiedMean(strata, 0.95)
    expect(one(PLANNED)).toMatchObject({
      sample: 'planned',
      labels: 5,
      unlabelled: 3,
      outside: 1,
      raw: 3,
      value: estimate,
      lambda,
      interval: { low: Math.max(1, likeThese?.low ?? NaN), high: Math.min(5, likeThese?.high ?? NaN) },
      onThese: { low: Math.max(1, interval?.low ?? NaN), high: Math.min(5, interval?.high ?? NaN) },
    })
    expect(one(PLANNED)).not.toHaveProperty('reason')
    const drawn = PLANNED.filter((_, index) => index !== 2)
    expect(one(drawn)).not.toHaveProperty('outside')
    // By numpy: each of the first stand for 4/2 answers, of the others for 4/3, without the label that nobody drew.
    expect(one(PLANNED)?.correlation).toBeCloseTo(0.7228041369786401, 12)
  })

  it('tells what clinicians say alone, and what the jury gives more', () => {
    const found = one(PLANNED, { more: 1 })
    const strata = plannedStrata(PLANNED) ?? []
    const { estimate, likeThese } = stratifiedMean(strata, 0.95, 0)
    expect(found?.facts?.people.value).toBeCloseTo(estimate, 12)
    expect(found?.facts?.people.interval?.high).toBeCloseTo(Math.min(5, likeThese?.high ?? NaN), 12)
    const { value, interval } = found?.facts?.bias ?? {}
    expect(value).toBeCloseTo(3 - (found?.value ?? NaN), 12)
    expect(interval?.low).toBeCloseTo(3 - (found?.onThese?.high ?? NaN), 12)
    expect(found?.facts?.more?.labels).toBe(1)
    expect(found?.facts).not.toHaveProperty('likeRaters')
  })

  it('is less sure of raters like these, from five on', () => {
    const rated = (raters: number) =>
      one(
        answers(
          Array.from(
            { length: 60 },
            (_, at) => [2 + (at % 3), at < 40 ? 1 + (at % 3) + (at % 5) / 5 : null] as const,
          ),
          (at) => ({
            planned: { stratum: 1, isDrawn: at < 40 },
            ...(at < 40 ? { given: [{ rater: `r${at % raters}`, score: 1 + (at % 3) + (at % 5) / 5 }] } : {}),
          }),
        ),
      )
    const { facts, interval, raters } = rated(5) ?? {}
    expect(raters).toBe(5)
    const width = (of: typeof interval): number => (of?.high ?? NaN) - (of?.low ?? NaN)
    // Levels of the five are 0 to 0.8, their variance 0.1.
    expect(width(facts?.likeRaters)).toBeGreaterThan(2 * 2.7 * Math.sqrt(0.1 / 5))
    expect(width(facts?.likeRaters)).toBeGreaterThan(width(interval))
    expect(rated(4)?.facts).not.toHaveProperty('likeRaters')
  })

  it('has no interval of these answers where labels have no spread and some have none', () => {
    const flat = (rated: number) =>
      one(
        answers(
          Array.from({ length: 9 }, (_, at) => [3, at < rated ? 2 : null] as const),
          (at) => ({ planned: { stratum: 1, isDrawn: at < rated } }),
        ),
      )
    expect(flat(6)?.onThese).toBeNull()
    expect(flat(9)).toMatchObject({ value: 2, onThese: { low: 2, high: 2 } })
  })

  it('says what it lacks', () => {
    const unrated = PLANNED.map((answer) => ({ ...answer, label: null }))
    const lacking = { value: null, interval: null, lambda: null }
    expect(one(unrated)).toMatchObject({ ...lacking, raw: 3, reason: 'no clinician rated any of them' })
    const first = PLANNED.map((answer, index) => (index === 0 ? answer : { ...answer, label: null }))
    expect(one(first)).toMatchObject({
      labels: 1,
      interval: null,
      onThese: null,
      reason: 'one label tells no spread',
    })
    const two = PLANNED.map((answer, index) => ([0, 4].includes(index) ? answer : { ...answer, label: null }))
    expect(plannedScore(plannedStrata(two) ?? [], two, [1, 5])).toMatchObject({
      labels: 2,
      interval: null,
      reason: 'too few labels for its strata',
    })
  })

  it('of right and wrong answers has an interval that holds what so few labels can hide', () => {
    const right = answers(
      Array.from({ length: 12 }, (_, index) => [1, index < 5 ? 1 : null] as const),
      (index) => ({ planned: { stratum: 1, isDrawn: index < 5 } }),
    )
    const of = (scale: readonly [number, number]) => plannedStrata(right, scale)?.map(({ ends }) => ends)
    expect([of([0, 1]), of([1, 5]), of([0, 2])]).toEqual([[[0, 1]], [undefined], [undefined]])
    // Two raters who differ give a half.
    const half = answers(
      [
        [1, 0.5],
        [0, 1],
      ],
      () => ({ planned: { stratum: 2, isDrawn: true } }),
    )
    expect(plannedStrata([...right, ...half], [0, 1])?.map(({ ends }) => ends)).toEqual([
      undefined,
      undefined,
    ])
    const found = one(right, { scale: [0, 1] })
    expect(found).toMatchObject({ value: 1, interval: { high: 1 }, onThese: { high: 1 } })
    expect(found?.interval?.low).toBeGreaterThan(0.5)
    expect(found?.interval?.low).toBeLessThan(found?.onThese?.low ?? NaN)
    expect(one(right, { scale: [1, 5] })).toMatchObject({
      interval: null,
      reason: 'the labels have no spread',
    })
    const { pairs } = calibrateBenchmark('bench', [model('a', right), model('b', right)], { scale: [0, 1] })
    expect(pairs[0]?.interval?.low).toBeLessThan(-0.1)
  })

  it('needs labels by its own strata', () => {
    const strata = plannedStrata(PLANNED) ?? []
    expect(labelsOfPlan(strata, 1.2)).toBe(labelsForStratified(strata, 1.2, 0.95))
    expect(one(PLANNED, { halfWidth: 1.2 })?.labelsNeeded).toBe(labelsForStratified(strata, 1.2, 0.95))
    const [left, right] = strata
    if (left === undefined || right === undefined) throw new Error('two strata')
    const single = { ...left, labels: left.labels.slice(0, 1), predictions: left.predictions.slice(0, 1) }
    expect(labelsOfPlan([single, right], 1.2)).toBeNull()
  })

  it('speaks for waves with two labels, or with all of them, and for no other', () => {
    const later = (rows: readonly (readonly [number, number | null])[], wave: number): JudgedAnswer[] =>
      rows.map(([jury, label], at) => ({
        instance: `w${wave} ${at}`,
        jury,
        label,
        planned: { stratum: 2 + wave, wave, isDrawn: label !== null },
      }))
    const strata = plannedStrata(PLANNED)
    const open = later(
      [
        [5, 1],
        [5, null],
        [4, null],
      ],
      1,
    )
    expect(plannedStrata([...open, ...PLANNED])).toEqual(strata)
    const { raw, uncovered, outside, value, labels, unlabelled } = one([...PLANNED, ...open]) ?? {}
    expect([raw, uncovered, outside, labels, unlabelled]).toEqual([3, 3, 1, 5, 3])
    expect(value).toBe(one(PLANNED)?.value)
    expect(one(PLANNED)).not.toHaveProperty('uncovered')
    const known = [
      ...later(
        [
          [5, 1],
          [5, 2],
          [4, null],
        ],
        1,
      ),
      ...later([[2, 3]], 2),
    ]
    const grown = plannedStrata([...PLANNED, ...known]) ?? []
    expect(grown.slice(0, 2)).toEqual(strata)
    expect(grown.slice(2).map((each) => [each.labels, each.all])).toEqual([
      [
        [1, 2],
        [5, 5, 4],
      ],
      [[3], [2]],
    ])
    expect(labelsOfPlan(grown, 1.2)).toBe(labelsForStratified(grown, 1.2, 0.95))
    expect(one([...PLANNED, ...known])).toMatchObject({ labels: 8, unlabelled: 4 })
    // The first has one label alone, but none has more.
    const begun = PLANNED.map((answer, index) => (index === 0 ? answer : { ...answer, label: null }))
    expect(
      one([
        ...begun,
        ...later(
          [
            [5, null],
            [4, null],
          ],
          1,
        ),
      ]),
    ).toMatchObject({ labels: 1, uncovered: 2 })
  })

  it('is held against another one where both speak for an instance', () => {
    const late = { jury: 5, label: 5, planned: { stratum: 3, wave: 1, isDrawn: true } }
    const grown = [...PLANNED, ...['x', 'y', 'z'].map((instance) => ({ ...late, instance }))]
    const difference = (b: readonly JudgedAnswer[]) =>
      calibrateBenchmark('bench', [model('a', PLANNED), model('b', b)], { scale: [1, 5] }).pairs[0]
    expect(difference(grown)).toEqual(difference(PLANNED))
    expect(difference(grown)).toMatchObject({ value: 0, raw: 0, labels: 5 })
    // Of its first wave one label is left, of the others none.
    const few = PLANNED.map((answer, index) => (index === 0 ? answer : { ...answer, label: null }))
    expect(difference([...few, ...grown.slice(8)])).toMatchObject({
      labels: 1,
      unlabelled: 3,
      interval: null,
    })
  })

  it('is held against a random draw by the weights of both', () => {
    const random = answers([
      [2, 3],
      [3, 1],
      [1, 2],
      [4, null],
      [5, 4],
      [3, 3],
      [2, 2],
      [5, null],
      [1, 5],
    ])
    const scale = { scale: [1, 5] } as const
    const [pair] = calibrateBenchmark('bench', [model('a', PLANNED), model('b', random)], scale).pairs
    // By numpy and scipy, of the eight instances of both; of a alone 2.875, of b 2.6686…
    expect(pair).toMatchObject({ sample: 'mixed', labels: 5, unlabelled: 2, lambda: null, raw: 0.125 })
    expect(pair?.value).toBeCloseTo(-0.20635704874835303, 12)
    expect(pair?.interval?.low).toBeCloseTo(-2.202639488838728, 12)
    expect(pair?.interval?.high).toBeCloseTo(1.7899253913420219, 12)
    const turned = calibrateBenchmark('bench', [model('b', random), model('a', PLANNED)], scale).pairs[0]
    expect(turned?.value).toBeCloseTo(-(pair?.value ?? NaN), 12)
    const none = answers([
      [3, null],
      [2, null],
    ])
    expect(
      calibrateBenchmark('bench', [model('a', PLANNED), model('b', none)], scale).pairs[0],
    ).toMatchObject({ value: null, interval: null, reason: 'no clinician rated one of the two' })
    const elsewhere = random.map((answer) => ({ ...answer, instance: `other ${answer.instance}` }))
    for (const [a, b] of [
      [PLANNED, elsewhere],
      [elsewhere, PLANNED],
    ] as const)
      expect(plannedPair(a, b, [1, 5])).toMatchObject({ value: null, labels: 0, unlabelled: 0, raw: null })
  })

  it('names as many raters as gave labels that count, and so does a random one', () => {
    const given = (own: readonly JudgedAnswer[]): readonly JudgedAnswer[] =>
      own.map((each, at) =>
        each.label === null ? each : { ...each, given: [{ rater: `r${at}`, score: each.label }] },
      )
    // One of the labels was not drawn.
    expect(one(given(PLANNED))?.raters).toBe(5)
    expect(one(given(answers(PLANNED.map(({ jury, label }) => [jury, label] as const))))?.raters).toBe(6)
  })

  it('is held against another on the instances alone that the labels of both speak for', () => {
    // What came later was rated of B, and of A not yet.
    const later = (answer: JudgedAnswer, at: number): JudgedAnswer =>
      at < 6 ? answer : { ...answer, label: null, planned: { stratum: 9, wave: 1, isDrawn: false } }
    const a = PLANNED.map(later)
    expect(plannedPair(a, PLANNED, [1, 5])).toMatchObject({ labels: 4, unlabelled: 2, raw: 0 })
    expect(plannedPair(PLANNED, a, [1, 5])).toMatchObject({ labels: 4, unlabelled: 2, raw: 0 })
  })

  it('is held against another planned one', () => {
    const b = PLANNED.map((answer, index) => ({
      ...answer,
      jury: 6 - answer.jury,
      label: answer.label === null || index === 4 ? null : 6 - answer.label,
    }))
    const pair = (right: readonly JudgedAnswer[]) =>
      calibrateBenchmark('bench', [model('a', PLANNED), model('b', right)], { scale: [1, 5] }).pairs[0]
    const { estimate, interval } = stratifiedDifference(
      plannedStrata(PLANNED) ?? [],
      plannedStrata(b) ?? [],
      0.95,
    )
    expect(pair(b)).toMatchObject({
      a: 'a',
      b: 'b',
      sample: 'planned',
      labels: 4,
      unlabelled: 3,
      raw: 0,
      value: Math.min(4, Math.max(-4, estimate)),
      lambda: null,
    })
    // 8 · 0.5 more points over 8 answers.
    expect(pair(b.map((answer) => ({ ...answer, jury: answer.jury + 0.5 })))?.raw).toBeCloseTo(0.5, 12)
    expect(pair(b)).not.toHaveProperty('reason')
    expect(pair(b)?.interval).toEqual(
      interval === null ? null : { low: Math.max(-4, interval.low), high: Math.min(4, interval.high) },
    )
    expect(pair(b.map((answer) => ({ ...answer, label: null })))).toMatchObject({
      value: null,
      interval: null,
      lambda: null,
      labels: 0,
      reason: 'no clinician rated one of the two',
    })
  })
})
