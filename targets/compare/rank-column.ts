import type { RandomStream } from '../statistics/random-stream.ts'

/** Values of one benchmark, of every model on the same instances. */
export interface RankColumn {
  readonly benchmark: string
  /** Undefined where nobody says what is better: the column is not compared. */
  readonly lowerIsBetter?: boolean
  /** The benchmark's runs, all counting the same (medhelm-benchmarks.md §4.9). */
  readonly strata: readonly RankStratum[]
}

export interface RankStratum {
  readonly instances: number
  /** A model's values by instance, NaN where it has none; undefined for a model that was not run. */
  readonly values: readonly (Float64Array | undefined)[]
  /** Number of the source that each instance comes from; absent where each stands for itself. */
  readonly clusters?: Int32Array
}

export const columnMeans = (
  { strata }: Pick<RankColumn, 'strata'>,
  models: number,
): readonly (number | undefined)[] =>
  meansOver(
    models,
    strata.map(({ instances, values }) => {
      const all = Array.from({ length: instances }, (_, index) => index)
      return meansAt(tableOf({ instances, values }), all)
    }),
  )

/** The same with sources drawn with replacement, the same ones for all models, and their instances with them. */
export const resampler = (
  { strata }: Pick<RankColumn, 'strata'>,
  models: number,
): ((stream: RandomStream) => readonly (number | undefined)[]) => {
  const drawable = strata.map((stratum) => ({ table: tableOf(stratum), sources: sourcesOf(stratum) }))
  return (stream) =>
    meansOver(
      models,
      drawable.map(({ table, sources }) => meansAt(table, drawn(sources, stream))),
    )
}

/** The instances of each source. */
const sourcesOf = ({ instances, clusters }: RankStratum): readonly (readonly number[])[] => {
  const sources: number[][] = []
  for (let instance = 0; instance < instances; instance += 1)
    (sources[clusters?.[instance] ?? instance] ??= []).push(instance)
  return sources
}

const drawn = (sources: readonly (readonly number[])[], stream: RandomStream): readonly number[] => {
  const instances: number[] = []
  for (let draw = 0; draw < sources.length; draw += 1)
    for (const instance of sources[stream.below(sources.length)] ?? []) instances.push(instance)
  return instances
}

/** Undefined for a model that lacks a run: its mean would be over other questions. */
const meansOver = (
  models: number,
  strata: readonly (readonly (number | undefined)[])[],
): readonly (number | undefined)[] =>
  Array.from({ length: models }, (_, model) => {
    let sum = 0
    for (const means of strata) {
      const mean = means[model]
      if (mean === undefined) return undefined
      sum += mean
    }
    return strata.length === 0 ? undefined : sum / strata.length
  })

/** A stratum's values, the models of one instance side by side: a resample adds up whole rows. */
interface ValueTable {
  /** Models that were run, by their place in the table. */
  readonly ran: readonly number[]
  readonly models: number
  readonly values: Float64Array
}

const tableOf = ({ instances, values }: RankStratum): ValueTable => {
  const ran = values.flatMap((own, model) => (own === undefined ? [] : [model]))
  const table = new Float64Array(instances * ran.length)
  for (const [place, model] of ran.entries())
    for (let instance = 0; instance < instances; instance += 1)
      table[instance * ran.length + place] = values[model]?.[instance] ?? NaN
  return { ran, models: values.length, values: table }
}

const meansAt = (
  { ran, models, values }: ValueTable,
  instances: readonly number[],
): readonly (number | undefined)[] => {
  const width = ran.length
  const sums = new Float64Array(width)
  const counts = new Int32Array(width)
  for (let draw = 0; draw < instances.length; draw += 1) {
    const start = (instances[draw] ?? 0) * width
    for (let place = 0; place < width; place += 1) {
      const value = values[start + place] ?? NaN
      if (Number.isNaN(value)) continue
      sums[place] = (sums[place] ?? 0) + value
      counts[place] = (counts[place] ?? 0) + 1
    }
  }
  const means: (number | undefined)[] = Array.from({ length: models })
  for (const [place, model] of ran.entries())
    means[model] = counts[place] === 0 ? undefined : (sums[place] ?? NaN) / (counts[place] ?? 0)
  return means
}
