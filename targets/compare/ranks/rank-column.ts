import { type AlignedVectors, bothValues } from '../../runs/aligned-vectors.ts'
import type { MetricScale } from '../../statistics/intervals/mean-interval.ts'
import type { PairedSides } from '../../statistics/paired/paired-sides.ts'

/** Values of one benchmark, of every model on the same instances. */
export interface RankColumn extends MetricScale {
  readonly benchmark: string
  /** Undefined where nobody says what is better: the column is not compared. */
  readonly lowerIsBetter?: boolean
  /** The benchmark's runs by model, all counting the same (HELM.md T21). */
  readonly strata: readonly AlignedVectors[]
}

/**
 * Scenarios of a column that both rows were run on, side by side on the instances that both were asked. Rows of a lone
 * scenario stand for themselves, whatever scenarios others were run on: its test is the one of a benchmark of one run.
 */
export const pairSides = (
  { benchmark, strata }: Pick<RankColumn, 'benchmark' | 'strata'>,
  left: number,
  right: number,
): readonly PairedSides[] => {
  const both = strata.flatMap((run) => {
    const found = bothValues(run, left, right)
    return found === undefined ? [] : [{ ...found, areRows: run.areRows === true }]
  })
  return both.map(({ values: [a, b], sources, areRows }) => {
    const isAlone = areRows && both.length === 1
    return { benchmark, a, b, ...(sources && !isAlone && { sources }) }
  })
}
