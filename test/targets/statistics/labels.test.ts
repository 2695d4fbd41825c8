import { describe, expect, test } from 'vitest'
import { crossFittedSlopes } from '../../../targets/statistics/calibration/cross-fitted-slopes.ts'
import {
  halfWidthOf,
  iccWidth,
  labelsForHalfWidth,
  labelsForMean,
  labelsForStratified,
} from '../../../targets/statistics/calibration/labels-needed.ts'
import { mergeSmall } from '../../../targets/statistics/calibration/merge-small.ts'
import { labelsSaved, moreLabels } from '../../../targets/statistics/calibration/more-labels.ts'
import { withRaters } from '../../../targets/statistics/calibration/rater-variance.ts'
import { stratifiedDifference } from '../../../targets/statistics/calibration/stratified-difference.ts'
import {
  stratifiedMean,
  type LabelledStratum,
} from '../../../targets/statistics/calibration/stratified-mean.ts'
import { normalQuantile } from '../../../targets/statistics/distributions/normal.ts'
import { studentT } from '../../../targets/statistics/distributions/student-t.ts'

/** Of the normal distribution's middle 95 %. */
const Z = 1.959963984540054

describe('labels that are needed', () => {
  test('for a mean are the fewest whose half-width is small enough', () => {
    // z √(V (1 − r² (N − n)/N) / n), looked at for every n.
    const plan = { total: 400, variance: 4, correlation: 0.6, halfWidth: 0.3 }
    expect(labelsForMean(plan, 0.95)).toBe(130)
    expect(labelsForMean({ ...plan, correlation: 0, halfWidth: 0.5 }, 0.95)).toBe(62)
    expect(labelsForMean({ ...plan, halfWidth: 100 }, 0.95)).toBe(1)
    // All 400 bring 0.19599…
    expect(labelsForMean({ ...plan, halfWidth: 0.19 }, 0.95)).toBeNull()
    expect(labelsForMean({ ...plan, halfWidth: (Z * 2) / 20 + 1e-12 }, 0.95)).toBe(400)
    expect(labelsForMean({ ...plan, halfWidth: normalQuantile(0.975) * Math.sqrt(4 / 400) }, 0.95)).toBe(400)
    expect(labelsForMean({ ...plan, total: 0 }, 0.95)).toBeNull()
  })

  test('for the mean of these answers are (z/h)² V, less for few answers', () => {
    // 96.04 for V = 1/4 and h = 0.1.
    const sample = { halfWidth: 0.1, variance: 0.25 }
    expect(labelsForHalfWidth({ ...sample, total: 1000 }, 0.95)).toBe(88)
    expect(labelsForHalfWidth({ ...sample, total: 50 }, 0.95)).toBe(33)
    expect(labelsForHalfWidth({ ...sample, total: 0 }, 0.95)).toBe(0)
    expect(halfWidthOf({ total: 100, labels: 40, variance: 0.25 }, 0.95)).toBeCloseTo(0.12002279190888274, 12)
    expect(halfWidthOf({ total: 100, labels: 0, variance: 0.25 }, 0.95)).toBeNull()
  })

  test('for an ICC follow Bonett', () => {
    expect(iccWidth({ icc: 0.6, answers: 50 }, 0.95)).toBeCloseTo(0.3583934143158957, 12)
    expect(iccWidth({ icc: 0, answers: 2 }, 0.95)).toBe(2)
    expect(iccWidth({ icc: 0, answers: 1 }, 0.95)).toBeNull()
  })
})

const STRATA: readonly LabelledStratum[] = [
  { labels: [1, 2, 2], predictions: [2, 3, 2], all: [2, 3, 2, 3, 2, 3] },
  { labels: [3, 3, 5, 4], predictions: [4, 4, 5, 5], all: [4, 4, 5, 5, 4, 5, 4, 5, 5] },
]

