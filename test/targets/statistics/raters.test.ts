import { describe, expect, test } from 'vitest'
import { correlationInterval, pearson, spearman } from '../../../targets/statistics/agreement/correlation.ts'
import {
  intraclassCorrelation,
  type IccForm,
} from '../../../targets/statistics/agreement/intraclass-correlation.ts'
import { krippendorffAlpha } from '../../../targets/statistics/agreement/weighted-alpha.ts'
import { sharedIcc } from '../../../targets/statistics/agreement/shared-icc.ts'
import {
  standardizedIcc,
  weightedSpearman,
} from '../../../targets/statistics/agreement/weighted-correlation.ts'
import { quadraticKappa } from '../../../targets/statistics/agreement/weighted-agreement.ts'
import { SHROUT } from './shrout.ts'

describe('intraclass correlations', () => {
  // McGraw and Wong's intervals, with scipy's quantiles.
  test.each<[IccForm, number, number, number]>([
    ['ICC1', 0.16574176840547553, -0.13293232487475096, 0.7225600623281211],
    ['ICC3k', 0.9093155423770697, 0.6756747138163055, 0.9858916781690623],
  ])('%s of Shrout and Fleiss’s table', (form, value, low, high) => {
    const found = intraclassCorrelation(SHROUT, form)
    expect(found.value).toBeCloseTo(value, 10)
    expect(found.interval?.low).toBeCloseTo(low, 9)
    expect(found.interval?.high).toBeCloseTo(high, 9)
    const oneWay = form === 'ICC1'
    expect([found.df1, found.df2]).toEqual([5, oneWay ? 18 : 15])
    expect(found.f).toBeCloseTo(oneWay ? 1.7946784922394685 : 11.027247956403299, 10)
    expect(found.p).toBeCloseTo(oneWay ? 0.16476880834463953 : 0.000134566516484335, 10)
  })

  test('need a full table of two by two, and have no interval where raters agree fully', () => {
    expect(() => intraclassCorrelation([[1, 2]], 'ICC1')).toThrow(/two items/)
    expect(() => intraclassCorrelation([[1], [2]], 'ICC1')).toThrow(/two raters/)
    expect(() => intraclassCorrelation([[1, 2], [2]], 'ICC1')).toThrow(/every item/)
    const alike = intraclassCorrelation(
      [
        [1, 1],
        [2, 2],
        [4, 4],
      ],
      'ICC3k',
    )
    expect(alike).toMatchObject({ value: 1, p: 0 })
    expect(alike.interval).toBeUndefined()
    expect(
      intraclassCorrelation(
        [
          [3, 3],
          [3, 3],
        ],
        'ICC1',
      ).p,
    ).toBeNaN()
  })

  test('of rows that stand for themselves are by F, else over sources, from five on', () => {
    const plain = intraclassCorrelation(SHROUT, 'ICC1', 0.9)
    const alone = sharedIcc(SHROUT, 'abcdef'.split(''), 0.9)
    expect(alone).toEqual({ value: plain.value, interval: plain.interval })
    expect(sharedIcc(SHROUT, 'aabbcc'.split(''), 0.9)).toEqual({ value: plain.value })
    expect(
      sharedIcc(
        [
          [1, 1],
          [2, 2],
          [4, 4],
        ],
        'abc'.split(''),
        0.9,
      ),
    ).toEqual({ value: 1 })
  })
})

const A = [1, 2, 3, 3, 5, 4, 2, 1, 5, 4]
const B = [1, 3, 3, 2, 5, 5, 2, 2, 4, 1]

describe('two raters', () => {
  // scikit-learn's cohen_kappa_score, scipy's pearsonr and spearmanr.
  test('have scikit-learn’s κ', () => {
    const pairs = A.map((a, at) => ({ a, b: B[at] ?? NaN, weight: 1 }))
    expect(quadraticKappa(pairs)).toBeCloseTo(0.65, 12)
    expect(quadraticKappa([{ a: 2, b: 2, weight: 2 }])).toBeNull()
    expect(quadraticKappa([])).toBeNull()
  })

  test('have scipy’s correlations and Fisher’s interval', () => {
    expect(pearson(A, B)).toBeCloseTo(0.656599153958937, 12)
    expect(spearman(A, B)).toBeCloseTo(0.6163643916476188, 12)
    const interval = correlationInterval(pearson(A, B), 10, 0.9)
    expect(interval?.low).toBeCloseTo(0.16363125899333023, 10)
    expect(interval?.high).toBeCloseTo(0.8871768948389989, 10)
    expect(pearson([1, 1], [2, 3])).toBeNaN()
    expect(() => pearson([1], [1, 2])).toThrow(RangeError)
  })

  test('of ρ = 0.6 have Fisher’s interval over 4 pairs', () => {
    const interval = correlationInterval(0.6, 4, 0.95)
    expect(interval?.low).toBeCloseTo(-0.8529325646947181, 10)
    expect(interval?.high).toBeCloseTo(0.9901277107996944, 10)
  })

  test('have no interval for three pairs, nor where they agree fully', () => {
    expect(correlationInterval(0.6, 3, 0.95)).toBeUndefined()
    expect(correlationInterval(1, 30, 0.95)).toBeUndefined()
    expect(correlationInterval(-1, 30, 0.95)).toBeUndefined()
    expect(correlationInterval(NaN, 30, 0.95)).toBeUndefined()
  })
})

// Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), example C and those after it.
test('Krippendorff’s own example has the interval α that he gives', () => {
  const rows = ['1233214 12...', '123322412 5.3', '.33323422 51.', '123324412 51.']
  const ratings = rows.map((row) =>
    row
      .replaceAll(' ', '')
      .split('')
      .map((cell) => (cell === '.' ? null : Number(cell))),
  )
  expect(krippendorffAlpha(ratings)).toBeCloseTo(0.849, 3)
  expect(
    krippendorffAlpha([
      [2, 2],
      [2, 2],
    ]),
  ).toBeNull()
  expect(krippendorffAlpha([])).toBeNull()
})

describe('correlations of pairs that count several times', () => {
  const PAIRS = [
    { a: 1, b: 2, weight: 1 },
    { a: 2, b: 2, weight: 3 },
    { a: 4, b: 7, weight: 2 },
    { a: 5, b: 3, weight: 1 },
  ]
  const repeated = PAIRS.flatMap((pair) => Array.from({ length: pair.weight }, () => pair))
  const [a, b] = [repeated.map((pair) => pair.a), repeated.map((pair) => pair.b)]

  test('are those of the pairs as often as they count', () => {
    const r = pearson(a, b)
    expect(standardizedIcc(PAIRS)).toBeCloseTo((2 * r) / (1 + r), 12)
    expect(weightedSpearman(PAIRS)).toBeCloseTo(spearman(a, b), 12)
  })

  test('are none without two pairs, where a side does not spread, and of one against the other alone', () => {
    const flat = PAIRS.map((pair) => ({ ...pair, b: 3 }))
    // Sums of thirds differ in the last digit.
    const nearly = PAIRS.map((pair, at) => ({ ...pair, a: at % 2 === 0 ? 0.1 + 0.2 : 0.3 }))
    for (const pairs of [[], PAIRS.slice(0, 1), flat, nearly])
      expect([standardizedIcc(pairs), weightedSpearman(pairs)]).toEqual([null, null])
    const against = PAIRS.map((pair) => ({ ...pair, b: -pair.a }))
    expect([standardizedIcc(against), weightedSpearman(against)]).toEqual([null, expect.closeTo(-1, 12)])
  })
})
