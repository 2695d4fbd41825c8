import { styleText } from 'node:util'
import { groupBy, present } from '../../cache/lists.ts'
import { placeText } from '../../targets/compare/ranks/rank-place.ts'
import { isRanked, isThere, type BoardCell } from '../../targets/board/board-cell.ts'
import { openRanks } from '../../targets/board/board-ranks.ts'
import type { Board, BoardRow } from '../../targets/board/board.ts'
import { fittedNames } from './components/plot/fitted-names.ts'
import { incompleteCells } from './content/incomplete-cells.ts'
import {
  formatValue,
  intervalText,
  listText,
  plural,
  rangeText,
  valueOrDash,
} from '../../cache/words/number-text.ts'
import { untoldLines } from '../compare/untold-text.ts'
import { boardOmissions } from './content/omitted-text.ts'
import { notInAverages, notInWinRates } from './content/left-out.ts'
import { bestGroups, boardView, isAmongBest, type BoardView } from './pages/leaderboard/board/board-view.ts'
import { makeBoardData } from './pages/leaderboard/board/make-board-data.ts'
import { decide } from './pages/leaderboard/decide.ts'
import { headlineText } from './pages/leaderboard/headline.tsx'
import { DEFAULT_STATE } from './pages/leaderboard/state.ts'
import { chanceText } from './pages/leaderboard/tie.ts'
import type { SiteSuite } from './site.ts'
import { oneLine } from './visible-text.ts'

interface BoardTextOptions {
  /** Characters that a line may have. */
  readonly width: number
  readonly colour: boolean
}

interface TextColumn {
  readonly head: string
  readonly cells: readonly TextCell[]
  readonly left?: boolean
}

interface TextCell {
  readonly text: string
  readonly best?: boolean
}

const GAP = '  '
const LONGEST_LABEL = 32
const LONGEST_HEAD = 18

/** Models up to which letters of significance groups can be read; of more, those with the best of a column are marked. */
const LETTERED = 15

/**
 * The board as an aligned table, best first. Columns that do not fit go to further tables below, models repeated. The
 * answer comes last, as the page’s headline has it: that is what a terminal still shows.
 */
export const boardText = (suite: SiteSuite, { width, colour }: BoardTextOptions): string => {
  const { board } = suite
  const view = boardView({ ...makeBoardData(suite), suite: oneLine(board.suite) }, DEFAULT_STATE)
  const fixed = [placeColumn(board), modelColumn(board)]
  const blocks = inBlocks(fixed, scoreColumns(board, groupsOf(view)), width)
  const lines = [
    ...averageNote(board),
    ...groupsNote(board),
    ...calibrationNote(board),
    ...leftOutNotes(board),
    ...incompleteCells(board),
    ...boardOmissions(board),
  ]
  return [
    view.suite,
    ...blocks.map((columns) => tableText(columns, colour)),
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
    answerText(view, colour),
  ].join('\n\n')
}

const answerText = (view: BoardView, colour: boolean): string => {
  const { title, chances, lines } = headlineText(view)
  const { take, reason, caveat } = decide(view, DEFAULT_STATE)
  return present(
    paint('bold', `${inOneLine(title)}.`, colour),
    chances.length !== 0 &&
      `Chance to be first: ${chances.map((row) => `${inOneLine(row.label)} ${chanceText(row)}`).join(', ')}.`,
    inOneLine(lines.map(({ text }) => text).join(' ')),
    inOneLine(`${take === undefined ? '' : `Take ${take.label}: `}${reason} ${caveat}`.trim()),
  ).join('\n')
}

/** Of a view, whose names show already what is hidden in them; marks that part names of two directions stay. */
const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** What stands beside a score of who it is not told apart from. */
const groupsOf = (view: BoardView): ((row: number, column: number) => string) => {
  const rows = new Map(view.all.map((row) => [row.index, row]))
  if (view.all.length <= LETTERED) return (row, column) => rows.get(row)?.cells[column]?.groups ?? ''
  const best = view.columns.map(({ index }) => bestGroups(view, index))
  return (row, column) => {
    const [cell, groups] = [rows.get(row)?.cells[column], best[column]]
    return cell !== undefined && groups !== undefined && isAmongBest(cell, groups) ? '*' : ''
  }
}

