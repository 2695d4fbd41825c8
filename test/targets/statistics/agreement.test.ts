import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { correlationInterval, pearson, spearman } from '../../../targets/statistics/agreement/correlation.ts'
import { fQuantile, fTail } from '../../../targets/statistics/distributions/f-distribution.ts'
import {
  intraclassCorrelation,
  type IccForm,
} from '../../../targets/statistics/agreement/intraclass-correlation.ts'
import { krippendorffAlpha } from '../../../targets/statistics/agreement/weighted-alpha.ts'
import { averageRanks } from '../../../targets/statistics/mean.ts'
import { onceEach, ratingsByAnswer } from '../../../targets/statistics/agreement/rated-answers.ts'
import { quadraticKappa, weightedIcc } from '../../../targets/statistics/agreement/weighted-agreement.ts'
import { shared } from '../../rig/shared.ts'
import { SHROUT } from './shrout.ts'

const file = shared('golden/metrics/statistics.json')

/** Infinities and NaN stand in the file as texts. */
type Golden = number | string | null

interface File {
  readonly spearman: {
    readonly cases: readonly {
      readonly a: readonly number[]
      readonly b: readonly number[]
      readonly rho: Golden
      readonly ci95_fisher: readonly Golden[]
      readonly pearson: readonly Golden[] | null
      readonly ranks_a: readonly number[]
    }[]
  }
  readonly weighted_kappa: {
    readonly cases: readonly {
      readonly a: readonly number[]
      readonly b: readonly number[]
      readonly quadratic: Golden
    }[]
  }
  readonly icc: {
    readonly cases: readonly {
      readonly name: string
      readonly matrix: readonly (readonly number[])[]
      readonly icc: Readonly<
        Record<
          IccForm,
          { icc: Golden; F: Golden; df1: number; df2: number; p: Golden; ci95: readonly Golden[] }
        >
      >
    }[]
  }
  readonly krippendorff_alpha: {
    readonly cases: readonly {
      readonly data: readonly (readonly (number | null)[])[]
      readonly interval: Golden
    }[]
  }
  readonly quantiles: {
    readonly f: readonly (readonly [number, number, number, number])[]
    readonly cdf: { readonly f: readonly (readonly [number, number, number, number, number])[] }
  }
}

const golden = (): File => JSON.parse(readFileSync(file ?? '', 'utf8')) as File

const close = (ours: number, golden: Golden | undefined, about: string): void => {
  if (golden === null || golden === undefined) return
  const wanted = Number(golden)
  if (Number.isFinite(wanted))
    expect(Math.abs(ours - wanted), `${about}: ${ours} is not ${wanted}`).toBeLessThanOrEqual(
      1e-9 * Math.max(1, Math.abs(wanted)),
    )
  else expect(ours, about).toBe(wanted)
}

describe.skipIf(file === undefined)('against scipy, scikit-learn, pingouin and krippendorff', () => {
  test('quantiles and tails of F agree to 1e-9', () => {
    for (const [p, df1, df2, x] of golden().quantiles.f)
      close(fQuantile(1 - p, df1, df2), x, `F ${p} ${df1} ${df2}`)
    for (const [x, df1, df2, , tail] of golden().quantiles.cdf.f)
      close(fTail(x, df1, df2), tail, `F tail ${x}`)
  })

  test('correlations, ranks and Fisher’s interval agree to 1e-9', () => {
    for (const each of golden().spearman.cases) {
      const rho = spearman(each.a, each.b)
      const about = JSON.stringify(each.a).slice(0, 80)
      expect(averageRanks(each.a)).toEqual(each.ranks_a)
      close(rho, each.rho, about)
      const [low, high] = each.ci95_fisher
      const interval = correlationInterval(rho, each.a.length, 0.95)
      close(interval?.low ?? NaN, low, about)
      close(interval?.high ?? NaN, high, about)
      const r = pearson(each.a, each.b)
      close(r, each.pearson?.[0], about)
    }
  })

  test('weighted kappas agree to 1e-9', () => {
    for (const { a, b, quadratic } of golden().weighted_kappa.cases) {
      const pairs = a.map((one, at) => ({ a: one, b: b[at] ?? NaN, weight: 1 }))
      close(quadraticKappa(pairs) ?? NaN, quadratic, 'quadratic')
    }
  })

  test('the intraclass correlations agree to 1e-9, with F, p and interval', () => {
    for (const { name, matrix, icc } of golden().icc.cases)
      for (const form of ['ICC1', 'ICC3k'] as const) {
        const wanted = icc[form]
        const ours = intraclassCorrelation(matrix, form)
        const about = `${name} ${form}`
        close(ours.value, wanted.icc, about)
        close(ours.f, wanted.F, about)
        expect([ours.df1, ours.df2]).toEqual([wanted.df1, wanted.df2])
        close(ours.p, wanted.p, about)
        if (ours.interval === undefined) expect(wanted.F).toBe('Infinity')
        else {
          close(ours.interval.low, wanted.ci95[0], about)
          close(ours.interval.high, wanted.ci95[1], about)
        }
      }
  })

  test("Krippendorff's alphas agree to 1e-9", () => {
    for (const each of golden().krippendorff_alpha.cases)
      close(krippendorffAlpha(each.data) ?? NaN, each.interval, 'interval')
  })
})

