import type { MetricScale } from '../../statistics/intervals/mean-interval.ts'

/** Values of one benchmark, of every model on the same instances. */
export interface RankColumn extends MetricScale {
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
  /** Name of the source that each instance comes from; absent where each stands for itself. */
  readonly sources?: readonly string[]
  /** True where these are but the rows' own ids, which tie a run to the benchmark's others. */
  readonly areRows?: boolean
}
