import type { Interval } from '../intervals/interval.ts'
import { percentileInterval } from './percentiles.ts'
import { randomKey } from './random-key.ts'
import { RandomStream } from './random-stream.ts'

/**
 * The percentile bootstrap interval of a statistic over items, the same in every process. Draws for which the
 * statistic is NaN are left out; undefined where all are.
 *
 * @param statistic of the items with these indexes, some drawn more than once
 */
export const bootstrapInterval = (
  items: number,
  statistic: (indexes: readonly number[]) => number,
  { name, draws, confidence }: { readonly name: string; readonly draws: number; readonly confidence: number },
): Interval | undefined => {
  const key = randomKey(name)
  const values: number[] = []
  for (let draw = 0; draw < draws; draw += 1) {
    const stream = new RandomStream(key, draw)
    const value = statistic(Array.from({ length: items }, () => stream.below(items)))
    if (!Number.isNaN(value)) values.push(value)
  }
  return percentileInterval(values, confidence)
}
