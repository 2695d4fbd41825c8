import { likeThese } from '../../../targets/statistics/benchmarks/like-these.ts'
import { onThese } from '../../targets/statistics/compared/on-these.ts'
import { normalCdf } from '../../../targets/statistics/distributions/normal.ts'
import { holm } from '../../../targets/statistics/multiple/holm.ts'
import { chanceFirst } from '../../targets/statistics/compared/chance-first.ts'
import { criticalValues, maxTRankSets } from '../../targets/statistics/compared/max-t.ts'
import { rankSets, type RankSet } from '../../../targets/statistics/ranks/rank-sets.ts'
import { winRateLikeThese, winShares } from '../../../targets/statistics/ranks/win-share.ts'
import type { RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'
import { covers, normal, times } from './draws.ts'
import { share, type Table } from './table.ts'

const MODELS = 5
const EFFECT = 0.05
const ERROR = 0.02
/** A known error has no fewer degrees of freedom than any. */
const KNOWN = 1e9

/** Enough to tell whether a chance is above .95. */
const FIRST_DRAWS = 2000

/** What is refused has no figure. */
const shareOf = (holds: boolean | undefined): number => (holds === undefined ? NaN : share(holds))

export const fewBenchmarks: Table = {
  section: 5,
  title: 'Few benchmarks',
  labels: ['K'],
  columns: [
    { name: 'macro difference "on these" taken for "like these": rejects' },
    { name: '"like these" (t over benchmarks): rejects', bar: { most: 0.08 } },
    { name: 'its interval covers', bar: { least: 0.915 } },
    { name: 'any of 10 pairs, Holm, "like these"', bar: { most: 0.08 } },
    { name: 'win rate "like these" covers .5', bar: { least: 0.915 } },
    { name: 'P(first) > .95 by bootstrap of instances' },
  ],
  rows: [2, 3, 5, 8, 12, 20, 35].map((benchmarks) => ({
    cells: [benchmarks],
    trial: (stream) => {
      const scores = drawnScores(benchmarks, stream)
      const differences = (a: number, b: number): readonly number[] =>
        times(benchmarks, (at) => (scores[a]?.[at] ?? NaN) - (scores[b]?.[at] ?? NaN))
      const pairs = times(MODELS, (a) =>
        times(MODELS - 1 - a, (b) => likeThese(differences(a, a + 1 + b), 0.95)),
      )
      const ps = pairs.flat().flatMap(({ known }) => known?.p ?? [])
      const first = pairs[0]?.[0]?.known
      const wins = winRateLikeThese(winShares(scores)[0]?.flatMap((won) => won ?? []) ?? [], 0.95).known
      const own = onThese(
        differences(0, 1).map((value) => [{ value, variance: 2 * ERROR ** 2, df: KNOWN }]),
        0.95,
      )
      const variance = ERROR ** 2 / benchmarks
      const chances = chanceFirst(
        scores.map((row) => row.reduce((sum, score) => sum + score, 0) / benchmarks),
        times(MODELS, (a) => times(MODELS, (b) => (a === b ? variance : 0))),
        FIRST_DRAWS,
      )
      return [
        share(!covers(own.interval, 0)),
        shareOf(first && first.p < 0.05),
        shareOf(first && covers(first.interval, 0)),
        shareOf(ps.length === 0 ? undefined : holm(ps).some((p) => p < 0.05)),
        shareOf(wins && covers(wins.interval, 0.5)),
        share(chances.some((chance) => chance > 0.95)),
      ]
    },
  })),
}

/** By model, then benchmark; all models are equal over all benchmarks. */
const drawnScores = (benchmarks: number, stream: RandomStream): readonly (readonly number[])[] => {
  const levels = times(benchmarks, () => 0.08 * normal(stream))
  return times(MODELS, () => levels.map((level) => level + EFFECT * normal(stream) + ERROR * normal(stream)))
}

const TRUTHS: Readonly<Record<string, readonly number[]>> = {
  'all equal': times(9, () => 0),
  'top four equal, others .03 apart': times(9, (at) => (at < 4 ? 0 : -0.03 * (at - 3))),
  '.02 apart': times(9, (at) => -0.02 * at),
}

export const ranks: Table = {
  section: 6,
  title: 'Rank sets',
  labels: ['truth', 'rho'],
  columns: [
    { name: 'Holm, marginal: misses (mean over models)', bar: { most: 0.06 } },
    { name: 'Holm, simultaneous: any miss', bar: { most: 0.06 } },
    { name: 'max-t, marginal: misses', bar: { most: 0.06 } },
    { name: 'mean width Holm marginal' },
    { name: 'simultaneous' },
    { name: 'max-t marginal' },
  ],
  rows: Object.entries(TRUTHS).flatMap(([truth, means]) =>
    [0, 0.8].map((rho) => {
      const own = ERROR * Math.sqrt(1 - rho)
      const errors = means.map(() => own)
      const critical = criticalValues(errors, 0.95)
      const trial = (stream: RandomStream): readonly number[] => {
        const common = normal(stream)
        const estimates = means.map(
          (mean) => mean + ERROR * (Math.sqrt(rho) * common + Math.sqrt(1 - rho) * normal(stream)),
        )
        const { marginal, simultaneous } = rankSets(
          means.length,
          (a, b) => {
            const difference = (estimates[a] ?? NaN) - (estimates[b] ?? NaN)
            return { difference, p: 2 * normalCdf(-Math.abs(difference) / (Math.SQRT2 * own)) }
          },
          0.05,
        )
        // What all estimates share cancels out: they compare as independent ones with the rest of the error.
        const maxT = maxTRankSets(estimates, errors, 0.95, critical).marginal
        const misses = (sets: readonly RankSet[]): number =>
          average(sets.map((set, at) => share(isMissed(set, means, at))))
        return [
          misses(marginal),
          share(misses(simultaneous) > 0),
          misses(maxT),
          ...[marginal, simultaneous, maxT].map((sets) =>
            average(sets.map(([least, greatest]) => greatest - least + 1)),
          ),
        ]
      }
      return { cells: [truth, rho], trial }
    }),
  ),
}

/** Tied models may hold all of their ranks. */
const isMissed = ([least, greatest]: RankSet, means: readonly number[], model: number): boolean => {
  const own = means[model] ?? NaN
  const best = 1 + means.filter((mean) => mean > own).length
  const worst = means.length - means.filter((mean) => mean < own).length
  return least > best || greatest < worst
}

const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