describe('labels of a stratified sample', () => {
  const { standardError, likeTheseError } = stratifiedMean(STRATA, 0.95)
  const open = likeTheseError ** 2 - standardError ** 2
  /** The sample's variance at n labels of 15, as 1/n − 1/N says from that at 7. */
  const halfAt = (n: number): number =>
    Z * Math.sqrt(open + (standardError ** 2 * (1 / n - 1 / 15)) / (1 / 7 - 1 / 15))

  test.each([3, 7, 11, 14])('are the %i that bring such a half-width', (n) => {
    expect(labelsForStratified(STRATA, halfAt(n) * (1 + 1e-12), 0.95)).toBe(n)
    expect(labelsForStratified(STRATA, halfAt(n) * (1 - 1e-9), 0.95)).toBe(n + 1)
  })

  test('do not help against what all answers leave open', () => {
    expect(labelsForStratified(STRATA, Z * Math.sqrt(open) * 0.999, 0.95)).toBeNull()
    expect(labelsForStratified(STRATA, 1e-9, 0.95)).toBeNull()
  })

  test('are those there are where nothing is left to label, or nothing spreads', () => {
    const whole = [{ labels: [1, 2, 4], predictions: [1, 2, 3], all: [1, 2, 3] }]
    expect(labelsForStratified(whole, 1e-9, 0.95)).toBe(3)
    const flat = [{ labels: [2, 2, 2], predictions: [1, 1, 1], all: [1, 1, 1, 1] }]
    expect(labelsForStratified(flat, 1e-9, 0.95)).toBe(3)
  })
})

