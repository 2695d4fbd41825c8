import { isRanked, isThere, type BoardCell } from '../../../targets/board/board-cell.ts'
import type { Board } from '../../../targets/board/board.ts'
import { incompleteText, meanInFull } from '../../compare/coverage-text.ts'
import { formatValue, plural } from '../../../cache/words/number-text.ts'
import { oneLine } from '../visible-text.ts'

/** Lines for ranked cells; those of unranked cells are never left out. */
const SHOWN = 20

/** Where places go by another number than the one that is printed. */
const placedBy = (cell: BoardCell): string =>
  isRanked(cell) &&
  cell.score !== null &&
  cell.value !== null &&
  formatValue(cell.score) !== formatValue(cell.value)
    ? `; placed by ${meanInFull(cell.score)}`
    : ''

/** A line for each cell that was not measured in full, or whose answers are not whole; the unranked ones first. */
export const incompleteCells = ({ benchmarks, rows }: Board): readonly string[] => {
  const cells = rows.flatMap((row) =>
    row.cells.map((cell, index) => ({
      cell,
      where: `${row.label}, ${benchmarks[index]?.displayName ?? ''}`,
    })),
  )
  const doubtful = cells.filter(({ cell }) => isThere(cell) && incompleteText(cell) !== '')
  const line = ({ cell, where }: { cell: BoardCell; where: string }): string =>
    `${isRanked(cell) ? ' ' : '~'} ${oneLine(where)}: ${incompleteText(cell)}${placedBy(cell)}`
  const ranked = doubtful.filter(({ cell }) => isRanked(cell)).map(line)
  return [
    ...doubtful.filter(({ cell }) => !isRanked(cell)).map(line),
    ...ranked.slice(0, SHOWN),
    ...(ranked.length > SHOWN ? [`  and ${plural(ranked.length - SHOWN, 'ranked score')}: see --json`] : []),
  ]
}
