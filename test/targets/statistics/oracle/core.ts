import { likeThese } from '../../../../targets/statistics/benchmarks/like-these.ts'
import { onThese, type BenchmarkEstimate } from '../compared/on-these.ts'
import { gateOf } from '../../../../targets/statistics/gate/gate.ts'
import type { LossEvidence } from '../../../../targets/statistics/gate/loss-evidence.ts'
import { clusteredMean } from '../compared/clustered-mean.ts'
import { gaffke } from '../../../../targets/statistics/intervals/gaffke.ts'
import { wilson } from '../../../../targets/statistics/intervals/wilson.ts'
import { exactMean } from '../../../../targets/statistics/exact-sum.ts'
import { differenceWithMissing } from '../../../../targets/statistics/missing/difference-with-missing.ts'
import { meanWithMissing } from '../../../../targets/statistics/missing/mean-with-missing.ts'
import { holm } from '../../../../targets/statistics/multiple/holm.ts'
import { letterDisplay } from '../../../../targets/statistics/multiple/letters.ts'
import { contrastOf, testContrast } from '../../../../targets/statistics/paired/contrast.ts'
import { midP, tango } from '../../../../targets/statistics/paired/tango.ts'
import { mcnemarExact, mcnemarScore } from '../compared/mcnemar.ts'
import { detectableByMidP, powerOfMidP } from '../../../../targets/statistics/power/power-of-mid-p.ts'
import { detectableByT, powerOfT } from '../../../../targets/statistics/power/power-of-t.ts'
import { chanceFirst } from '../compared/chance-first.ts'
import { maxTRankSets } from '../compared/max-t.ts'
import { rankSets } from '../../../../targets/statistics/ranks/rank-sets.ts'
import {
  winRate,
  winRateLikeThese,
  winRateOnThese,
  winShares,
} from '../../../../targets/statistics/ranks/win-share.ts'
import { rangeOf, shareOf, type Scale } from '../../../../targets/statistics/scale.ts'
import { method, type Methods } from './method.ts'

/** The reference's ends of a scale and its confidence. */
interface Ends {
  readonly lo: number
  readonly hi: number
  readonly confidence: number
}

type Readings = readonly (number | null)[]

interface Pair {
  readonly lo: number
  readonly hi: number
  readonly a: Readings
  readonly b: Readings
  readonly sources?: readonly string[]
}

const scaleOf = ({ lo, hi }: Pick<Ends, 'lo' | 'hi'>): Scale => ({ low: lo, high: hi })

/** On the unit scale, more is better; null is NaN. */
const unit = (values: Readings, pair: Pair, isLowerBetter = false): number[] =>
  values.map((value) => (value === null ? NaN : shareOf(value, scaleOf(pair), isLowerBetter)))

const runOf = (
  pair: Pair,
  isLowerBetter = false,
): { a: number[]; b: number[]; sources?: readonly string[] } => ({
  a: unit(pair.a, pair, isLowerBetter),
  b: unit(pair.b, pair, isLowerBetter),
  ...(pair.sources !== undefined && { sources: pair.sources }),
})

/** A contrast in units of the scale, with its test. */
const tested = (
  runs: readonly (Pair & { readonly benchmark: string })[],
  confidence: number,
  range: number,
): object => {
  const contrast = contrastOf(
    runs.map((run) => {
      const { a, b, sources } = runOf(run)
      return {
        benchmark: run.benchmark,
        differences: a.map((value, at) => (b[at] ?? NaN) - (value ?? NaN)),
        ...(sources !== undefined && { sources }),
      }
    }),
  )
  const test = testContrast(contrast, confidence)
  return {
    ...contrast,
    difference: contrast.estimate * range,
    ...(test === undefined ? { reason: 'one source' } : inUnits(test, range)),
  }
}

const inUnits = (test: { low: number; high: number; variance?: number }, range: number): object => ({
  ...test,
  low: test.low * range,
  high: test.high * range,
  ...(test.variance !== undefined && { variance: test.variance * range ** 2 }),
})

const lossOf = (evidence: LossEvidence): object => ({ ...evidence, df: evidence.plan?.df })

