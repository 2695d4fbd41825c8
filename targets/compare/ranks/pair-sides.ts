import type { RankColumn } from './rank-column.ts'
import type { PairedSides } from '../../statistics/paired/paired-sides.ts'

/** Scenarios of a column that both rows were run on, side by side. */
export const pairSides = (
  { benchmark, strata }: Pick<RankColumn, 'benchmark' | 'strata'>,
  left: number,
  right: number,
): readonly PairedSides[] =>
  strata.flatMap(({ values, sources }) => {
    const [a, b] = [values[left], values[right]]
    return a === undefined || b === undefined ? [] : [{ benchmark, a, b, ...(sources && { sources }) }]
  })
