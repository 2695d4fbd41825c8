import type { ComponentChildren, JSX } from 'preact'
import {
  fixed,
  formatCost,
  formatSeconds,
  formatLack,
  formatValue,
  rangeText,
} from '../../../../../cache/words/number-text.ts'
import { isAmongBest, type CategoryScore, type RowView } from './board-view.ts'
import type { CellView } from './cell-view.ts'
import type { ShownColumn } from './columns.ts'
import { chanceText, costOf, latencyOf } from '../tie.ts'
import { WinMark } from '../win-mark.tsx'

/** Shares of failed requests from which a mark says so. */
const MANY_FAILED = 0.03

interface BoardCellProps {
  readonly row: RowView
  readonly column: ShownColumn
  /** Opens the cell’s details; without it the cell is text. */
  readonly onOpen?: ((at: string) => void) | undefined
  readonly isOpen?: boolean
}

/** A cell of one line; what does not fit it is in its details. */
export const BoardCell = ({ row, column, onOpen, isOpen = false }: BoardCellProps): JSX.Element => {
  const { content, className } = contentOf(row, column)
  const name = ['cell', column.kind, className].filter((part) => part !== '').join(' ')
  return (
    <td class={name}>
      {onOpen === undefined ? (
        <span class="cell-text">{content}</span>
      ) : (
        <button
          type="button"
          class="cell-text"
          tabIndex={-1}
          data-cell
          aria-expanded={isOpen}
          onClick={() => onOpen(`${row.key} ${column.key}`)}
        >
          {content}
        </button>
      )}
    </td>
  )
}

interface Content {
  readonly content: ComponentChildren
  readonly className: string
}

const DASH: Content = { content: '–', className: 'none' }

const contentOf = (row: RowView, column: ShownColumn): Content => {
  if (column.kind === 'win') return row.winRate === null ? DASH : plain(winContent(row))
  if (column.kind === 'average') return averageContent(row)
  if (column.kind === 'category') return scoreContent(row.scores[column.at])
  if (column.kind === 'benchmark')
    return cellContent(row.cells[column.column.index], column.column.bestGroups)
  if (column.kind === 'failed') return row.failed === null ? DASH : failedContent(row.failed)
  if (column.kind === 'latency') {
    const latency = latencyOf(row)
    return latency === null ? DASH : plain(formatSeconds(latency))
  }
  const cost = costOf(row)
  return cost === null ? { content: 'not known', className: 'none' } : plain(formatCost(cost))
}

const plain = (content: ComponentChildren): Content => ({ content, className: '' })

const winContent = (row: RowView): ComponentChildren => (
  <>
    <span class="win-value">{fixed(row.winRate ?? 0, 2)}</span>
    <WinMark row={row} />
    {row.whisker === undefined ? null : (
      <span class="win-range">
        {fixed(row.whisker.low, 2)}–{fixed(row.whisker.high, 2)}
      </span>
    )}
    {row.rank?.first == null || row.place === null ? null : <span class="win-first">{chanceText(row)}</span>}
  </>
)

const PARTIAL = (
  <>
    {' '}
    <span class="coverage-mark" role="img" aria-label="not measured in full">
      ◧
    </span>
  </>
)

/** `1–4`: the ranks by average that tests leave open. */
export const openRanksText = ({ rank, place }: RowView): string =>
  rank?.low == null || rank.high === null || place === null
    ? ''
    : rangeText({ low: rank.low, high: rank.high })

const averageContent = (row: RowView): Content => {
  const { content, className } = scoreContent(row.average)
  const ranks = openRanksText(row)
  return {
    content: (
      <>
        <span>{content}</span>
        {ranks === '' ? null : <span class="ranks">{ranks}</span>}
      </>
    ),
    className,
  }
}

const scoreContent = (score: CategoryScore | undefined): Content => {
  if (score === undefined) return DASH
  const partial = score.ranked < score.of
  if (score.mean === null) return partial ? { content: <>–{PARTIAL}</>, className: 'partial' } : DASH
  const text = fixed(score.mean, 2)
  return {
    content: (
      <>
        {score.isFirst && !partial ? <b>{text}</b> : text}
        {partial ? PARTIAL : null}
      </>
    ),
    className: partial ? 'partial' : '',
  }
}

const cellContent = (cell: CellView | undefined, best: string | undefined): Content => {
  if (cell?.value == null) return DASH
  const isFirst = best !== undefined && isAmongBest(cell, best)
  const text = formatValue(cell.value)
  return {
    content: (
      <>
        {isFirst ? <b>{text}</b> : text}
        {cell.isRanked ? null : PARTIAL}
      </>
    ),
    className: cell.isRanked ? '' : 'partial',
  }
}

const failedContent = (failed: number): Content => {
  const text = formatLack(failed).replace(' %', '')
  return failed > MANY_FAILED
    ? {
        content: (
          <>
            {text} <span aria-hidden="true">!</span>
          </>
        ),
        className: 'warning',
      }
    : { content: text, className: '' }
}
