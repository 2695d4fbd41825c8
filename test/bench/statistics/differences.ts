import { likeThese } from '../../../targets/statistics/benchmarks/like-these.ts'
import { normalCdf } from '../../../targets/statistics/distributions/normal.ts'
import { gateOf, type Gate } from '../../../targets/statistics/gate/gate.ts'
import { pairDifference } from '../../../targets/statistics/paired/pair-difference.ts'
import type { PairedSides } from '../../../targets/statistics/paired/paired-sides.ts'
import type { RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'
import { rankSets, type RankSets } from '../../../targets/statistics/ranks/rank-sets.ts'
import type { Cell } from './cell.ts'
import { juryScore, normal, SIZES, times, uniform } from './draws.ts'

const JURY = { range: { low: 1, high: 5 }, isBinary: false }
const SHARE = { range: { low: 0, high: 1 }, isBinary: true }
const BAR = { most: 0.08 }

const rejects = (runs: readonly PairedSides[], metric: typeof JURY): boolean =>
  (pairDifference(runs, metric).p ?? 1) < 0.05

type Answer = (shared: number, own: number, stream: RandomStream) => number

const right: Answer = (shared, own, stream) => (shared + 0.8 * own + 0.7 * normal(stream) > -0.5 ? 1 : 0)
const scored: Answer = (shared, own, stream) =>
  juryScore(4.3 + 0.5 * shared + 0.32 * own + 0.4 * normal(stream))

/** Both sides of a run of patients whose effects are drawn, a side each. */
const runOf = (
  sizes: readonly number[],
  effects: readonly (readonly [a: number, b: number])[],
  answer: Answer,
  stream: RandomStream,
): PairedSides => {
  const drawn = sizes.flatMap((count, source) =>
    times(count, () => {
      const shared = normal(stream)
      const [a = 0, b = 0] = effects[source] ?? []
      return { a: answer(shared, a, stream), b: answer(shared, b, stream), source: `p${source}` }
    }),
  )
  return {
    benchmark: 'x',
    a: drawn.map(({ a }) => a),
    b: drawn.map(({ b }) => b),
    sources: drawn.map(({ source }) => source),
  }
}

const effectsOf = (sources: number, stream: RandomStream): readonly (readonly [number, number])[] =>
  times(sources, () => [normal(stream), normal(stream)] as const)

const PAIRED: readonly (readonly [
  what: string,
  answer: Answer,
  metric: typeof JURY,
  shares: readonly number[],
])[] = [
  ['binary', right, SHARE, [0.044, 0.054, 0.053, 0.043, 0.06, 0.069, 0.035, 0.048, 0.049]],
  ['jury', scored, JURY, [0.046, 0.05, 0.048, 0.048, 0.062, 0.059, 0.036, 0.043, 0.061]],
]

export const pairedTests: readonly Cell[] = PAIRED.flatMap(([what, answer, metric, shares]) =>
  Object.entries(SIZES).flatMap(([sizes, sizesOf], row) =>
    [5, 10, 30].map((sources, column) => ({
      section: 'paired test rejects a true null',
      what: `${what}, ${sizes}, ${sources} sources`,
      holds: (stream: RandomStream) =>
        rejects([runOf(sizesOf(sources, stream), effectsOf(sources, stream), answer, stream)], metric),
      reference: shares[3 * row + column] ?? NaN,
      repetitions: 4000,
      bar: BAR,
    })),
  ),
)

export const sharedRuns: readonly Cell[] = (
  [
    [8, 0.051],
    [15, 0.06],
    [40, 0.051],
  ] as const
).map(([patients, reference]) => ({
  section: 'three runs of the same patients reject a true null',
  what: `${patients} patients`,
  holds: (stream) => {
    const effects = effectsOf(patients, stream)
    const sizes = (): readonly number[] =>
      times(patients, () => 1 + Math.floor(Math.exp(0.7 + 0.8 * normal(stream))))
    return rejects(
      times(3, () => runOf(sizes(), effects, scored, stream)),
      JURY,
    )
  },
  reference,
  repetitions: 2000,
  bar: BAR,
}))

const LOST: readonly (readonly [n: number, below: number, from: number, reference: number])[] = [
  [40, 0, 0, 0.049],
  [40, 0.05, 0, 0.019],
  [40, 0.1, 0.1, 0.007],
  [40, 0.3, 0, 0.001],
  [40, 0.5, 0.05, 0],
  [150, 0, 0, 0.056],
  [150, 0.05, 0, 0.009],
  [150, 0.1, 0.1, 0],
  [150, 0.3, 0, 0],
  [150, 0.5, 0.05, 0],
]

export const lostJudgements: readonly Cell[] = LOST.map(([n, below, from, reference]) => ({
  section: 'lost judgements of one side reject a true null',
  what: `n ${n}, lost below 4 ${below}, else ${from}`,
  holds: (stream) => {
    const drawn = times(n, () => {
      const shared = 4 + 0.6 * normal(stream)
      const [a, b] = [juryScore(shared + 0.4 * normal(stream)), juryScore(shared + 0.4 * normal(stream))]
      return { a, b: uniform(stream) < (b < 4 ? below : from) ? NaN : b }
    })
    return rejects([{ benchmark: 'x', a: drawn.map(({ a }) => a), b: drawn.map(({ b }) => b) }], JURY)
  },
  reference,
  repetitions: 1000,
  bar: BAR,
}))

export const fewBenchmarks: readonly Cell[] = (
  [
    [8, 0.05],
    [12, 0.055],
    [20, 0.053],
    [35, 0.044],
  ] as const
).map(([benchmarks, reference]) => ({
  section: 'benchmarks like these reject a true null',
  what: `${benchmarks} benchmarks`,
  holds: (stream) => {
    const sd = Math.sqrt(2 * (0.05 ** 2 + 0.02 ** 2))
    const { known } = likeThese(
      times(benchmarks, () => sd * normal(stream)),
      0.95,
    )
    return known !== undefined && known.p < 0.05
  },
  reference,
  repetitions: 4000,
  bar: BAR,
}))

const TRUTHS: Readonly<Record<string, readonly number[]>> = {
  'all equal': times(9, () => 0),
  'top four equal, others .03 apart': times(9, (at) => (at < 4 ? 0 : -0.03 * (at - 3))),
  '.02 apart': times(9, (at) => -0.02 * at),
}

const RANKED: readonly (readonly [truth: string, rho: number, simultaneous: number])[] = [
  ['all equal', 0, 0.044],
  ['all equal', 0.8, 0.025],
  ['top four equal, others .03 apart', 0, 0.013],
  ['top four equal, others .03 apart', 0.8, 0.012],
  ['.02 apart', 0, 0],
  ['.02 apart', 0.8, 0],
]

const setsOf = (truth: readonly number[], rho: number, stream: RandomStream): RankSets => {
  const common = normal(stream)
  const estimates = truth.map(
    (mean) => mean + 0.02 * (Math.sqrt(rho) * common + Math.sqrt(1 - rho) * normal(stream)),
  )
  const error = 0.02 * Math.sqrt(2 * (1 - rho))
  return rankSets(
    truth.length,
    (a, b) => {
      const difference = (estimates[a] ?? NaN) - (estimates[b] ?? NaN)
      return { difference, p: 2 * normalCdf(-Math.abs(difference) / error) }
    },
    0.05,
  )
}

/** Tied models may hold all of their ranks. */
export const ranks: readonly Cell[] = RANKED.map(([truth, rho, reference]) => ({
  section: 'simultaneous rank sets miss',
  what: `${truth}, correlation ${rho}`,
  holds: (stream) => {
    const means = TRUTHS[truth] ?? []
    return setsOf(means, rho, stream).simultaneous.some(([least, greatest], model) => {
      const own = means[model] ?? NaN
      const best = 1 + means.filter((mean) => mean > own).length
      const worst = means.length - means.filter((mean) => mean < own).length
      return least > best || greatest < worst
    })
  },
  reference,
  repetitions: 1000,
  bar: { most: 0.06 },
}))

const DISCORDANT = 0.15

/** A benchmark of 0/1 answers whose share falls by `fall`. */
const gated = (
  n: number,
  fall: number,
  stream: RandomStream,
): { a: readonly number[]; b: readonly number[] } => {
  const lost = (DISCORDANT + fall) / 2
  const drawn = times(n, () => {
    const u = uniform(stream)
    if (u < lost) return [1, 0] as const
    return u < DISCORDANT ? ([0, 1] as const) : ([1, 1] as const)
  })
  return { a: drawn.map(([a]) => a), b: drawn.map(([, b]) => b) }
}

const gate = (benchmarks: number, n: number, falls: (at: number) => number, stream: RandomStream): Gate =>
  gateOf(
    times(benchmarks, (at) => ({
      name: `b${at}`,
      runs: [gated(n, falls(at), stream)],
      isBinary: true,
      margin: 0.05,
    })),
    { alpha: 0.025, pooledShare: 0.5, pooledMargin: 0.02 },
  )

/** Share of gates that find a regression: without a change, one benchmark falling by .10, all by .02. */
const GATES: readonly (readonly [benchmarks: number, n: number, none: number, one: number, all: number])[] = [
  [1, 100, 0.015, 0.688, 0.04],
  [1, 1000, 0.014, 1, 0.276],
  [12, 100, 0.021, 0.335, 0.339],
  [12, 1000, 0.011, 1, 0.983],
  [37, 100, 0.019, 0.211, 0.813],
  [37, 1000, 0.014, 1, 0.989],
]

export const gates: readonly Cell[] = GATES.flatMap(([benchmarks, n, none, one, all]) =>
  (
    [
      ['no change', () => 0, none],
      ['one falls by .10', (at: number) => (at === 0 ? 0.1 : 0), one],
      ['all fall by .02', () => 0.02, all],
    ] as const
  ).map(([what, falls, reference]) => ({
    section: 'gate says regressed',
    what: `${benchmarks} × ${n}, ${what}`,
    holds: (stream: RandomStream) => gate(benchmarks, n, falls, stream).verdict === 'regressed',
    reference,
    repetitions: 4000,
    ...(what === 'no change' && { bar: { most: 0.035 } }),
  })),
)
