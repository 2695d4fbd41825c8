import { meanInFull } from '../../../compare/coverage-text.ts'
import {
  formatChance,
  formatCost,
  formatCount,
  formatRange,
  formatSeconds,
  formatLack,
  formatTokens,
  formatValue,
  plural,
  valueOrDash,
} from '../../../../cache/words/number-text.ts'
import { openRanksText } from './board/board-cells.tsx'
import type { BoardView, CategoryScore, ColumnView, RowView } from './board/board-view.ts'
import { columnsOf } from './board/columns.ts'
import { isPerThousand } from './tie.ts'

/** What the panel says of a cell. */
export interface Details {
  readonly title: string
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly table: readonly DetailLine[]
  readonly links: readonly { readonly label: string; readonly href: string }[]
}

interface DetailLine {
  readonly label: string
  readonly href: string
  readonly value: string
  readonly detail: string
}

interface Addresses {
  readonly root: string
  readonly linkOf: (model: number, column: number) => string | undefined
}

/** Undefined where the board has no such cell: addresses may be older than it. */
export const detailsOf = (view: BoardView, at: string, addresses: Addresses): Details | undefined => {
  const end = at.indexOf(' ')
  const row = view.all.find(({ key }) => key === at.slice(0, end))
  const key = at.slice(end + 1)
  const column = view.columns.find((each) => key === `benchmark:${each.key}`)
  if (row === undefined || end < 0) return undefined
  if (column !== undefined) return benchmarkDetails(row, column, addresses)
  const known = columnsOf(view).find((each) => each.key === key)
  if (known === undefined) return undefined
  if (known.kind === 'category') return categoryDetails(view, row, known.at, addresses)
  if (known.kind === 'average')
    return averageDetails(
      `${row.label}, average`,
      row.average,
      view.columns,
      row,
      addresses,
      ...rankFacts(row),
    )
  return known.kind === 'win' ? winDetails(view, row, addresses) : spentDetails(view, row, addresses)
}

type Fact = readonly [label: string, value: string]

const facts = (...all: readonly (Fact | undefined | false)[]): readonly Fact[] =>
  all.filter((each): each is Fact => each !== undefined && each !== false && each[1] !== '')

const benchmarkDetails = (row: RowView, column: ColumnView, { root, linkOf }: Addresses): Details => {
  const cell = row.cells[column.index]
  const run = linkOf(row.index, column.index)
  const links = [
    { label: 'Benchmark', href: root + column.href },
    ...(run === undefined ? [] : [{ label: 'Answers', href: run }]),
  ]
  const title = `${row.label} on ${column.label}`
  if (cell === undefined || !cell.isRun) return { title, facts: [['Answers', 'not run']], table: [], links }
  return {
    title,
    facts: facts(
      [column.metric, cell.text],
      ['95 % interval', cell.range ?? 'none'],
      ['Formed by', cell.method],
      column.range !== undefined && ['Scale', `${column.range.low} to ${column.range.high}`],
      column.lowerIsBetter === true && ['Better', 'lower'],
      cell.score !== null &&
        formatValue(cell.score) !== cell.text && ['Order and places go by', meanInFull(cell.score)],
      ['Answers', cell.base],
      ['Coverage', cell.warning ?? ''],
      cell.best !== undefined && ['Place', cell.best === 'best' ? 'first' : 'first, shared'],
      cell.groups !== '' && ['Group', `${cell.groups}: models that share a letter are not told apart`],
      cell.calibrated !== undefined && [
        'By clinicians’ labels',
        cell.calibrated.replace(/^calibrated /, '').replace('\n', '; '),
      ],
      ['Data access', column.access],
      ['Category', [column.category, column.subcategory].filter((part) => part !== '').join(', ')],
      ['Errata', column.errata.join(' ')],
    ),
    table: [],
    links,
  }
}

/** The benchmarks of some columns, one a line. */
const linesOf = (
  row: RowView,
  columns: readonly ColumnView[],
  { root, linkOf }: Addresses,
): readonly DetailLine[] =>
  columns.map((column) => {
    const cell = row.cells[column.index]
    return {
      label: column.label,
      href: linkOf(row.index, column.index) ?? root + column.href,
      value: cell?.text ?? '–',
      detail: [cell?.range, cell?.isRun === false ? 'not run' : cell?.warning].filter(Boolean).join(', '),
    }
  })

