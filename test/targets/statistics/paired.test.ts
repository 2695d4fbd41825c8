import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { holm } from '../../../targets/statistics/multiple/holm.ts'
import { mcnemarExact } from './compared/mcnemar.ts'
import { medhelmMde } from '../../../targets/statistics/mean.ts'
import { normalQuantile } from '../../../targets/statistics/distributions/normal.ts'
import { studentT, studentTail } from '../../../targets/statistics/distributions/student-t.ts'
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

describe.skipIf(file === undefined)('against scipy and statsmodels', () => {
  test('McNemar’s exact test', () => {
    for (const { b, c, p } of golden().mcnemar_exact.cases) close(mcnemarExact(b, c), p)
  })

  test('adjustments for many tests', () => {
    for (const { p, holm: expected } of golden().multiple_testing.cases) {
      for (const [index, adjusted] of holm(p).entries()) close(adjusted, expected[index] ?? NaN)
    }
  })

  test('MedHELM’s minimum detectable effect', () => {
    for (const { d, mde } of golden().mde_medhelm_script.cases) {
      close(medhelmMde(d), mde)
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
