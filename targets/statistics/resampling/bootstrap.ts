import type { Interval } from '../intervals/wilson.ts'
import { drawSources, itemsBySource, randomKey, RandomStream } from './random-stream.ts'
import { percentileInterval } from './percentiles.ts'

/** Draws without a value beyond this share say that a few items decide all: no interval then. */
export const MOST_WITHOUT_VALUE = 0.05

/** Ends closer than this are one: rounding leaves as much of draws that are all alike. */
const FLAT = 1e-12

/**
 * The percentile bootstrap interval of a statistic over sources, each drawn with all its items; the same in every process.
 * Undefined for one source, where more than 5 % of the draws have no value (NaN), and where no draw differs.
 *
 * @param sources name of each item's; the draw rests on the order in which they come, not on the names
 * @param statistic of the items, by how often each was drawn
 */
export const bootstrapInterval = (
  sources: readonly string[],
  statistic: (times: readonly number[]) => number,
  { name, draws, confidence }: { readonly name: string; readonly draws: number; readonly confidence: number },
): Interval | undefined => {
  const bySource = itemsBySource(sources.length, sources)
  if (bySource.length < 2) return undefined
  const key = randomKey(name)
  const values: number[] = []
  for (let draw = 0; draw < draws; draw += 1) {
    const value = statistic(drawSources(bySource, sources.length, new RandomStream(key, draw)))
    if (!Number.isNaN(value)) values.push(value)
  }
  if (draws - values.length > MOST_WITHOUT_VALUE * draws) return undefined
  const interval = percentileInterval(values, confidence)
  return interval !== undefined && isFlat(interval) ? undefined : interval
}

/** Whether an interval has no width: draws that are all alike are no proof that the next one would be, too. */
export const isFlat = ({ low, high }: Interval): boolean => high - low <= FLAT * (1 + Math.abs(low))
