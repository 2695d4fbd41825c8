import type { Interval } from '../../../targets/statistics/intervals/interval.ts'
import { meanInterval } from '../../../targets/statistics/intervals/mean-interval.ts'
import { normalCdf, normalQuantile } from '../../../targets/statistics/distributions/normal.ts'
import type { RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'
import type { Cell } from './cell.ts'
import {
  beta,
  CEILING_MEAN,
  ceilingMix,
  juryMean,
  juryScore,
  normal,
  SIZES,
  times,
  uniform,
} from './draws.ts'

const covers = (interval: Interval | null, truth: number): boolean =>
  interval !== null && interval.low <= truth && truth <= interval.high

const JURY = { range: { low: 1, high: 5 }, isBinary: false }
const SHARE = { range: { low: 0, high: 1 }, isBinary: true }
const BAR = { least: 0.915 }

type Draw = (stream: RandomStream) => number

/** Scores on 1 to 5 with their mean, and how often Gaffke's interval covered it at n 5, 10, 30, 100 and 300. */
const BOUNDED: readonly (readonly [what: string, draw: Draw, truth: number, shares: readonly number[]])[] = [
  ['beta 4.6', (s) => 1 + 4 * beta(2.7, 0.3, s), 4.6, [0.993, 0.989, 0.987, 0.983, 0.972]],
  ['beta 4.94', (s) => 1 + 4 * beta(2.955, 0.045, s), 4.94, [0.991, 0.99, 0.989, 0.983, 0.983]],
  ['beta 3.0', (s) => 1 + 4 * beta(1.5, 1.5, s), 3, [1, 0.998, 0.985, 0.97, 0.96]],
  ['ceiling mix', ceilingMix, CEILING_MEAN, [0.993, 0.992, 0.986, 0.984, 0.978]],
  ['two-point', (s) => (uniform(s) < 0.98 ? 5 : 1), 4.92, [0.997, 0.984, 0.982, 0.982, 0.972]],
  [
    'tight 4.4',
    (s) => juryScore(4.45 + 0.35 * normal(s)),
    juryMean(4.45, 0.35),
    [1, 0.998, 0.989, 0.984, 0.98],
  ],
]

export const boundedMeans: readonly Cell[] = BOUNDED.flatMap(([what, draw, truth, shares]) =>
  [5, 10, 30, 100, 300].map((n, at) => ({
    section: 'mean of bounded scores covers',
    what: `${what}, n ${n}`,
    holds: (stream) =>
      covers(meanInterval([{ values: times(n, () => draw(stream)) }], JURY, 0.95).interval, truth),
    reference: shares[at] ?? NaN,
    repetitions: n === 300 ? 2000 : 4000,
    bar: BAR,
  })),
)

/** Values of one source with `count` instances. */
type Source = (count: number, stream: RandomStream) => readonly number[]

const binary =
  (p: number): Source =>
  (count, stream) => {
    const chance = normalCdf(Math.sqrt(1.64) * normalQuantile(p) + 0.8 * normal(stream))
    return times(count, () => (uniform(stream) < chance ? 1 : 0))
  }

const jury =
  (mean: number): Source =>
  (count, stream) => {
    const shared = 0.4 * normal(stream)
    return times(count, () => juryScore(mean + shared + 0.5 * normal(stream)))
  }

const ceiling: Source = (count, stream) => {
  const shared = ceilingMix(stream)
  return times(count, () => (uniform(stream) < 0.5 ? shared : ceilingMix(stream)))
}

const SD = Math.sqrt(0.41)

/** How often the interval covered, by sizes (equal, lognormal, 50 then 5s) and 5, 10 and 30 sources. */
const CLUSTERED: readonly (readonly [
  what: string,
  draw: Source,
  truth: number,
  isBinary: boolean,
  shares: readonly number[],
])[] = [
  ['binary .5', binary(0.5), 0.5, true, [0.965, 0.958, 0.955, 0.99, 0.963, 0.949, 0.993, 0.971, 0.952]],
  ['binary .9', binary(0.9), 0.9, true, [0.988, 0.941, 0.942, 0.994, 0.983, 0.929, 0.994, 0.982, 0.943]],
  ['jury 4.3', jury(4.3), juryMean(4.3, SD), false, [1, 0.997, 0.993, 1, 1, 0.985, 1, 1, 0.996]],
  ['jury 4.9', jury(4.9), juryMean(4.9, SD), false, [0.999, 0.996, 0.992, 1, 0.996, 0.984, 1, 0.999, 0.993]],
  [
    'ceiling mixture',
    ceiling,
    CEILING_MEAN,
    false,
    [0.992, 0.986, 0.979, 0.996, 0.99, 0.983, 0.986, 0.982, 0.974],
  ],
]

export const clusteredMeans: readonly Cell[] = CLUSTERED.flatMap(([what, draw, truth, isBinary, shares]) =>
  Object.entries(SIZES).flatMap(([sizes, sizesOf], row) =>
    [5, 10, 30].map((sources, column) => ({
      section: 'mean over shared sources covers',
      what: `${what}, ${sizes}, ${sources} sources`,
      holds: (stream: RandomStream) => {
        const drawn = sizesOf(sources, stream).map((count) => draw(count, stream))
        const values = drawn.flat()
        const names = drawn.flatMap((own, source) => own.map(() => `p${source}`))
        const found = meanInterval([{ values, sources: names }], isBinary ? SHARE : JURY, 0.95)
        return covers(found.interval, truth)
      },
      reference: shares[3 * row + column] ?? NaN,
      repetitions: 4000,
      bar: BAR,
    })),
  ),
)
