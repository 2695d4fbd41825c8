import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { benjaminiHochberg } from '../../../targets/statistics/benjamini-hochberg.ts'
import { clopperPearson } from '../../../targets/statistics/clopper-pearson.ts'
import { clusterInterval, clusterMean, type Cluster } from '../../../targets/statistics/cluster-mean.ts'
import { holm } from '../../../targets/statistics/multiple/holm.ts'
import { mcnemarExact } from '../../../targets/statistics/paired/mid-p.ts'
import { medhelmMde } from '../../../targets/statistics/medhelm-mde.ts'
import { normalQuantile } from '../../../targets/statistics/distributions/normal.ts'
import { pairedT } from '../../../targets/statistics/paired-t.ts'
import {
  detectableEffect,
  differenceVariance,
  powerOf,
  requiredInstances,
} from '../../../targets/statistics/power.ts'
import { studentT, studentTail } from '../../../targets/statistics/distributions/student-t.ts'
import { wilcoxonSignedRank } from '../../../targets/statistics/wilcoxon.ts'
import { shared } from '../../rig/shared.ts'

const file = shared('golden/metrics/statistics.json')

interface Golden {
  readonly clopper_pearson: {
    readonly cases: readonly { k: number; n: number; confidence: number; low: number; high: number }[]
  }
  readonly mcnemar_exact: { readonly cases: readonly { b: number; c: number; p: number }[] }
  readonly paired_t: {
    readonly cases: readonly {
      i: number
      a: readonly number[]
      b: readonly number[]
      t: number | string
      df: number
      p: number
      mean_difference: number
      ci95: readonly [number, number]
    }[]
  }
  readonly wilcoxon_signed_rank: {
    readonly cases: readonly {
      i: number
      n: number
      zeros: number
      ties: boolean
      wilcox: readonly [number, number | string]
      auto: readonly [number, number]
    }[]
  }
  readonly multiple_testing: {
    readonly cases: readonly { p: readonly number[]; holm: readonly number[]; bh: readonly number[] }[]
  }
  readonly power_paired: {
    readonly cases: readonly Readonly<
      Record<
        | 'alpha'
        | 'power'
        | 'omega2'
        | 'sa2'
        | 'ka'
        | 'sb2'
        | 'kb'
        | 'delta'
        | 'n'
        | 'required_n'
        | 'mde_at_n'
        | 'power_at_delta_n',
        number
      >
    >[]
  }
  readonly mde_medhelm_script: {
    readonly cases: readonly { d: readonly number[]; mde: number; mde_exact_quantiles_sd1: number }[]
  }
  readonly cluster_se_of_mean: {
    readonly cases: readonly {
      y: readonly number[]
      groups: readonly number[]
      mean: number
      se_corrected: number
      ci95_t_G_minus_1: readonly [number, number]
    }[]
  }
  readonly quantiles: {
    readonly normal: readonly (readonly [number, number])[]
    readonly t: readonly (readonly [number, number, number])[]
    readonly cdf: { readonly t: readonly (readonly [number, number, number, number])[] }
  }
}

const golden = (): Golden => JSON.parse(readFileSync(file ?? '', 'utf8')) as Golden

const close = (ours: number | undefined, expected: number, tolerance = 1e-9): void => {
  expect(Math.abs((ours ?? NaN) - expected)).toBeLessThanOrEqual(
    tolerance * Math.max(1e-300, Math.abs(expected)),
  )
}

const clustersOf = (values: readonly number[], groups: readonly number[]): readonly Cluster[] => {
  const clusters = new Map<number, { sum: number; size: number }>()
  for (const [index, value] of values.entries()) {
    const group = groups[index] ?? 0
    const cluster = clusters.get(group) ?? { sum: 0, size: 0 }
    clusters.set(group, { sum: cluster.sum + value, size: cluster.size + 1 })
  }
  return [...clusters.values()]
}

