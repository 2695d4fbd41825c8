import { describe, expect, it } from 'vitest'
import {
  stratifiedMean,
  type LabelledStratum,
} from '../../../targets/statistics/calibration/stratified-mean.ts'
import { stratifiedDifference } from '../../../targets/statistics/calibration/stratified-difference.ts'
import { studentT } from '../../../targets/statistics/distributions/student-t.ts'

const STRATA: readonly LabelledStratum[] = [
  { labels: [1, 2, 2], predictions: [2, 3, 2], all: [2, 3, 2, 3, 2, 3] },
  { labels: [3, 3, 5, 4], predictions: [4, 4, 5, 5], all: [4, 4, 5, 5, 4, 5, 4, 5, 5] },
]

describe('stratifiedMean', () => {
  it('with λ = 0 is the stratified mean of the labels alone, worked by hand', () => {
    const { estimate, interval, likeThese, df, lambda } = stratifiedMean(STRATA, 0.95, 0)
    expect(lambda).toBe(0)
    expect(df).toBe(4)
    // (6/15)(5/3) + (9/15)(15/4)
    expect(estimate).toBeCloseTo(35 / 12, 12)
    // Within: 1/3 and 11/12; (2/5)²(1/2)(1/3)/3 + (3/5)²(5/9)(11/12)/4
    const variance = (4 / 25) * (1 / 2) * (1 / 9) + (9 / 25) * (5 / 9) * (11 / 48)
    const half = studentT(0.95, 4) * Math.sqrt(variance)
    expect(interval?.low).toBeCloseTo(35 / 12 - half, 12)
    expect(interval?.high).toBeCloseTo(35 / 12 + half, 12)
    // Of answers like these: (2/5)(1/3 + (5/3 − 35/12)²) + (3/5)(11/12 + (15/4 − 35/12)²), over 15.
    const open = (2 / 5) * (1 / 3 + (15 / 12) ** 2) + (3 / 5) * (11 / 12 + (10 / 12) ** 2)
    const wide = studentT(0.95, 4) * Math.sqrt(variance + open / 15)
    expect(likeThese?.high).toBeCloseTo(35 / 12 + wide, 12)
  })

  it('has the degrees of freedom of the few labels that decide its width', () => {
    const sure = Array.from({ length: 30 }, (_, at) => 4 + (at % 2) / 10)
    const all = Array.from({ length: 50 }, () => 3)
    const { df } = stratifiedMean(
      [
        { labels: [1, 5], predictions: [3, 3], all },
        { labels: sure, predictions: sure.map(() => 3), all },
      ],
      0.95,
    )
    // Variances of the strata's means but for what they share: (48/50)(8)/2 and (20/50)(0.0026)/30.
    const [few, many] = [(48 / 50) * 4, ((20 / 50) * (30 * 0.05 ** 2)) / 29 / 30]
    expect(df).toBeCloseTo((few + many) ** 2 / (few ** 2 + many ** 2 / 29), 9)
  })

  it('takes off what the drawn answers’ predictions were above those of all', () => {
    const { estimate } = stratifiedMean(STRATA, 0.95, 1)
    const shift = (6 / 15) * (5 / 2 - 7 / 3) + (9 / 15) * (41 / 9 - 9 / 2)
    expect(estimate).toBeCloseTo(35 / 12 + shift, 12)
  })

  it('is the mean of the labels where all are labelled, and sure of it', () => {
    const all = STRATA.map(({ labels, predictions }) => ({ labels, predictions, all: predictions }))
    const { estimate, interval, likeThese } = stratifiedMean(all, 0.95)
    expect(estimate).toBeCloseTo(20 / 7, 12)
    expect(interval).toEqual({ low: estimate, high: estimate })
    expect(likeThese?.low).toBeLessThan(estimate)
    const otherwise = all.map((stratum) => ({ ...stratum, predictions: stratum.all.toReversed() }))
    expect(stratifiedMean(otherwise, 0.95, 0.5).likeThese?.low).toBeCloseTo(likeThese?.low ?? NaN, 12)
  })

  it('knows a stratum of one answer whole where it is labelled', () => {
    const single = { labels: [3], predictions: [2], all: [2] }
    const { estimate, interval, likeThese, standardError } = stratifiedMean([single, ...STRATA], 0.95, 0)
    // (1/16) 3 + (15/16)(35/12), and the others' variance at 15/16 of their weights.
    expect(estimate).toBeCloseTo((3 + (15 * 35) / 12) / 16, 12)
    expect(standardError).toBeCloseTo((15 / 16) * stratifiedMean(STRATA, 0.95, 0).standardError, 12)
    expect(interval?.low).toBeLessThan(estimate)
    expect(likeThese?.low).toBeLessThan(interval?.low ?? NaN)
    // One right answer of three: 1 and half a label at either end vary by 3/8.
    const right = { labels: [1], predictions: [1], all: [1, 1, 1], ends: [0, 1] as const }
    expect(stratifiedMean([right, ...STRATA], 0.95, 0).unseen).toBeCloseTo((3 / 18) ** 2 * (3 / 8), 12)
  })

  it('believes predictions as far as labels follow them within strata, not between', () => {
    const between: readonly LabelledStratum[] = [
      { labels: [1, 2, 1, 2], predictions: [2, 2, 3, 3], all: [2, 2, 3, 3, 2, 3] },
      { labels: [4, 5, 4, 5], predictions: [4, 4, 5, 5], all: [4, 4, 5, 5, 4, 5] },
    ]
    expect(stratifiedMean(between, 0.95).lambda).toBe(0)
    const within = between.map((each) => ({ ...each, labels: each.predictions.map((f) => 2 * f - 1) }))
    expect(stratifiedMean(within, 0.95).lambda).toBeCloseTo(2, 12)
  })

  it('counts labels of one patient as one piece of evidence', () => {
    const named = (of: (stratum: number, at: number) => string): readonly LabelledStratum[] =>
      STRATA.map((each, stratum) => ({
        ...each,
        sources: {
          labelled: each.labels.map((_, at) => of(stratum, at)),
          all: each.all.map((_, at) => of(stratum, at)),
        },
      }))
    const plain = stratifiedMean(STRATA, 0.95)
    const apart = stratifiedMean(
      named((stratum, at) => `${stratum} ${at}`),
      0.95,
    )
    const shared = stratifiedMean(
      named((_, at) => `${at}`),
      0.95,
    )
    expect(apart.likeThese).toEqual(plain.likeThese)
    expect(shared.df).toBeLessThan(plain.df)
  })

  it('is the same in whatever order labels come, and whatever sources are called', () => {
    const turned = STRATA.map(({ labels, predictions, all }) => ({
      labels: labels.toReversed(),
      predictions: predictions.toReversed(),
      all: all.toReversed(),
      sources: {
        labelled: labels.map((_, at) => `z${at} ${labels.length}`),
        all: all.map((_, at) => `z${at} ${labels.length}`),
      },
    }))
    const { estimate, likeThese } = stratifiedMean(STRATA, 0.95)
    const other = stratifiedMean(turned, 0.95)
    expect(other.estimate).toBe(estimate)
    expect(other.likeThese?.low).toBeCloseTo(likeThese?.low ?? NaN, 12)
  })

  it('gives no interval where nothing tells a spread, and refuses a stratum without a label', () => {
    expect(stratifiedMean([{ labels: [3], predictions: [2], all: [2, 3] }], 0.95)).toMatchObject({
      interval: null,
      likeThese: null,
    })
    expect(() => stratifiedMean([{ labels: [], predictions: [], all: [2] }], 0.95)).toThrow(RangeError)
  })
})

