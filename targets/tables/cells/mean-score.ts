import { ProblemError } from '../../../cache/problems/problem.ts'
import type { WinRateColumn } from './win-rate.ts'

/**
 * Mean of each row's values, added from left to right as HELM does; undefined for a row without any.
 * @throws ProblemError `targets/mixed-directions` when lower is better in some columns and not in others
 */
export const meanScores = (
  columns: readonly WinRateColumn[],
  rows: number,
): readonly (number | undefined)[] => {
  if (new Set(columns.map(({ lowerIsBetter }) => lowerIsBetter)).size > 1) {
    throw new ProblemError({
      code: 'targets/mixed-directions',
      message: 'A mean is asked of columns of which lower is better in some and not in others.',
      where: { field: 'metric_groups' },
      remedy: 'Take mean out of aggregation_strategies of this metric group, or split the group.',
    })
  }
  return Array.from({ length: rows }, (_, row) => {
    const values = columns.flatMap(({ values }) => values[row] ?? [])
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
  })
}