const categoryDetails = (view: BoardView, row: RowView, at: number, addresses: Addresses): Details => {
  const { name = '', columns = [] } = view.categories[at] ?? {}
  return averageDetails(`${row.label}, ${name}`, row.scores[at] ?? row.average, columns, row, addresses)
}

/** An average over some columns, and what it is made of. */
const averageDetails = (
  title: string,
  score: CategoryScore,
  columns: readonly ColumnView[],
  row: RowView,
  addresses: Addresses,
  ...more: readonly (Fact | undefined | false)[]
): Details => ({
  title,
  facts: facts(
    ['Mean share of the scale', valueOrDash(score.mean)],
    score.interval !== null && ['95 % interval, on these benchmarks', formatRange(score.interval)],
    ...more,
    score.of > 0 && [
      'Benchmarks',
      `ranked in ${score.ranked} of ${score.of}${score.of < columns.length ? ` that averages are of, of ${columns.length}` : ''}`,
    ],
    score.of === 0 &&
      columns.length > 0 && [
        'Why no mean',
        'none of its benchmarks has a scale with ends and two ranked models',
      ],
    score.isFirst && ['Place', 'tied for first, or first'],
  ),
  table: linesOf(row, columns, addresses),
  links: [{ label: 'Model', href: addresses.root + row.href }],
})

/** What is known of ranks by average. */
const rankFacts = (row: RowView): readonly (Fact | false)[] => [
  openRanksText(row) !== '' && [
    'Ranks by average that tests leave open',
    `${openRanksText(row)} (95 %, on these benchmarks)`,
  ],
  row.rank?.first != null && [
    'Chance to be first by average',
    `${formatChance(row.rank.first)}: a description, no confidence`,
  ],
]

const winDetails = (view: BoardView, row: RowView, addresses: Addresses): Details => {
  const { place, rank, winRate, whisker } = row
  const missing = view.columns.filter(
    (column) => row.cells[column.index]?.isRanked !== true && column.lowerIsBetter !== undefined,
  )
  return {
    title: row.label,
    facts: facts(
      ['Win rate', valueOrDash(winRate)],
      whisker !== undefined && [
        whisker.of === 'these' ? '95 %, on these benchmarks' : '95 %, on a further benchmark like these',
        formatRange(whisker),
      ],
      rank?.like != null && ['95 %, on a further benchmark like these', formatRange(rank.like)],
      rank !== undefined &&
        view.likeTheseReason !== '' && ['Benchmarks like these', `nothing is said: ${view.likeTheseReason}`],
      [
        'Place by win rate',
        place === null
          ? 'none: not ranked in every benchmark'
          : `${place.rank}${place.tied ? ', shared' : ''}`,
      ],
      ...rankFacts(row),
      ['Ranked in', `${formatCount(row.ranked)} of ${plural(view.compared, 'benchmark')}`],
      rank?.low != null &&
        view.averaged < view.compared && [
          'Averages rest on',
          `${plural(view.averaged, 'benchmark')}: the others have no scale with ends that all values lie on`,
        ],
      [
        'Made by',
        [row.creator, row.weights === '' ? '' : `${row.weights} weights`].filter(Boolean).join(', '),
      ],
      ['Deployment', row.key],
    ),
    table: linesOf(row, missing, addresses),
    links: [{ label: 'Model', href: addresses.root + row.href }],
  }
}

const spentDetails = (view: BoardView, row: RowView, addresses: Addresses): Details => {
  const { spent, failed } = row
  const doubtful = view.columns.filter(({ index }) => row.cells[index]?.warning !== undefined)
  return {
    title: `${row.label}: cost, time and failures`,
    facts: facts(
      ...(spent === 0
        ? [['Cost and time', 'the runs do not tell'] as const]
        : [
            isPerThousand(view) &&
              ([
                'Cost of 1,000 answers',
                spent[0] === null ? 'price not known' : formatCost(spent[0]),
              ] as const),
            ['Cost of all answers', spent[2] === null ? 'price not known' : formatCost(spent[2])] as const,
            (spent[3] !== 0 || spent[4] !== 0) &&
              ([
                'Tokens',
                spent[3] === null || spent[4] === null
                  ? 'not known'
                  : `${formatTokens(spent[3])} read, ${formatTokens(spent[4])} written`,
              ] as const),
            ['Latency, mean of calls', spent[1] === null ? 'not known' : formatSeconds(spent[1])] as const,
          ]),
      failed !== null && ['Answers without a score', formatLack(failed)],
    ),
    table: linesOf(row, doubtful, addresses),
    links: [{ label: 'Model', href: addresses.root + row.href }],
  }
}