describe('stratifiedDifference', () => {
  const sources = (prefix: string) => ({
    labelled: [0, 1, 2, 3, 4, 5].map((at) => `${prefix}${at}`),
    all: [0, 1, 2, 3, 4, 5, 6, 7].map((at) => `${prefix}${at}`),
  })
  const stratum = (shift: number, prefix: string): readonly LabelledStratum[] => [
    {
      labels: [1, 2, 3, 4, 5, 3].map((label) => label + shift),
      predictions: [3, 3, 3, 3, 3, 3],
      all: [3, 3, 3, 3, 3, 3, 3, 3],
      sources: sources(prefix),
    },
  ]

  it('adds variances of samples that share nothing', () => {
    const [a, b] = [stratum(0, 'a'), stratum(0.5, 'b')]
    const { estimate, interval } = stratifiedDifference(a, b, 0.95)
    const { likeTheseError, df } = stratifiedMean(a, 0.95)
    expect(estimate).toBeCloseTo(0.5, 12)
    expect(interval?.high).toBeCloseTo(0.5 + studentT(0.95, 2 * df) * Math.SQRT2 * likeTheseError, 10)
  })

  it('is surer where both answered the same questions alike', () => {
    const apart = stratifiedDifference(stratum(0, 'a'), stratum(0.5, 'b'), 0.95)
    const uneven = stratum(0.5, 'a').map((each) => ({ ...each, labels: each.labels.with(0, 2) }))
    const same = stratifiedDifference(stratum(0, 'a'), uneven, 0.95)
    const width = ({ interval }: typeof same): number => (interval?.high ?? NaN) - (interval?.low ?? NaN)
    expect(width(same)).toBeLessThan(0.5 * width(apart))
    expect(
      stratifiedDifference([{ labels: [3], predictions: [2], all: [2, 3] }], uneven, 0.95).interval,
    ).toBeNull()
  })
})

describe('labels that are right or wrong', () => {
  // Half a label at either end besides four that are right: mean 0.9, squares 0.45 over 4.
  const right: LabelledStratum = { labels: [1, 1, 1, 1], predictions: [1, 1, 1, 1], all: Array(10).fill(1) }
  const UNSEEN = 0.45 / 4 / 4

  it('show less spread than there is, which widens the interval', () => {
    const plain = stratifiedMean([right], 0.95)
    const told = stratifiedMean([{ ...right, ends: [0, 1] }], 0.95)
    expect([plain.likeTheseError, plain.standardError]).toEqual([0, 0])
    expect(told.estimate).toBe(plain.estimate)
    expect(told.likeTheseError ** 2).toBeCloseTo(UNSEEN, 12)
    expect(told.standardError ** 2).toBeCloseTo(0.6 * UNSEEN, 12)
    expect(told.likeThese?.low).toBeCloseTo(1 - studentT(0.95, 2) * Math.sqrt(UNSEEN), 10)
  })

  it('hide nothing where all answers have one, and more where they share a patient', () => {
    const all = { ...right, all: [1, 1, 1, 1], ends: [0, 1] } as const
    expect(stratifiedMean([all], 0.95).standardError).toBe(0)
    const sources = { labelled: ['a', 'a', 'b', 'c'], all: 'aabcdefghi'.split('') }
    const shared = stratifiedMean([{ ...right, ends: [0, 1], sources }], 0.95)
    expect(shared.likeTheseError ** 2).toBeCloseTo((4 / 3) * UNSEEN, 12)
  })

  it('hide as much of a difference as of either mean', () => {
    const own = { ...right, ends: [0, 1], labels: [1, 1, 1, 1] } as const
    const { interval } = stratifiedDifference([own], [own], 0.95)
    expect((interval?.high ?? NaN) - (interval?.low ?? NaN)).toBeCloseTo(
      2 * studentT(0.95, 2) * Math.sqrt(2 * UNSEEN),
      10,
    )
  })
})