describe.skipIf(file === undefined)('against scipy and statsmodels', () => {
  test('exact intervals of proportions', () => {
    for (const { k, n, confidence, low, high } of golden().clopper_pearson.cases) {
      // scipy looks for the limits by steps of 1e-12 or so: of the smallest ones it has fewer digits than we.
      const ours = clopperPearson(k, n, confidence)
      expect(Math.abs(ours.low - low)).toBeLessThan(1e-11)
      expect(Math.abs(ours.high - high)).toBeLessThan(1e-11)
    }
  })

  test('McNemar’s exact test', () => {
    for (const { b, c, p } of golden().mcnemar_exact.cases) close(mcnemarExact(b, c), p)
  })

  test('the paired t test', () => {
    for (const { a, b, t, df, p, mean_difference, ci95 } of golden().paired_t.cases) {
      const ours = pairedT(a.map((value, index) => value - (b[index] ?? 0)))
      if (ours === undefined || typeof t === 'string') {
        expect([ours, typeof t]).toEqual([undefined, 'string'])
        continue
      }
      expect(ours.df).toBe(df)
      // Differences that are 0 on paper leave a last digit.
      expect(ours.t).toBeCloseTo(t, 9)
      close(ours.p, p)
      expect(ours.meanDifference).toBeCloseTo(mean_difference, 12)
      expect(ours.interval.low).toBeCloseTo(ci95[0], 9)
      expect(ours.interval.high).toBeCloseTo(ci95[1], 9)
    }
  })

  test('the signed-rank test, exact and normal', () => {
    const { paired_t: paired, wilcoxon_signed_rank: signed } = golden()
    for (const { i, n, zeros, ties, wilcox, auto } of signed.cases) {
      const pair = paired.cases.find((each) => each.i === i)
      const differences = (pair?.a ?? []).map((value, index) => value - (pair?.b[index] ?? 0))
      const normal = wilcoxonSignedRank(differences, 'normal')
      if (typeof wilcox[1] === 'string') {
        expect(normal).toBeUndefined()
        continue
      }
      close(normal?.statistic, wilcox[0])
      close(normal?.p, wilcox[1])
      if (n <= 13 || (n <= 50 && zeros === 0 && !ties)) close(wilcoxonSignedRank(differences)?.p, auto[1])
    }
  })

  test('adjustments for many tests', () => {
    for (const { p, holm: expected, bh } of golden().multiple_testing.cases) {
      for (const [index, adjusted] of holm(p).entries()) close(adjusted, expected[index] ?? NaN)
      for (const [index, adjusted] of benjaminiHochberg(p).entries()) close(adjusted, bh[index] ?? NaN)
    }
  })

  test('detectable effects, instances wanted and power', () => {
    for (const each of golden().power_paired.cases) {
      const aim = { alpha: each.alpha, power: each.power }
      const variance = differenceVariance({
        between: each.omega2,
        withinA: each.sa2,
        answersA: each.ka,
        withinB: each.sb2,
        answersB: each.kb,
      })
      const standardError = Math.sqrt(variance / each.n)
      close(requiredInstances(each.delta, variance, aim), each.required_n)
      close(detectableEffect(standardError, aim), each.mde_at_n)
      close(powerOf(each.delta, standardError, each.alpha), each.power_at_delta_n)
    }
  })

  test('MedHELM’s minimum detectable effect, and ours', () => {
    for (const { d, mde, mde_exact_quantiles_sd1: exact } of golden().mde_medhelm_script.cases) {
      close(medhelmMde(d), mde)
      const { standardError } = clusterMean(d.map((sum) => ({ sum, size: 1 })))
      close(detectableEffect(standardError ?? NaN), exact)
    }
  })

  test('the standard error of a mean over clusters', () => {
    for (const { y, groups, mean, se_corrected: expected, ci95_t_G_minus_1: ci } of golden()
      .cluster_se_of_mean.cases) {
      const ours = clusterMean(clustersOf(y, groups))
      close(ours.mean, mean)
      close(ours.standardError, expected)
      const interval = clusterInterval(ours, 0.95)
      close(interval?.low, ci[0])
      close(interval?.high, ci[1])
    }
  })

  test('quantiles and tails of the normal and of Student’s distribution', () => {
    const { normal, t, cdf } = golden().quantiles
    for (const [p, z] of normal)
      expect(Math.abs(normalQuantile(p) - z)).toBeLessThan(1e-9 * Math.max(1, Math.abs(z)))
    // Written from the middle, so that small tails keep their digits.
    for (const [p, df, x] of t)
      if (p !== 0.5 && Math.min(p, 1 - p) > 1e-4) close(studentT(Math.abs(2 * p - 1), df), Math.abs(x))
    for (const [x, df, below, above] of cdf.t) close(studentTail(x, df), 2 * Math.min(below, above))
  })
})

describe('the exact interval', () => {
  test('is the closed form where there is one', () => {
    for (const n of [10, 100, 100_000]) {
      close(clopperPearson(1, n, 0.95).low, -Math.expm1(Math.log1p(-0.025) / n), 1e-13)
      close(clopperPearson(0, n, 0.95).high, -Math.expm1(Math.log(0.025) / n), 1e-13)
      close(clopperPearson(n, n, 0.95).low, 0.025 ** (1 / n), 1e-13)
    }
  })
})

describe('paired tests', () => {
  test('say nothing where nothing differs', () => {
    expect(pairedT([0, 0, 0])).toBeUndefined()
    expect(wilcoxonSignedRank([0, 0])).toBeUndefined()
    expect(mcnemarExact(0, 0)).toBe(1)
    expect(medhelmMde([])).toBeUndefined()
    expect(clusterMean([{ sum: 3, size: 2 }])).toEqual({ n: 2, clusters: 1, mean: 1.5 })
  })

  test('refuse what is no count', () => {
    expect(() => clopperPearson(2, 1, 0.95)).toThrow(RangeError)
    expect(() => clopperPearson(0.5, 1, 0.95)).toThrow(RangeError)
    expect(() => clopperPearson(0, 0, 0.95)).toThrow(RangeError)
    expect(() => requiredInstances(0, 1)).toThrow(RangeError)
  })
})
