import { statisticsMean } from '../../benchmarks/python/numbers/mean.ts'
import { groupBy } from '../../cache/lists.ts'
import { isNormal, isShared, normalized, type ScoreColumn, type ScoreTable } from './score-table.ts'

/** A category's mean of each model, in the models' order. */
export interface CategoryMean {
  readonly category: string
  readonly benchmarks: readonly string[]
  /** Mean of the benchmarks, each between 0 and 1; null unless the model has all of them. */
  readonly values: readonly (number | null)[]
}

/**
 * Normalised means by category, in the order in which the table's columns first name them (paper, §2.3.1). Columns
 * without a category, that can't be normalised, or in which no two models have a score, take no part.
 *
 * @param of what a column belongs to, its category or its subcategory
 */
export const categoryMeans = (
  { models, columns }: ScoreTable,
  of: (column: ScoreColumn) => string | undefined,
): readonly CategoryMean[] =>
  [
    ...groupBy(
      columns.filter((column) => isNormal(column) && isShared(column)),
      of,
    ),
  ].map(([category, own]) => ({
    category,
    benchmarks: own.map(({ benchmark }) => benchmark),
    values: models.map((_, row) => {
      const values = own.map((column) => normalized(column, column.values[row] ?? null))
      const known = values.filter((value) => value !== null)
      return known.length < values.length ? null : statisticsMean(known)
    }),
  }))
