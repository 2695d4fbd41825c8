/** Values of one benchmark, of every model on the same instances. */
export interface RankColumn {
  readonly benchmark: string
  /** Undefined where nobody says what is better: the column is not compared. */
  readonly lowerIsBetter?: boolean
  /** The benchmark's runs, all counting the same (HELM.md T21). */
  readonly strata: readonly RankStratum[]
}

export interface RankStratum {
  readonly instances: number
  /** A model's values by instance, NaN where it has none; undefined for a model that was not run. */
  readonly values: readonly (Float64Array | undefined)[]
  /** Number of the source that each instance comes from; absent where each stands for itself. */
  readonly clusters?: Int32Array
}

/** By model; undefined for one that lacks a run: its mean would be over other questions. */
export const columnMeans = (
  { strata }: Pick<RankColumn, 'strata'>,
  models: number,
): readonly (number | undefined)[] =>
  Array.from({ length: models }, (_, model) => {
    let sum = 0
    for (const { values } of strata) {
      const mean = meanOfKnown(values[model] ?? new Float64Array())
      if (mean === undefined) return undefined
      sum += mean
    }
    return strata.length === 0 ? undefined : sum / strata.length
  })

const meanOfKnown = (values: Float64Array): number | undefined => {
  let [sum, count] = [0, 0]
  for (const value of values)
    if (!Number.isNaN(value)) {
      sum += value
      count += 1
    }
  return count === 0 ? undefined : sum / count
}
