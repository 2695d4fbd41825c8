import type { PairedSides } from '../../statistics/paired/paired-sides.ts'
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

/**
 * Scenarios of a column that both rows were run on, side by side. Rows of a lone scenario stand for themselves, whatever
 * scenarios others were run on: its test is the one of a benchmark of one run.
 */
export const pairSides = (
  { benchmark, strata }: Pick<RankColumn, 'benchmark' | 'strata'>,
  left: number,
  right: number,
): readonly PairedSides[] => {
  const both = strata.flatMap(({ values, sources, areRows }) => {
    const [a, b] = [values[left], values[right]]
    return a === undefined || b === undefined ? [] : [{ a, b, sources, areRows }]
  })
  return both.map(({ a, b, sources, areRows }) => {
    const isAlone = areRows === true && both.length === 1
    return { benchmark, a, b, ...(sources && !isAlone && { sources }) }
  })
}
