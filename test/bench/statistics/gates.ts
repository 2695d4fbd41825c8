import { gateOf } from '../../../targets/statistics/gate/gate.ts'
import type { RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'
import { times, uniform } from './draws.ts'
import { share, type Table } from './table.ts'

const DISCORDANT = 0.15

/** A benchmark of 0/1 answers whose share falls by `fall`. */
const gated = (
  n: number,
  fall: number,
  stream: RandomStream,
): { readonly a: readonly number[]; readonly b: readonly number[] } => {
  const lost = (DISCORDANT + fall) / 2
  const drawn = times(n, () => uniform(stream))
  return {
    a: drawn.map((u) => share(u < lost || u >= DISCORDANT)),
    b: drawn.map((u) => share(u >= lost)),
  }
}

/** How far each of so many benchmarks falls. */
const TRUTHS: readonly (readonly [what: string, fall: (at: number, benchmarks: number) => number])[] = [
  ['no change', () => 0],
  ['one falls by .10', (at) => (at === 0 ? 0.1 : 0)],
  ['a quarter fall by .05', (at, benchmarks) => (at < Math.max(1, Math.floor(benchmarks / 4)) ? 0.05 : 0)],
  ['all fall by .02', () => 0.02],
]

export const gates: readonly Table[] = TRUTHS.map(([truth, fall]) => ({
  section: 8,
  title: `Gate, ${truth}`,
  labels: ['K', 'n', 'truth', 'pooled share'],
  columns: [
    { name: 'verdict regressed' },
    { name: 'not worse' },
    { name: 'inconclusive' },
    { name: 'a sound benchmark called regressed', bar: { most: 0.035 } },
    { name: 'share of worse benchmarks found' },
  ],
  rows: [1, 12, 37].flatMap((benchmarks) =>
    [100, 1000].flatMap((n) =>
      (benchmarks === 1 ? [0.5] : [0, 0.5, 1]).map((pooledShare) => ({
        cells: [benchmarks, n, truth, pooledShare],
        trial: (stream: RandomStream) => {
          const falls = times(benchmarks, (at) => fall(at, benchmarks))
          const { verdict, benchmarks: rows } = gateOf(
            falls.map((lost, at) => ({
              name: `b${at}`,
              runs: [gated(n, lost, stream)],
              isBinary: true,
              margin: 0.05,
            })),
            { alpha: 0.025, pooledShare, pooledMargin: 0.02 },
          )
          const found = rows.map((row) => share(row.verdict === 'regressed'))
          const sound = found.filter((_, at) => falls[at] === 0)
          const worse = found.filter((_, at) => falls[at] !== 0)
          return [
            share(verdict === 'regressed'),
            share(verdict === 'not worse'),
            share(verdict === 'inconclusive'),
            sound.length === 0 ? NaN : Math.max(...sound),
            worse.length === 0 ? NaN : worse.reduce((sum, each) => sum + each, 0) / worse.length,
          ]
        },
      })),
    ),
  ),
}))
