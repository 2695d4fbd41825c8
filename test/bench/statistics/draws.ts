import type { Interval } from '../../../targets/statistics/intervals/wilson.ts'
import { normalCdf } from '../../../targets/statistics/distributions/normal.ts'
import type { RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'

/** Between 0 and 1, neither included. */
export const uniform = (stream: RandomStream): number => (stream.word() + 0.5) / 0x1_0000_0000

/** Box and Muller's. */
export const normal = (stream: RandomStream): number =>
  Math.sqrt(-2 * Math.log(uniform(stream))) * Math.cos(2 * Math.PI * uniform(stream))

export const times = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at))

/** Marsaglia and Tsang's, raised by a power of a uniform draw below 1. */
const gamma = (shape: number, stream: RandomStream): number => {
  if (shape < 1) return gamma(shape + 1, stream) * uniform(stream) ** (1 / shape)
  const d = shape - 1 / 3
  for (;;) {
    const z = normal(stream)
    const v = (1 + z / Math.sqrt(9 * d)) ** 3
    if (v > 0 && Math.log(uniform(stream)) < (z * z) / 2 + d - d * v + d * Math.log(v)) return d * v
  }
}

export const beta = (a: number, b: number, stream: RandomStream): number => {
  const left = gamma(a, stream)
  return left / (left + gamma(b, stream))
}

/** A jury's score of three judges × three criteria. */
export const juryScore = (y: number): number => Math.min(5, Math.max(1, Math.round(9 * y) / 9))

/** The mean of a jury's score of a normal y. */
export const juryMean = (mean: number, sd: number): number => {
  let sum = 0
  for (let ninth = 9; ninth <= 45; ninth += 1) {
    const below = ninth === 9 ? -Infinity : (ninth - 0.5) / 9
    const above = ninth === 45 ? Infinity : (ninth + 0.5) / 9
    sum += (ninth / 9) * (normalCdf((above - mean) / sd) - normalCdf((below - mean) / sd))
  }
  return sum
}

/** 5 with 0.9, a ninth from 4 on with 0.09, 1 with 0.01. */
export const ceilingMix = (stream: RandomStream): number => {
  const u = uniform(stream)
  if (u < 0.9) return 5
  return u < 0.99 ? 4 + stream.below(9) / 9 : 1
}

export const CEILING_MEAN = 0.9 * 5 + 0.09 * (4 + 4 / 9) + 0.01

/** How many instances each of `sources` sources has. */
export const SIZES: Readonly<Record<string, (sources: number, stream: RandomStream) => readonly number[]>> = {
  'equal 10': (sources) => times(sources, () => 10),
  lognormal: (sources, stream) => times(sources, () => 1 + Math.floor(Math.exp(1.2 + 1.2 * normal(stream)))),
  '50, then 5s': (sources) => times(sources, (at) => (at === 0 ? 50 : 5)),
}

export const JURY = { range: { low: 1, high: 5 }, isBinary: false }
export const SHARE = { range: { low: 0, high: 1 }, isBinary: true }

export const covers = (interval: Interval | null | undefined, truth: number): boolean =>
  interval !== null && interval !== undefined && interval.low <= truth && truth <= interval.high

/** NaN without an interval. */
export const widthOf = (interval: Interval | null | undefined): number =>
  interval === null || interval === undefined ? NaN : interval.high - interval.low

/** How many of `n` hold, each with the chance. */
export const binomial = (n: number, chance: number, stream: RandomStream): number =>
  times(n, () => uniform(stream)).filter((u) => u < chance).length