describe('labels that the jury saves, and more of them', () => {
  const errorsOf = (strata: Parameters<typeof labelsSaved>[0]): Parameters<typeof labelsSaved>[1] => ({
    own: stratifiedMean(strata, 0.95).standardError,
    alone: stratifiedMean(strata, 0.95, 0).standardError,
  })
  const savedIn = (strata: Parameters<typeof labelsSaved>[0]): number => labelsSaved(strata, errorsOf(strata))

  test('are those with which clinicians alone would know as much', () => {
    const labels = [1, 2, 3, 4, 5, 2, 1, 4, 3, 5]
    const beside = [1, 0, 1, 0, 1, 0, 0, 1, 1, 0]
    expect(savedIn([{ labels, predictions: beside, all: [...beside, ...beside] }])).toBe(0)
    const followed = [
      {
        labels,
        predictions: labels.map((label, at) => label + (at % 3) / 4),
        all: [...labels, ...labels, ...labels],
      },
    ]
    const { own, alone } = errorsOf(followed)
    const left = (own / alone) ** 2
    const saved = savedIn(followed)
    // Variances fall as 1/n − 1/30: so many are saved, and one more would be too many.
    const share = (n: number): number => (1 / n - 1 / 30) / (1 / 10 - 1 / 30)
    expect(share(10 + saved)).toBeGreaterThan(left)
    expect(share(11 + saved)).toBeLessThan(left)
    expect(savedIn([{ labels, predictions: labels, all: labels }])).toBe(0)
    // Half the error is a quarter of the variance, as of 20 of 30: (1/20 − 1/30) = (1/10 − 1/30)/4.
    const thirty = { labels, predictions: labels, all: [...labels, ...labels, ...labels] }
    expect(labelsSaved([thirty], { own: 1, alone: 2 })).toBe(10)
  })

  test('go where they lower the variance most, as all ways to share them show', () => {
    const spread = (of: readonly number[]): number => {
      const mean = of.reduce((sum, each) => sum + each, 0) / of.length
      return of.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (of.length - 1)
    }
    const all = (size: number): readonly number[] => Array.from({ length: size }, () => 3)
    const strata = [
      { labels: [1, 5, 3, 1], predictions: all(4), all: all(30) },
      { labels: [3, 4, 3, 4, 4], predictions: all(5), all: all(40) },
    ]
    const variance = (more: readonly number[]): number =>
      strata.reduce((sum, { labels, all: { length } }, at) => {
        const n = labels.length + (more[at] ?? NaN)
        return sum + length ** 2 * (1 / n - 1 / length) * spread(labels)
      }, 0)
    const ways = Array.from({ length: 13 }, (_, first) => [first, 12 - first])
    const best = Math.min(...ways.map(variance))
    const found = moreLabels(strata, 12, 0)
    expect(variance(found?.byStratum ?? [])).toBeCloseTo(best, 9)
    expect(found?.share).toBeCloseTo(Math.sqrt(best / variance([0, 0])), 12)
    expect(moreLabels(strata, 1000, 0)).toEqual({ byStratum: [26, 35], share: 0 })
  })

  test('take the spread of all labels where a stratum has two, and three tell their own', () => {
    const all = Array.from({ length: 20 }, () => 3)
    const of = (labels: readonly number[]) => ({ labels, predictions: labels.map(() => 3), all })
    // Squares about the means: 2, 8 and 0.5 over 7 labels less 3 means.
    const strata = [of([1, 3]), of([1, 3, 5]), of([2, 3])]
    const [usual, own] = [(2 + 8 + 0.5) / 4, 8 / 2]
    const variance = (more: readonly number[]): number =>
      strata.reduce(
        (sum, { labels }, at) =>
          sum + 400 * (1 / (labels.length + (more[at] ?? NaN)) - 1 / 20) * (labels.length < 3 ? usual : own),
        0,
      )
    const found = moreLabels(strata, 9, 0)
    expect(found?.share).toBeCloseTo(Math.sqrt(variance(found?.byStratum ?? []) / variance([0, 0, 0])), 12)
    // √2.625 : 2 : √2.625 of 16.
    expect(found?.byStratum).toEqual([3, 3, 3])
  })

  test('give each stratum its second first, and too few for that bring nothing', () => {
    const of = (labels: readonly number[], size: number) => ({
      labels,
      predictions: labels.map(() => 3),
      all: Array.from({ length: size }, () => 3),
    })
    // By itself the second stratum gains more from a label: it is a hundred times the first.
    const strata = [of([3], 10), of([1, 5], 1000)]
    expect(moreLabels(strata, 1, 0)?.byStratum).toEqual([1, 0])
    expect(moreLabels(strata, 2, 0)?.byStratum).toEqual([1, 1])
    expect(moreLabels(strata, 0, 0)).toEqual({ byStratum: [0, 0], share: 1 })
  })

  test('are none where all is labelled, or where nothing spreads', () => {
    expect(moreLabels([{ labels: [1, 2, 3], predictions: [1, 2, 3], all: [1, 2, 3] }], 20, 0)).toBeUndefined()
    const flat = [{ labels: [2, 2, 2], predictions: [1, 1, 1], all: [1, 1, 1, 1] }]
    expect(moreLabels(flat, 20, 0)).toBeUndefined()
    expect(labelsSaved(flat, { own: 0, alone: 0 })).toBe(0)
  })

  test('are of other raters, too, by the variance of levels', () => {
    const given: Readonly<Record<string, readonly number[]>> = {
      a: [0.5, 0.7, 0.2],
      b: [-0.4, -0.1],
      c: [0.1, 0, 0.3],
      d: [-0.6, -0.5],
      e: [0.2, -0.3],
    }
    const residuals = (raters: readonly string[], shift = 0) =>
      raters.flatMap((rater) =>
        (given[rater] ?? []).map((residual) => ({
          rater,
          residual: residual * (1 - shift),
          weight: rater === 'c' ? 2 : 1,
        })),
      )
    const of = { variance: 0.01, df: 20 }
    const found = withRaters(of, residuals(['a', 'b', 'c', 'd', 'e']))
    // By numpy; scipy’s f_oneway gives the same ratio of the two mean squares.
    expect(found?.variance).toBeCloseTo(0.04311428571428571, 12)
    expect(found?.df).toBeCloseTo(4.916378112734868, 9)
    expect(withRaters(of, residuals(['a', 'b', 'c', 'd', 'e'], 1))).toEqual(of)
    // Where all are on one level, how far answers lie apart takes nothing off.
    const level = ['a', 'b', 'c', 'd', 'e'].flatMap((rater) =>
      [0.5, -0.5].map((residual) => ({ rater, residual, weight: 1 })),
    )
    expect(withRaters(of, level)).toEqual(of)
    expect(withRaters(of, residuals(['a', 'b', 'c', 'd']))).toBeUndefined()
    expect(
      withRaters(
        of,
        ['a', 'b', 'c', 'd', 'e'].map((rater) => ({ rater, residual: 0, weight: 1 })),
      ),
    ).toBeUndefined()
  })
})

