import { clusterInterval, clusterMean } from '../../targets/statistics/cluster-mean.ts'
import type { Interval } from '../../targets/statistics/interval.ts'
import { RandomStream, randomKey } from '../../targets/statistics/random-stream.ts'
import { signFlip } from '../../targets/statistics/sign-flip.ts'
import { tango } from '../../targets/statistics/paired/tango.ts'
import { wilson } from '../../targets/statistics/intervals/wilson.ts'

/** How often something held in made-up data of which the truth is known. */
export interface Simulated {
  readonly what: string
  /** Share of the trials. */
  readonly share: number
  /** Where the share should lie. */
  readonly least: number
  readonly most: number
}

const TRIALS = 4000
const TEST_TRIALS = 4000

/** Draws by name: the same figures each time. Takes about a minute. */
export const simulate = (): readonly Simulated[] => [
  covered('Wilson, n 100, true share 0.1 … 0.9', TRIALS, wilsonCovers),
  covered('Tango, n 100, paired answers', TRIALS, tangoCovers),
  covered('t over 60 instances, scores 1 … 5', TRIALS, (stream) => meanCovers(stream, 60, 1)),
  covered('t over 40 clusters of 10', TRIALS, (stream) => meanCovers(stream, 40, 10)),
  rejected('sign flips, 30 clusters of 10, no difference', (stream) => clusteredP(stream, 30, 10)),
  rejected('sign flips, 30 instances, no difference', (stream) => clusteredP(stream, 30, 1)),
]

const trial = (what: string, count: number, holds: (stream: RandomStream) => boolean): number => {
  const key = randomKey(what)
  let held = 0
  for (let each = 0; each < count; each += 1) if (holds(new RandomStream(key, each))) held += 1
  return held / count
}

const covered = (what: string, count: number, covers: (stream: RandomStream) => boolean): Simulated => ({
  what: `95 % intervals cover: ${what}`,
  share: trial(what, count, covers),
  least: 0.94,
  most: 0.96,
})

const rejected = (what: string, p: (stream: RandomStream) => number): Simulated => ({
  what: `5 % tests reject a true null: ${what}`,
  share: trial(what, TEST_TRIALS, (stream) => p(stream) < 0.05),
  least: 0.04,
  most: 0.06,
})

/** Between 0 and 1, neither included. */
const uniform = (stream: RandomStream): number => (stream.word() + 0.5) / 0x1_0000_0000
/** Box and Muller's. */
const normal = (stream: RandomStream): number =>
  Math.sqrt(-2 * Math.log(uniform(stream))) * Math.cos(2 * Math.PI * uniform(stream))
const times = <T>(count: number, make: () => T): readonly T[] => Array.from({ length: count }, make)

const within = (interval: Interval | undefined, truth: number): boolean =>
  interval !== undefined && interval.low <= truth && truth <= interval.high

const wilsonCovers = (stream: RandomStream): boolean => {
  const share = 0.1 + 0.8 * uniform(stream)
  const successes = times(100, () => uniform(stream) < share).filter(Boolean).length
  return within(wilson(successes, 100, 0.95), share)
}

/** Both right or wrong in 60 % to 90 % of cases. */
const tangoCovers = (stream: RandomStream): boolean => {
  const onlyA = 0.05 + 0.15 * uniform(stream)
  const onlyB = 0.05 + 0.15 * uniform(stream)
  const drawn = times(100, () => uniform(stream))
  const counts = {
    onlyA: drawn.filter((each) => each < onlyA).length,
    onlyB: drawn.filter((each) => each >= onlyA && each < onlyA + onlyB).length,
    n: 100,
  }
  return within(tango(counts, 0.95), onlyB - onlyA)
}

/** Differences of jury scores: instances of a cluster share half of their variance. */
const meanCovers = (stream: RandomStream, clusters: number, size: number): boolean => {
  const truth = 0.2
  const drawn = times(clusters, () => {
    const shared = size === 1 ? 0 : normal(stream)
    return { size, sum: times(size, () => truth + shared + normal(stream)).reduce((a, b) => a + b, 0) }
  })
  return within(clusterInterval(clusterMean(drawn), 0.95), truth)
}

const clusteredP = (stream: RandomStream, clusters: number, size: number): number => {
  const sums = times(clusters, () => {
    const shared = size === 1 ? 0 : normal(stream)
    return times(size, () => shared + normal(stream)).reduce((a, b) => a + b, 0)
  })
  return signFlip(sums, [stream.word(), stream.word()]).p
}