const placeColumn = ({ rows }: Board): TextColumn => ({
  head: '#',
  cells: rows.map(({ place }) => ({ text: place === null ? '' : placeText(place) })),
})

/** Beside the averages: the ranks by them that these benchmarks leave open. */
const ranksColumn = ({ rows }: Board): readonly TextColumn[] =>
  rows.every(({ rank }) => openRanks(rank) === undefined)
    ? []
    : [
        {
          head: 'Ranks',
          cells: rows.map(({ rank }) => {
            const ranks = openRanks(rank)
            return { text: ranks === undefined ? '' : rangeText(ranks), best: ranks?.low === 1 }
          }),
        },
      ]

/** Of one benchmark there is none, but what its ranks go by. */
const hasAverages = ({ rows, averageColumns }: Board): boolean =>
  averageColumns.length > 1 || rows.some(({ rank }) => openRanks(rank) !== undefined)

/** What the columns over all benchmarks are, and what they are not. */
const averageNote = (board: Board): readonly string[] => {
  const { rows, winRateColumns } = board
  if (!hasAverages(board)) return []
  const place = winRateColumns.length === 0 ? '' : '# is by win rate. '
  const average = `${place}Average: the mean share of the benchmarks’ scales`
  const known = rows.find(({ rank }) => openRanks(rank) !== undefined)?.rank
  if (known == null) return [`${average}.`]
  const further =
    known.likeTheseReason === '' ? '' : ` Of benchmarks like these nothing is said: ${known.likeTheseReason}.`
  return [
    `${average}; ranks: those by it that paired tests leave open on these benchmarks (95 %).${further}`,
    ...(known.untold === undefined
      ? []
      : untoldLines(known.untold, (name) =>
          oneLine(board.benchmarks.find((each) => each.name === name)?.displayName ?? name),
        )),
  ]
}

const groupsNote = ({ rows }: Board): readonly string[] =>
  rows.every(({ cells }) => cells.every(({ groups }) => groups === ''))
    ? []
    : rows.length > LETTERED
      ? [
          '*: first of its column, or not told apart from it (paired tests, Holm, 5 %); in a column without any nobody is told apart from it.',
        ]
      : ['No paired test parts scores of a column that share a letter (Holm, 5 %).']

/** What the columns over all benchmarks do not take in, and who is left out of them. */
const leftOutNotes = (board: Board): readonly string[] => {
  const [rates, averages] = [notInWinRates(board), notInAverages(board)]
  return present(
    board.winRateColumns.length !== 0 && rates.length !== 0 && `Win rates leave out ${listText(rates)}.`,
    hasAverages(board) && averages.length !== 0 && `Averages leave out ${listText(averages)}.`,
    ...unplacedNotes(board),
  )
}

/** Who has scores and no place, by what keeps them from one: that they were not run, or that a score is not ranked. */
const unplacedNotes = ({ benchmarks, rows, winRateColumns }: Board): readonly string[] => {
  const unplaced = rows
    .filter(({ place, winRate }) => place === null && winRate !== null)
    .map(({ label, cells }) => {
      const lacking = cells.filter(
        (cell, at) => winRateColumns.includes(benchmarks[at]?.name ?? '') && !isRanked(cell),
      )
      const why = [
        ...(lacking.every(isThere) ? [] : ['benchmarks are missing']),
        ...(lacking.some(isThere) ? ['scores are unranked'] : []),
      ]
      return { label, why: why.join(' and ') }
    })
  return [...groupBy(unplaced, ({ why }) => why)].map(
    ([why, own]) => `Without a place, as ${why}: ${listText(own.map(({ label }) => oneLine(label)))}.`,
  )
}

const calibrationNote = ({ rows }: Board): readonly string[] =>
  rows.some(({ cells }) => cells.some(({ calibrated }) => calibrated !== null))
    ? ['cal.: the jury calibrated by clinicians’ labels, beside its own score; ranks rest on the latter.']
    : []

const modelColumn = ({ rows }: Board): TextColumn => ({
  head: 'Model',
  left: true,
  cells: shortened(
    rows.map(({ label }) => oneLine(label)),
    LONGEST_LABEL,
  ).map((text) => ({ text })),
})