test('small neighbours are put together, the last with the one before', () => {
  const merged = (parts: readonly number[]): readonly number[] =>
    mergeSmall(
      parts,
      (part) => part >= 3,
      (a, b) => a + b,
    )
  expect(merged([1, 1, 1, 5, 4])).toEqual([3, 5, 4])
  expect(merged([5, 1, 2, 4])).toEqual([5, 3, 4])
  expect(merged([9, 1, 1, 1, 2])).toEqual([9, 5])
  expect(merged([4, 1])).toEqual([5])
  expect(merged([1, 1])).toEqual([2])
  expect(merged([1])).toEqual([1])
  expect(merged([])).toEqual([])
  // In their order.
  const joined = (parts: readonly string[]): readonly string[] =>
    mergeSmall(
      parts,
      ({ length }) => length >= 3,
      (a, b) => a + b,
    )
  expect(joined(['a', 'b', 'cd', 'efg', 'h'])).toEqual(['abcd', 'efgh'])
})

describe('slopes of other folds', () => {
  const predictions = [1, 2, 4, 5, 9]
  const labels = [2, 1, 5, 4, 8]
  const names = (sources: string) => ({ labelled: sources.split(''), all: sources.split('') })
  const stratum = { labels, predictions, all: predictions, names: names('abcde') }

  test('of five sources leave each one out, as numpy’s do', () => {
    const { lambda, slopes } = crossFittedSlopes([stratum])
    expect(lambda).toBeCloseTo(0.8247422680412372, 12)
    const wanted = [0.9230769230769231, 0.7251908396946565, 0.832258064516129, 0.8421052631578947, 0.8]
    for (const [at, slope] of (slopes[0] ?? []).entries()) expect(slope).toBeCloseTo(wanted[at] ?? NaN, 12)
    expect(slopes[0]).toHaveLength(5)
  })

  test('leave a source out with all its labels', () => {
    const { slopes } = crossFittedSlopes([{ ...stratum, names: names('abcda') }])
    // Without both of a: of (2, 1), (4, 5), (5, 4), whose centre is (11/3, 10/3).
    expect(slopes[0]?.[0]).toBe(slopes[0]?.[4])
    const centred = [
      [2 - 11 / 3, 1 - 10 / 3],
      [4 - 11 / 3, 5 - 10 / 3],
      [5 - 11 / 3, 4 - 10 / 3],
    ] as const
    const cross = centred.reduce((sum, [x, y]) => sum + x * y, 0)
    const spread = centred.reduce((sum, [x]) => sum + x * x, 0)
    expect(slopes[0]?.[0]).toBeCloseTo(cross / spread, 12)
  })

  test('are the one that is asked for, and 0 where predictions do not differ', () => {
    expect(crossFittedSlopes([stratum], 0.5)).toEqual({ lambda: 0.5, slopes: [[0.5, 0.5, 0.5, 0.5, 0.5]] })
    const flat = { ...stratum, predictions: [3, 3, 3, 3, 3] }
    expect(crossFittedSlopes([flat])).toEqual({ lambda: 0, slopes: [[0, 0, 0, 0, 0]] })
    const far = { ...stratum, predictions: predictions.map((value) => 1e6 + value) }
    expect(crossFittedSlopes([far]).lambda).toBeCloseTo(0.8247422680412372, 9)
  })

  test('are pooled within strata: levels of strata have no say', () => {
    const raised = {
      ...stratum,
      labels: labels.map((label) => label + 40),
      predictions: predictions.map((value) => value - 7),
      names: names('fghij'),
    }
    expect(crossFittedSlopes([stratum, raised]).lambda).toBeCloseTo(0.8247422680412372, 12)
  })
})