const MEANS: Methods = {
  'mean.binary': method<{ successes: number; n: number; confidence: number }>(
    ({ successes, n, confidence }) => ({ mean: successes / n, ...wilson(successes, n, confidence) }),
  ),
  'mean.bounded': method<Ends & { values: number[] }>(({ values, confidence, ...ends }) => ({
    n: values.length,
    mean: exactMean(values),
    ...gaffke(values, scaleOf(ends), (1 - confidence) / 2),
  })),
  'mean.clustered': method<Ends & { values: number[]; sources: string[] }>(
    ({ values, sources, confidence, ...ends }) => {
      const { known, ...found } = clusteredMean(values, sources, scaleOf(ends), confidence)
      return {
        ...found,
        ...known,
        ...known?.interval,
        effective_n: known?.effectiveN,
        t_low: known?.student.low,
        t_high: known?.student.high,
      }
    },
  ),
  'mean.trials': method<Ends & { trials: number[][] }>(({ trials, confidence, ...ends }) => {
    const means = trials.map(exactMean)
    const interval = gaffke(means, scaleOf(ends), (1 - confidence) / 2)
    return { instance_means: means, n: means.length, mean: exactMean(means), ...interval }
  }),
}

const PAIRS: Methods = {
  'paired.binary': method<{ only_a: number; only_b: number; n: number; confidence: number }>(
    ({ only_a: onlyA, only_b: onlyB, n, confidence }) => ({
      difference: (onlyB - onlyA) / n,
      p_mid: midP(onlyA, onlyB),
      p_exact: mcnemarExact(onlyA, onlyB),
      p_score: mcnemarScore(onlyA, onlyB),
      ...tango({ onlyA, onlyB, n }, confidence),
    }),
  ),
  'paired.bounded': method<Pair & Ends>((pair) =>
    tested([{ ...pair, benchmark: 'x' }], pair.confidence, rangeOf(scaleOf(pair))),
  ),
  'paired.runs': method<{ runs: (Pair & { benchmark: string })[]; confidence: number }>(
    ({ runs, confidence }) => tested(runs, confidence, 1),
  ),
  'missing.mean': method<Ends & { values: Readings }>(({ values, confidence, ...ends }) => {
    const found = meanWithMissing(
      values.map((value) => value ?? undefined),
      scaleOf(ends),
      confidence,
    )
    const { bounds, interval } = found
    const measured = values.filter((value) => value !== null)
    const strict = measured.length > 0 ? exactMean(measured) : undefined
    return { ...found, strict_mean: strict, bound_low: bounds.low, bound_high: bounds.high, ...interval }
  }),
  'missing.difference': method<Pair & Ends>((pair) => {
    const range = rangeOf(scaleOf(pair))
    const found = differenceWithMissing([{ benchmark: 'x', ...runOf(pair) }], pair.confidence)
    const { bounds, decided, strict, tested } = found
    return {
      ...found,
      bound_low: bounds.low * range,
      bound_high: bounds.high * range,
      ...(decided === undefined ? { reason: 'one source' } : inUnits(decided, range)),
      strict: tested && { difference: strict.estimate * range, ...inUnits(tested, range) },
    }
  }),
  'missing.floor': method<Ends & { margin: number }>(({ margin, ...ends }) => ({
    largest_missing_share: margin / rangeOf(scaleOf(ends)),
  })),
}

const POWER: Methods = {
  'power.t': method<{ se: number; df: number; span: number; alpha: number; power: number }>(
    ({ se: standardError, df, span, alpha, power }) => ({
      mde: detectableByT({ standardError, df, alpha }, span, power),
      power_at_2se:
        standardError === 0 ? undefined : powerOfT({ standardError, df, alpha })(2 * standardError),
    }),
  ),
  'power.mid_p': method<{ n: number; discordant: number; alpha: number; power: number }>(
    ({ power, ...plan }) => {
      const mde = detectableByMidP(plan, power)
      return {
        mde,
        power_at_mde: mde === undefined ? undefined : powerOfMidP(plan)(mde),
        power_at_10: powerOfMidP(plan)(0.1),
      }
    },
  ),
}

