import type { RankColumn } from './rank-column.ts'
import type { PairedSides } from '../../statistics/paired/paired-sides.ts'

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
