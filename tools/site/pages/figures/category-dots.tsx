import type { JSX } from 'preact'
import { isRanked } from '../../../../targets/board/board-cell.ts'
import type { Board } from '../../../../targets/board/board.ts'
import { formatRange, formatValue } from '../../../compare/number-text.ts'
import { linearAxis } from '../../components/plot/axis.ts'
import { AxisNumbers, Mark, MARK_PIXELS } from '../../components/plot/mark.tsx'
import { modelPath } from '../../paths.ts'
import { visibleText } from '../../visible-text.ts'
import { categoriesOf, type Category } from './categories-of.ts'
import { categoryMean, isNormalised, type NormalisedMean } from './normalised.ts'

/** Categories with the benchmarks that a mean takes in, and those that none does. */
export const categoryColumns = (
  board: Board,
): {
  readonly categories: readonly Category[]
  readonly unscaled: readonly string[]
  readonly unshared: readonly string[]
} => {
  const without = (is: (board: Board, column: number) => boolean): readonly string[] =>
    board.benchmarks.flatMap(({ displayName }, column) =>
      is(board, column) ? [] : [visibleText(displayName)],
    )
  return {
    categories: categoriesOf(board)
      .map(({ name, columns }) => ({
        name,
        columns: columns.filter((column) => isScaled(board, column) && isShared(board, column)),
      }))
      .filter(({ columns }) => columns.length > 0),
    unscaled: without(isScaled),
    unshared: without(isShared),
  }
}

/** Means over each category: the paper's figure 4. */
export const CategoryDots = ({
  board,
  root,
}: {
  readonly board: Board
  readonly root: string
}): JSX.Element => {
  const { categories, unscaled, unshared } = categoryColumns(board)
  if (categories.length === 0) {
    const lack =
      unscaled.length === board.benchmarks.length ? 'a metric with a known scale' : 'ranked scores enough'
    return <p class="missing">No benchmark of this suite has {lack}.</p>
  }
  const axis = linearAxis({ from: 0, to: 1 }, MARK_PIXELS, 2)
  return (
    <>
      <p>
        Means of the benchmarks of a category, each on a scale from 0 to 1 (a jury’s scale likewise), with 95
        % intervals over instances. A model without a ranked score in one of them has none.
        {unscaled.length === 0 ? '' : ` Without a scale of its own, and so left out: ${unscaled.join(', ')}.`}
        {unshared.length === 0
          ? ''
          : ` With fewer than two ranked scores, and so left out, as from win rates and averages: ${unshared.join(', ')}.`}
      </p>
      <div class="table-scroll" role="region" aria-label="Mean scores by category" tabIndex={0}>
        <table class="data marks many">
          <thead>
            <tr>
              <th scope="col">Model</th>
              {categories.map(({ name, columns }) => (
                <th key={name} scope="col" class="drawn">
                  {visibleText(name)} ({columns.length})
                  <AxisNumbers axis={axis} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {board.rows.map((row) => (
              <tr key={row.model.deployment}>
                <th scope="row" dir="auto">
                  <a href={root + modelPath(board.suite, row.model.deployment)}>{visibleText(row.label)}</a>
                </th>
                {categories.map(({ name, columns }) => {
                  const mean = categoryMean(board, row, columns)
                  return (
                    <td key={name} class="drawn" title={meanText(mean)}>
                      <Mark axis={axis} values={mean === undefined ? [] : [mean]} />
                      <span class="unseen">{meanText(mean)}</span>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

const isScaled = ({ benchmarks }: Board, column: number): boolean => {
  const metric = benchmarks[column]?.mainMetric
  return metric !== undefined && isNormalised(metric)
}

/** As the board's averages have it: ranked scores of two models, or of the only one. */
const isShared = ({ rows }: Board, column: number): boolean => {
  const ranked = rows.filter(({ cells }) => {
    const cell = cells[column]
    return cell !== undefined && isRanked(cell)
  })
  return ranked.length >= Math.min(2, rows.length)
}

const meanText = (mean: NormalisedMean | undefined): string => {
  if (mean === undefined) return '–'
  return `${formatValue(mean.value)}${mean.interval === null ? '' : ` (${formatRange(mean.interval)})`}`
}