test('constant values have no correlation', () => {
  expect(pearson([1, 1, 1], [1, 2, 3])).toBeNaN()
})

test('a table with holes or of one item is refused', () => {
  expect(() => intraclassCorrelation([[1, 2]], 'ICC3k')).toThrow(RangeError)
  expect(() => intraclassCorrelation([[1, 2], [1]], 'ICC3k')).toThrow(RangeError)
})

test('figures of an invented table are those of scipy 1.17, pingouin 0.7 and krippendorff 0.9', () => {
  const table = [
    [1, 2, 2],
    [3, 3, 4],
    [5, 4, 5],
    [2, 2, 1],
    [4, 5, 4],
    [3, 1, 2],
    [5, 5, 3],
  ]
  const [a, b] = [0, 1].map((rater) => table.map((row) => row[rater] ?? NaN))
  expect(pearson(a ?? [], b ?? [])).toBeCloseTo(0.758543806933814, 13)
  expect(spearman(a ?? [], b ?? [])).toBeCloseTo(0.75, 13)
  const wanted: readonly (readonly [IccForm, number, number, number])[] = [
    ['ICC1', 0.7391304347826084, 9.5, 0.0002858834140479057],
    ['ICC3k', 0.881578947368421, 8.444444444444434, 0.000965268787675848],
  ]
  for (const [form, value, f, p] of wanted) {
    const found = intraclassCorrelation(table, form)
    expect([found.value, found.f]).toEqual([expect.closeTo(value, 12), expect.closeTo(f, 11)])
    expect(found.p).toBeCloseTo(p, 12)
  }
  const holes = [0, 1, 2].map((rater) =>
    table.map((row, at) =>
      (rater === 1 && at === 2) || (rater === 2 && at === 5) ? null : (row[rater] ?? null),
    ),
  )
  expect(krippendorffAlpha(holes)).toBeCloseTo(0.7049180327868854, 12)
})

test('ICCs of raw scores are those of Shrout and Fleiss for a full table, and solve the same equations for one with holes', () => {
  const of = (answers: readonly (readonly (number | null)[])[]) => {
    const scores = (answers[0] ?? []).map((_, rater) => answers.map((row) => row[rater] ?? null))
    const rated = { scores, jury: answers.map(() => null) }
    return weightedIcc(ratingsByAnswer(rated), onceEach(rated))
  }
  const full = of(SHROUT)
  expect(full.icc1).toBeCloseTo(0.16574176840548, 12)
  expect(full.icc2).toBeCloseTo(0.28976377952755, 12)
  const sparse = of([
    [4, 5, null],
    [2, null, 3],
    [null, 3, 1],
    [5, 5, 4],
    [1, null, null],
    [null, 2, 2],
  ])
  expect(sparse.icc1).toBeCloseTo(0.7517214996174452, 12)
  expect(sparse.icc2).toBeCloseTo(0.7536865101037691, 12)
  expect(
    of([
      [4, null],
      [null, 3],
      [2, null],
    ]),
  ).toEqual({ icc1: null, icc2: null })
  expect(
    of([
      [4, 4],
      [4, 4],
      [4, 4],
    ]),
  ).toEqual({ icc1: null, icc2: null })
  expect(
    of([
      [13 / 3, 13 / 3],
      [13 / 3, 13 / 3],
      [13 / 3, 13 / 3],
    ]),
  ).toEqual({ icc1: null, icc2: null })
})