const BENCHMARKS: Methods = {
  'macro.on_these': method<{ benchmarks: BenchmarkEstimate[][]; confidence: number }>(
    ({ benchmarks, confidence }) => {
      const found = onThese(benchmarks, confidence)
      return { ...found, ...found.interval }
    },
  ),
  'macro.like_these': method<{ values: number[]; confidence: number }>(({ values, confidence }) => {
    const found = likeThese(values, confidence)
    return { ...found, ...found.known, ...found.known?.interval }
  }),
  'win_rate.shares': method<{ scores: Readings[] }>(({ scores }) => {
    const shares = winShares(scores.map((row) => row.map((score) => score ?? undefined)))
    return { shares: shares.map((row) => row.map((share) => share ?? null)), win_rate: shares.map(winRate) }
  }),
  'win_rate.like_these': method<{ values: number[]; confidence: number }>(({ values, confidence }) => {
    const found = winRateLikeThese(values, confidence)
    return { ...found, ...found.known, ...found.known?.interval }
  }),
  'win_rate.on_these': method<{ scores: number[][]; p: number[][][]; model: number; alpha: number }>(
    ({ scores, p, model, alpha }) =>
      winRateOnThese(
        scores.flatMap((rival, at) =>
          at === model
            ? []
            : rival.map((score, benchmark) => ({
                difference: (scores[model]?.[benchmark] ?? NaN) - score,
                p: p[benchmark]?.[model]?.[at] ?? NaN,
              })),
        ),
        alpha,
      ),
  ),
}

const RANKS: Methods = {
  'rank_sets.holm': method<{ estimates: number[]; p: number[][]; alpha: number }>(({ estimates, p, alpha }) =>
    rankSets(
      estimates.length,
      (a, b) => ({ difference: (estimates[a] ?? NaN) - (estimates[b] ?? NaN), p: p[a]?.[b] ?? NaN }),
      alpha,
    ),
  ),
  'rank_sets.max_t': method<{ estimates: number[]; standard_errors: number[]; confidence: number }>(
    ({ estimates, standard_errors: errors, confidence }) => maxTRankSets(estimates, errors, confidence),
  ),
  'rank.first': method<{ estimates: number[]; standard_errors?: number[]; covariance?: number[][] }>(
    ({ estimates, standard_errors: errors = [], covariance }) => ({
      first: chanceFirst(
        estimates,
        covariance ?? errors.map((error, row) => errors.map((_, at) => (at === row ? error ** 2 : 0))),
      ),
    }),
  ),
}

interface GateInput {
  readonly benchmarks: readonly (Pair & {
    readonly name: string
    readonly lower_is_better: boolean
    readonly binary: boolean
    readonly margin: number
  })[]
  readonly alpha: number
  readonly pooled_share: number
  readonly pooled_margin: number
}

/** Means, pairs, ranks, power, missing judgements and the gate. */
export const CORE: Methods = {
  ...MEANS,
  ...PAIRS,
  ...POWER,
  ...BENCHMARKS,
  ...RANKS,
  holm: method<{ p: number[] }>(({ p }) => ({ adjusted: holm(p) })),
  letters: method<{ models: number; different: [number, number][] }>(({ models, different }) =>
    letterDisplay(models, (a, b) => different.some(([left, right]) => left === a && right === b)),
  ),
  gate: method<GateInput>(({ benchmarks, alpha, pooled_share: pooledShare, pooled_margin: pooledMargin }) => {
    const {
      pooled,
      benchmarks: rows,
      familyLevel,
      verdict,
    } = gateOf(
      benchmarks.map((row) => ({
        name: row.name,
        runs: [runOf(row, row.lower_is_better)],
        isBinary: row.binary,
        margin: row.margin,
      })),
      { alpha, pooledShare, pooledMargin },
    )
    return {
      pooled: { ...pooled, ...lossOf(pooled) },
      benchmarks: rows.map((row) => ({
        ...row,
        ...lossOf(row),
        power_to_find_margin: row.powerToFindMargin,
        power_to_clear: row.powerToClear,
      })),
      family_level: familyLevel,
      verdict,
    }
  }),
}
