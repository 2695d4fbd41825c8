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
}

export const columnMeans = ({ strata }: RankColumn, models: number): readonly (number | undefined)[] =>
  meansOver(
    models,
    strata.map(({ instances, values }) => {
      const all = Array.from({ length: instances }, (_, index) => index)
      return values.map((own) => own && meanAt(own, all))
    }),
  )

/** The same with instances drawn with replacement, the same ones for all models. */
export const resampledMeans = (
  { strata }: RankColumn,
  models: number,
  stream: RandomStream,
): readonly (number | undefined)[] =>
  meansOver(
    models,
    strata.map(({ instances, values }) => {
      const drawn = Array.from({ length: instances }, () => stream.below(instances))
      return values.map((own) => own && meanAt(own, drawn))
    }),
  )

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

const meanAt = (values: Float64Array, places: readonly number[]): number | undefined => {
  let sum = 0
  let count = 0
  for (const at of places) {
    const value = values[at] ?? NaN
    if (Number.isNaN(value)) continue
    sum += value
    count += 1
  }
  return count === 0 ? undefined : sum / count
}
