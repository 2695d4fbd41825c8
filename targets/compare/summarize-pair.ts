import { clusterMean, type ClusterMean } from '../statistics/cluster-mean.ts'
import type { Interval } from '../statistics/interval.ts'
import { medhelmMde } from '../statistics/medhelm-mde.ts'
import { discordant, differencesOf, pairedP, type PairedStratum } from '../statistics/paired-difference.ts'
import { detectableEffect } from '../statistics/power.ts'
import { studentT } from '../statistics/distributions/student-t.ts'
import { tango } from '../statistics/paired/tango.ts'

/** How two models differ on the instances that both have a value of; B − A, in the metric's own units. */
export interface PairSummary {
  readonly n: number
  /** Independent sources; `n` where each instance stands for itself. */
  readonly sources: number
  readonly difference: number
  /** 95 %: Tango's for 0/1 values, Student's over sources otherwise; null where nothing spreads. */
  readonly interval: Interval | null
  readonly test: 'McNemar' | 'Student'
  /** Two-sided, as the board's significance groups are formed of it (`pairedP`). */
  readonly p: number
  /** True difference that this many instances notice in 80 % of cases, at 5 %; null where nothing spreads. */
  readonly mde: number | null
  /** The same as MedHELM's paper forms it (appendix E), sources disregarded. */
  readonly medhelmMde: number | null
}

const CONFIDENCE = 0.95

/**
 * Compares two models in time linear in the instances: nothing is drawn, so that all pairs of a board can be told.
 * Several strata, scenarios of one benchmark, count the same. Undefined where a stratum has no pair.
 *
 * @param isBinary whether values are 0 or 1 by definition
 */
export const summarizePair = (
  strata: readonly PairedStratum[],
  isBinary: boolean,
): PairSummary | undefined => {
  const means = strata.map((stratum) => clusterMean(differencesOf(stratum)))
  if (means.length === 0 || means.some(({ n }) => n === 0)) return undefined
  const spread = spreadOf(means)
  const [only] = strata
  const counts = isBinary && strata.length === 1 && only !== undefined ? discordant(only) : undefined
  const n = means.reduce((sum, mean) => sum + mean.n, 0)
  const differences = strata.flatMap(pairDifferences)
  const difference = means.reduce((sum, { mean }) => sum + mean, 0) / means.length
  return {
    n,
    sources: means.reduce((sum, { clusters }) => sum + clusters, 0),
    difference,
    interval:
      counts === undefined ? studentInterval(difference, spread) : tango({ ...counts, n }, CONFIDENCE),
    test: counts === undefined ? 'Student' : 'McNemar',
    p: pairedP(strata, isBinary),
    mde: spread === undefined ? null : detectableEffect(spread.standardError),
    medhelmMde: spread === undefined ? null : (medhelmMde(differences) ?? null),
  }
}

interface Spread {
  readonly standardError: number
  readonly freedom: number
}

/** Welch and Satterthwaite's, over the strata. Undefined where nothing spreads, or too few sources tell. */
const spreadOf = (means: readonly ClusterMean[]): Spread | undefined => {
  let [variance, denominator] = [0, 0]
  for (const { standardError, clusters } of means) {
    if (standardError === undefined) return undefined
    const share = (standardError / means.length) ** 2
    variance += share
    denominator += share ** 2 / (clusters - 1)
  }
  return variance === 0
    ? undefined
    : { standardError: Math.sqrt(variance), freedom: variance ** 2 / denominator }
}

const studentInterval = (difference: number, spread: Spread | undefined): Interval | null => {
  if (spread === undefined) return null
  const half = studentT(CONFIDENCE, spread.freedom) * spread.standardError
  return { low: difference - half, high: difference + half }
}

const pairDifferences = ({ a, b }: PairedStratum): readonly number[] =>
  Array.from(a, (left, at) => (b[at] ?? NaN) - left).filter((difference) => !Number.isNaN(difference))
