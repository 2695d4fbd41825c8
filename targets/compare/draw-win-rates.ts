import { RateSums } from '../statistics/rate-sums.ts'
import { RandomStream } from '../statistics/random-stream.ts'
import type { Words } from '../statistics/threefry.ts'
import { DRAWS_AT_ONCE, drawnMeans, type DrawnMeans } from './drawn-means.ts'
import type { RankColumn } from './rank-column.ts'

/** Resamples of which sums are kept at a time. */
const BATCH = 2000

interface DrawnColumn extends DrawnMeans {
  readonly lowerIsBetter: boolean
}

/**
 * Win rates of models in resamples: columns drawn with replacement, and sources within each drawn one.
 * A resample takes its words from the stream of its number, first for the columns, then for one after the other.
 *
 * @param columns with a known direction
 * @returns model after model, a rate a resample; NaN where the model is in none of the drawn columns
 */
export const drawWinRates = (
  columns: readonly RankColumn[],
  { models, resamples, key }: { readonly models: number; readonly resamples: number; readonly key: Words },
): readonly Float64Array[] => {
  const rates = Array.from({ length: models }, () => new Float64Array(resamples))
  const drawable = columns.map((column) => ({
    lowerIsBetter: column.lowerIsBetter === true,
    ...drawnMeans(column, models),
  }))
  for (let first = 0; first < resamples; first += BATCH) {
    const count = Math.min(BATCH, resamples - first)
    const batch: Batch = { sums: new RateSums(models * count), first, count, key }
    const drawn = drawColumns(drawable, batch)
    for (const [index, column] of drawable.entries()) addColumn(column, drawn[index] ?? [], batch)
    for (const [model, own] of rates.entries())
      for (let resample = 0; resample < count; resample += 1)
        own[first + resample] = batch.sums.mean(model * count + resample)
  }
  return rates
}

interface Drawn {
  readonly resample: number
  /** Words of the resample's stream before the column's own. */
  readonly position: number
}

/** By column, in which resamples it is, as often as it was drawn. */
const drawColumns = (
  columns: readonly DrawnColumn[],
  { first, count, key }: Batch,
): readonly (readonly Drawn[])[] => {
  const drawn: Drawn[][] = columns.map(() => [])
  for (let resample = first; resample < first + count; resample += 1) {
    const choice = new RandomStream(key, resample)
    let position = columns.length
    for (let draw = 0; draw < columns.length; draw += 1) {
      const column = choice.below(columns.length)
      drawn[column]?.push({ resample, position })
      position += columns[column]?.words ?? 0
    }
  }
  return drawn
}

interface Batch {
  readonly sums: RateSums
  readonly first: number
  readonly count: number
  readonly key: Words
}

const addColumn = ({ lowerIsBetter, means }: DrawnColumn, draws: readonly Drawn[], batch: Batch): void => {
  for (let draw = 0; draw < draws.length; draw += DRAWS_AT_ONCE) {
    const chosen = draws.slice(draw, draw + DRAWS_AT_ONCE)
    const drawn = means(
      chosen.map(({ resample, position }) => new RandomStream(batch.key, resample, position)),
    )
    const models = drawn.length / DRAWS_AT_ONCE
    for (const [index, { resample }] of chosen.entries())
      addRates(drawn.subarray(index * models, (index + 1) * models), { lowerIsBetter, resample }, batch)
  }
}

/** As `winRates` has them, for one column. */
const addRates = (
  means: Float64Array,
  { lowerIsBetter, resample }: { readonly lowerIsBetter: boolean; readonly resample: number },
  { sums, first, count }: Batch,
): void => {
  // NaN is sorted last.
  const sorted = means.toSorted()
  let known = sorted.length
  while (known > 0 && Number.isNaN(sorted[known - 1])) known -= 1
  if (known < 2) return
  for (let model = 0; model < means.length; model += 1) {
    const mean = means[model] ?? NaN
    if (Number.isNaN(mean)) continue
    const below = countBelow(sorted, known, mean)
    let same = 1
    while (below + same < known && sorted[below + same] === mean) same += 1
    const worse = lowerIsBetter ? known - below - same : below
    sums.add(model * count + resample - first, (worse + (same - 1) / 2) / (known - 1))
  }
}

const countBelow = (sorted: Float64Array, known: number, value: number): number => {
  let [low, high] = [0, known]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
