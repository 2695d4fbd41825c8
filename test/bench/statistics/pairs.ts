import { onThese } from '../../targets/statistics/compared/on-these.ts'
import { binomialWeights } from '../../../targets/statistics/distributions/binomial.ts'
import { contrastOf } from '../../../targets/statistics/paired/contrast.ts'
import { midP, tango } from '../../../targets/statistics/paired/tango.ts'
import { mcnemarExact, mcnemarScore } from '../../targets/statistics/compared/mcnemar.ts'
import { pairDifference, type PairDifference } from '../../../targets/statistics/paired/pair-difference.ts'
import type { RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'
import { covers, JURY, juryScore, normal, SHARE, SIZES, times, uniform, widthOf } from './draws.ts'
import { share, type Row, type Table } from './table.ts'
import { minus, type PairedSides } from '../../../targets/statistics/paired/paired-sides.ts'

const BAR = { most: 0.08 }

const rejects = ({ p }: Pick<PairDifference, 'p'>): number => share((p ?? 1) < 0.05)

type Answer = (shared: number, own: number, stream: RandomStream) => number

const right: Answer = (shared, own, stream) => share(shared + 0.8 * own + 0.7 * normal(stream) > -0.5)
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

export const pairedTests: Table = {
  section: 3,
  title: 'Paired differences, no true difference',
  labels: ['scores', 'sizes', 'sources'],
  columns: [
    { name: 'CR2 + BM: rejects', bar: BAR },
    { name: 'BM df, median', of: 'median' },
  ],
  rows: (
    [
      ['binary', right, SHARE],
      ['jury', scored, JURY],
    ] as const
  ).flatMap(([what, answer, metric]) =>
    Object.entries(SIZES).flatMap(([sizes, sizesOf]) =>
      [5, 10, 30].map((sources) => ({
        cells: [what, sizes, sources],
        trial: (stream: RandomStream) => {
          const run = runOf(sizesOf(sources, stream), effectsOf(sources, stream), answer, stream)
          const { known } = contrastOf([
            {
              benchmark: 'x',
              differences: minus(run.b, run.a),
              ...(run.sources && { sources: run.sources }),
            },
          ])
          return [rejects(pairDifference([run], metric)), known?.df ?? NaN]
        },
      })),
    ),
  ),
}

export const sharedRuns: Table = {
  section: 3,
  title: 'Three runs of one benchmark, the same patients in each',
  labels: ['patients'],
  columns: [
    { name: 'runs taken as independent, CR2 each, Welch: rejects' },
    { name: 'patients shared (section 2.3): rejects', bar: BAR },
  ],
  rows: [8, 15, 40].map((patients) => ({
    cells: [patients],
    trial: (stream) => {
      const effects = effectsOf(patients, stream)
      const sizes = (): readonly number[] =>
        times(patients, () => 1 + Math.floor(Math.exp(0.7 + 0.8 * normal(stream))))
      const runs = times(3, () => runOf(sizes(), effects, scored, stream))
      const alone = runs.map(({ benchmark, a, b, sources }) => {
        const { estimate, known } = contrastOf([
          { benchmark, differences: minus(b, a), ...(sources && { sources }) },
        ])
        return { value: estimate, variance: known?.variance ?? NaN, df: known?.df ?? NaN }
      })
      return [share(!covers(onThese([alone], 0.95).interval, 0)), rejects(pairDifference(runs, JURY))]
    },
  })),
}

/** Chances that a share of n pairs is discordant, and that so many of these fall to A, all outcomes summed. */
const expected = (
  n: number,
  difference: number,
  of: (onlyA: number, onlyB: number) => readonly number[],
): readonly number[] => {
  const sums: number[] = []
  for (const { count: pairs, weight } of binomialWeights(n, DISCORDANT))
    for (const { count: onlyB, weight: own } of binomialWeights(pairs, (1 + difference / DISCORDANT) / 2)) {
      if (weight * own < 1e-12) continue
      for (const [at, value] of of(pairs - onlyB, onlyB).entries())
        sums[at] = (sums[at] ?? 0) + weight * own * value
    }
  return sums
}

const DISCORDANT = 0.15

export const exactBinary: Table = {
  section: 3,
  title: 'Binary, one answer each, no clusters; exact',
  labels: ['n'],
  columns: [
    { name: 'exact McNemar rejects' },
    { name: 'mid-p rejects', bar: BAR },
    { name: 'score test rejects' },
    { name: 'Tango covers 0', bar: { least: 0.915 } },
    { name: 'mid-p and Tango disagree' },
    { name: 'Tango covers, true difference .10 (discordant .15)', bar: { least: 0.915 } },
  ],
  rows: [10, 30, 100, 300, 1000].map((n): Row => ({
    cells: [n],
    isExact: true,
    trial: () => {
      const holds = (difference: number) => (onlyA: number, onlyB: number) => {
        const isCovered = covers(tango({ onlyA, onlyB, n }, 0.95), difference)
        const isMid = midP(onlyA, onlyB) < 0.05
        return [
          share(mcnemarExact(onlyA, onlyB) < 0.05),
          share(isMid),
          share(mcnemarScore(onlyA, onlyB) < 0.05),
          share(isCovered),
          share(isMid === isCovered),
        ]
      }
      return [...expected(n, 0, holds(0)), expected(n, 0.1, holds(0.1))[3] ?? NaN]
    },
  })),
}

type Pair = (stream: RandomStream) => readonly [a: number, b: number]

const alike =
  (mean: number): Pair =>
  (stream) => {
    const shared = normal(stream)
    const answer = (): number => juryScore(mean + 0.5 * shared + 0.4 * normal(stream))
    return [answer(), answer()]
  }

const rareFall: Pair = (stream) => [5, uniform(stream) < 0.02 ? 1 : 5]

const fallAmongRises: Pair = (stream) => {
  const u = uniform(stream)
  if (u < 0.05) return [4, 1]
  return [4, u < 0.24 ? 4 + 1 / 3 : 4]
}

const DIFFERENCES: readonly (readonly [
  what: string,
  pair: Pair,
  truth: number,
  limits: readonly number[],
])[] = [
  ['jury 4.3, none', alike(4.3), 0, []],
  ['jury 5.0 (ceiling), none', alike(5), 0, []],
  ['2 % fall by 4', rareFall, -0.08, []],
  ['5 % fall by 3, 19 % rise by 1/3', fallAmongRises, 0.19 / 3 - 0.15, [10, 30, 100]],
]

export const boundedPairs: Table = {
  section: 3,
  title: 'Bounded scores, one answer each',
  labels: ['differences', 'n'],
  columns: [
    { name: 'the rule covers', bar: { least: 0.915 } },
    { name: 'width' },
    { name: 'all differences equal' },
  ],
  rows: DIFFERENCES.flatMap(([what, pair, truth, limits]) =>
    [5, 10, 30, 100, 300].map((n) => ({
      cells: [what, n],
      isKnownLimit: limits.includes(n),
      trial: (stream: RandomStream) => {
        const drawn = times(n, () => pair(stream))
        const found = pairDifference(
          [{ benchmark: 'x', a: drawn.map(([a]) => a), b: drawn.map(([, b]) => b) }],
          JURY,
        )
        return [share(covers(found.interval, truth)), widthOf(found.interval), share(found.test === 'Gaffke')]
      },
    })),
  ),
}

/** By n, chance to lose a score below 4, and from 4 on. */
const LOST = [40, 150].flatMap((n) =>
  (
    [
      [0, 0],
      [0.05, 0],
      [0.1, 0.1],
      [0.3, 0],
      [0.5, 0.05],
    ] as const
  ).map(([below, from]) => ({ n, below, from })),
)

export const lostJudgements: Table = {
  section: 4,
  title: 'Judges that fail where it is hard',
  labels: ['n', 'chance below 4 / else'],
  columns: [
    { name: 'unread' },
    { name: 'default score: rejects' },
    { name: 'strict, common instances: rejects' },
    { name: 'bounds (section 3): rejects', bar: BAR },
    { name: 'bounds: mean width' },
  ],
  rows: LOST.map(({ n, below, from }) => ({
    cells: [n, `${below} / ${from}`],
    trial: (stream) => {
      const drawn = times(n, () => {
        const shared = 4 + 0.6 * normal(stream)
        const [a, b] = [juryScore(shared + 0.4 * normal(stream)), juryScore(shared + 0.4 * normal(stream))]
        return { a, b: uniform(stream) < (b < 4 ? below : from) ? NaN : b }
      })
      const [a, b] = [drawn.map(({ a }) => a), drawn.map(({ b }) => b)]
      const found = pairDifference([{ benchmark: 'x', a, b }], JURY)
      const filled = b.map((value) => (Number.isNaN(value) ? 1 : value))
      return [
        b.filter(Number.isNaN).length / n,
        rejects(pairDifference([{ benchmark: 'x', a, b: filled }], JURY)),
        rejects(found.strict ?? found),
        rejects(found),
        widthOf(found.interval),
      ]
    },
  })),
}
