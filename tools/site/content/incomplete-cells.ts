import { isRanked, isThere, type BoardCell } from '../../../targets/board/board-cell.ts'
import type { Board } from '../../../targets/board/board.ts'
import { incompleteText, meanInFull, shortfallText } from '../../compare/coverage-text.ts'
import { formatDeclared, formatValue, plural } from '../../../cache/words/number-text.ts'
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

/** What keeps cells from a rank, where too little of them could be read. */
const floorsOf = (cells: readonly BoardCell[]): readonly string[] => {
  const floors = new Set(
    cells.flatMap((cell) => (shortfallText(cell) === '' ? [] : [formatDeclared(cell.floor)])),
  )
  return floors.size === 0
    ? []
    : [
        `  ranked from ${[...floors].join(' or ')} of requests measured, and of judgements read: coverage_floor in medmake.yaml, or in benchmark.yaml`,
      ]
}

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
  const unranked = doubtful.filter(({ cell }) => !isRanked(cell))
  return [
    ...unranked.map(line),
    ...floorsOf(unranked.map(({ cell }) => cell)),
    ...ranked.slice(0, SHOWN),
    ...(ranked.length > SHOWN ? [`  and ${plural(ranked.length - SHOWN, 'ranked score')}: see --json`] : []),
  ]
}