describe('a difference of two planned samples', () => {
  const named = (prefix: string, shift = 0): readonly LabelledStratum[] => [
    {
      labels: [1, 2, 4, 3, 5].map((label) => label + shift),
      predictions: [1, 2, 3, 3, 4],
      all: [1, 2, 3, 3, 4, 2, 3, 1],
      sources: {
        labelled: 'abcde'.split('').map((name) => prefix + name),
        all: 'abcdefgh'.split('').map((name) => prefix + name),
      },
    },
  ]

  test('is sure where both hold the same answers, but for what they differ by', () => {
    const { estimate, interval } = stratifiedDifference(named('x'), named('x', 0.5), 0.95)
    expect(estimate).toBeCloseTo(0.5, 12)
    expect(interval?.low).toBeCloseTo(0.5, 12)
    expect(interval?.high).toBeCloseTo(0.5, 12)
  })

  test('of independent samples has the sum of both variances, with Welch’s degrees of freedom', () => {
    const [a, b] = [named('x'), named('y', 0.5)]
    const { df, pulls } = stratifiedMean(a, 0.95)
    expect(df).toBe(3)
    const variance = [...pulls.values()].reduce(
      (sum, { predicted, residual }) => sum + (predicted + residual) ** 2,
      0,
    )
    const half = studentT(0.95, 6) * Math.sqrt(2 * variance)
    const { interval } = stratifiedDifference(a, b, 0.95)
    expect(interval?.low).toBeCloseTo(0.5 - half, 12)
    expect(interval?.high).toBeCloseTo(0.5 + half, 12)
  })

  test('of one that is surer than the other has fewer degrees of freedom than both together', () => {
    const [a] = named('x')
    const more = [2, 3, 3, 4, 1, 2, 5, 4, 3]
    const names = more.map((_, at) => `y${at}`)
    const b = {
      labels: more,
      predictions: more.map(() => 3),
      all: more,
      sources: { labelled: names, all: names },
    }
    if (a === undefined) throw new RangeError('one stratum')
    const [one, two] = [stratifiedMean([a], 0.95), stratifiedMean([b], 0.95)]
    expect([one.df, two.df]).toEqual([3, 7])
    const [v, w] = [one.likeTheseError ** 2, two.likeTheseError ** 2]
    const df = (v + w) ** 2 / (v ** 2 / 3 + w ** 2 / 7)
    expect(df).toBeLessThan(3 + 7)
    const variance = [one, two]
      .flatMap(({ pulls }) => [...pulls.values()])
      .reduce((sum, { predicted, residual }) => sum + (predicted + residual) ** 2, 0)
    const { estimate, interval } = stratifiedDifference([a], [b], 0.95)
    expect(interval?.high).toBeCloseTo(estimate + studentT(0.95, df) * Math.sqrt(variance), 12)
  })

  test('counts a source that both drew once: of 14, two strata and two means leave 10', () => {
    const sample = (from: number): readonly LabelledStratum[] => {
      const names = Array.from({ length: 10 }, (_, at) => `p${from + at}`)
      const labels = names.map((_, at) => (at * 7 + from) % 5)
      return [
        {
          labels,
          predictions: labels.map(() => 3),
          all: labels.map(() => 3),
          sources: { labelled: names, all: names },
        },
      ]
    }
    const half = (confidence: number): number => {
      const { estimate, interval } = stratifiedDifference(sample(0), sample(4), confidence)
      return (interval?.high ?? NaN) - estimate
    }
    expect(half(0.99) / half(0.5)).toBeCloseTo(studentT(0.99, 10) / studentT(0.5, 10), 9)
  })

  test('has no interval where one sample has too few labels', () => {
    const few: readonly LabelledStratum[] = [{ labels: [1, 3], predictions: [1, 2], all: [1, 2, 3] }]
    expect(stratifiedDifference(few, named('y'), 0.95).interval).toBeNull()
    expect(stratifiedDifference(named('y'), few, 0.95).interval).toBeNull()
    const three: readonly LabelledStratum[] = [
      { labels: [1, 3, 2], predictions: [1, 2, 2], all: [1, 2, 3, 2] },
    ]
    expect(stratifiedDifference(three, three, 0.95).interval).not.toBeNull()
  })
})