const scoreColumns = (board: Board, groups: (row: number, column: number) => string): readonly TextColumn[] =>
  present(
    board.winRateColumns.length !== 0 && {
      head: 'Win rate',
      cells: board.rows.map((row) => winRateCell(row, board)),
    },
    hasAverages(board) && {
      head: 'Average',
      cells: board.rows.map(({ average, averageInterval }) => ({
        text: `${valueOrDash(average)}${intervalText(averageInterval)}`,
      })),
    },
    ...ranksColumn(board),
    ...shortened(
      board.benchmarks.map(({ displayName }) => oneLine(displayName)),
      LONGEST_HEAD,
    ).map((head, index) => ({
      head,
      cells: board.rows.map(({ cells }, row) => scoreCell(cells[index], groups(row, index))),
    })),
  )

const winRateCell = ({ winRate, winRateColumns, place, rank }: BoardRow, board: Board): TextCell => {
  if (winRate === null) return { text: '–' }
  const partial = winRateColumns < board.winRateColumns.length
  const over = partial
    ? ` (${winRateColumns}/${board.winRateColumns.length})`
    : intervalText(rank?.winRate ?? null)
  return { text: formatValue(winRate) + over, best: place?.rank === 1 }
}

/** `0.521 (0.380–0.660) ab`: the 95 % interval, which need not be even about the score, and the significance groups. */
const scoreCell = (cell: BoardCell | undefined, groups: string): TextCell => {
  if (cell === undefined || cell.value === null) return { text: '–' }
  return {
    text: `${isRanked(cell) ? '' : '~'}${formatValue(cell.value)}${intervalText(cell.interval)}${groups === '' ? '' : ` ${groups}`}${calibrationText(cell)}`,
    best: cell.place?.rank === 1,
  }
}

const calibrationText = ({ calibrated }: BoardCell): string => {
  if (calibrated === null) return ''
  const { value, interval, uncovered } = calibrated
  const without = uncovered === undefined ? '' : ` without ${plural(uncovered, 'answer')}`
  return ` cal. ${formatValue(value)}${intervalText(interval)}${without}`
}

/** Cut at their ends; where some then look the same, to the words that part them. */
const shortened = (names: readonly string[], length: number): readonly string[] => {
  const cut = names.map((name) => (name.length <= length ? name : `${name.slice(0, length - 1)}…`))
  if (new Set(cut).size === new Set(names).size) return cut
  const parted = fittedNames(names, length * PIXELS)
  return names.map((name) => parted.get(name) ?? name)
}

/** Of a letter, as names on pages are fitted. */
const PIXELS = 7

const widthOf = ({ head, cells }: TextColumn): number =>
  cells.reduce((most, { text }) => Math.max(most, text.length), head.length)

const inBlocks = (
  fixed: readonly TextColumn[],
  scores: readonly TextColumn[],
  width: number,
): readonly (readonly TextColumn[])[] => {
  const base = fixed.reduce((sum, column) => sum + widthOf(column) + GAP.length, 0)
  const blocks: TextColumn[][] = [[]]
  let used = base
  for (const column of scores) {
    const wanted = widthOf(column) + GAP.length
    const last = blocks.at(-1) ?? []
    if (last.length > 0 && used + wanted - GAP.length > width) {
      blocks.push([column])
      used = base + wanted
    } else {
      last.push(column)
      used += wanted
    }
  }
  return blocks.map((columns) => [...fixed, ...columns])
}

const tableText = (columns: readonly TextColumn[], colour: boolean): string => {
  const widths = columns.map(widthOf)
  const rows = columns[0]?.cells.length ?? 0
  const padded = (text: string, column: number): string =>
    columns[column]?.left === true ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)
  const head = columns.map((column, index) => padded(column.head, index)).join(GAP)
  const body = Array.from({ length: rows }, (_, row) =>
    columns
      .map((column, index) => {
        const cell = column.cells[row]
        const text = padded(cell?.text ?? '', index)
        return cell?.best === true ? paint('bold', text, colour) : text
      })
      .join(GAP)
      .trimEnd(),
  )
  return [paint('dim', head.trimEnd(), colour), ...body].join('\n')
}

const paint = (style: 'bold' | 'dim', text: string, colour: boolean): string =>
  colour ? styleText(style, text, { validateStream: false }) : text
