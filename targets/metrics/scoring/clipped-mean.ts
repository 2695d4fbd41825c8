import { exactMean } from '../../statistics/exact-sum.ts'
import { randomKey, RandomStream } from '../../statistics/resampling/random-stream.ts'

/** A mean cut to 0 … 1 after it was formed, and the standard error that goes with it. */
interface ClippedMean {
  readonly mean: number
  /** Deviation of the cut means of resamples, divisor the draws. */
  readonly bootstrapStd: number
}

const DRAWS = 1000

/** Standard errors from either end beyond which no resample's mean is cut. */
const FAR = 6

/**
 * As HealthBench's authors sum up: the mean over examples, cut to 0 … 1 only then. The bootstrap's error is that of ever
 * more draws where no resample is cut, else that of 1,000 draws, the same in every process.
 */
export const clippedMean = (values: readonly number[], name: string): ClippedMean => {
  const mean = exactMean(values)
  const error = Math.sqrt(exactMean(values.map((value) => (value - mean) ** 2)) / values.length)
  const isFar = mean - FAR * error >= 0 && mean + FAR * error <= 1
  return { mean: clip(mean), bootstrapStd: isFar ? error : deviation(resampledMeans(values, name)) }
}

const clip = (mean: number): number => Math.min(1, Math.max(0, mean))

const resampledMeans = (values: readonly number[], name: string): readonly number[] => {
  const key = randomKey(`clipped mean ${name}`)
  return Array.from({ length: DRAWS }, (_, draw) => {
    const stream = new RandomStream(key, draw)
    let sum = 0
    for (let drawn = 0; drawn < values.length; drawn += 1) sum += values[stream.below(values.length)] ?? 0
    return clip(sum / values.length)
  })
}

const deviation = (means: readonly number[]): number => {
  const mean = exactMean(means)
  return Math.sqrt(exactMean(means.map((each) => (each - mean) ** 2)))
}
