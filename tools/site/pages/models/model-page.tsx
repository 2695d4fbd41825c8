import type { JSX } from 'preact'
import { groupBy, present } from '../../../../cache/lists.ts'
import { coveredShare } from '../../../../targets/record/coverage.ts'
import { placeText } from '../../../../targets/compare/ranks/rank-place.ts'
import { isRanked, isThere, type BoardCell } from '../../../../targets/board/board-cell.ts'
import { openRanks } from '../../../../targets/board/board-ranks.ts'
import type { Board, BoardRow } from '../../../../targets/board/board.ts'
import type { BoardBenchmark } from '../../../../targets/runs/board-run.ts'
import type { BoardMetric } from '../../../../targets/runs/board-metric.ts'
import { shareOf } from '../../../../targets/statistics/scale.ts'
import { exactRange, exactShare, exactValue } from '../../components/exact.tsx'
import { Facts } from '../../components/facts.tsx'
import { linearAxis } from '../../components/plot/axis.ts'
import { MARK_PIXELS } from '../../components/plot/mark.tsx'
import { DataTable, numeric, type DataCell } from '../../components/data-table.tsx'
import { causesText } from '../../../compare/coverage-text.ts'
import { renderPage } from '../../emit/document.tsx'
import {
  formatCost,
  formatCount,
  intervalText,
  formatSeconds,
  formatValue,
  plural,
  orDash,
  rangeText,
} from '../../../../cache/words/number-text.ts'
import type { ModelAbout } from '../../about/model-about.ts'
import { runPath } from '../../paths.ts'
import type { NavigationEntry } from '../../site-page.ts'
import type { SiteSuite } from '../../site.ts'
import { visibleText } from '../../visible-text.ts'
import { Prose } from '../../components/prose.tsx'
import { BenchmarkLink } from '../../components/links.tsx'
import { OTHER } from '../../../../targets/analysis/score-table.ts'

interface ModelFrame {
  readonly navigation: readonly NavigationEntry[]
  /** Address of the list of models. */
  readonly models: string
}

/** model/….html: what a model is, and all its scores. */
export const modelPage = (
  { board, models = [] }: SiteSuite,
  row: BoardRow,
  { navigation, models: list }: ModelFrame,
): string => {
  const about = models.find(({ deployment }) => deployment === row.model.deployment)
  return renderPage({
    title: row.label,
    root: '../',
    navigation,
    here: 'models.html',
    trail: [{ label: `Models of ${board.suite}`, href: `../${list}` }],
    children: (
      <>
        <h1>{visibleText(row.label)}</h1>
        {about === undefined || about.description === '' ? null : <Prose text={about.description} />}
        <Facts items={factsOf(board, row, about).map(([label, value]) => [label, visibleText(value)])} />
        <h2 id="scores">Scores</h2>
        <Scores board={board} row={row} />
        {row.cells.some((cell) => isThere(cell) && !isRanked(cell)) ? (
          <p class="detail">Hollow: not ranked.</p>
        ) : null}
      </>
    ),
  })
}

const factsOf = (
  { winRateColumns }: Board,
  { model, winRate, winRateColumns: own, average, averageInterval, place, rank, spent }: BoardRow,
  about: ModelAbout | undefined,
): readonly (readonly [string, string])[] =>
  present(
    ['Maker', model.creator],
    ['Model', model.name],
    ['Deployment', model.deployment],
    model.access !== '' && ['Weights', model.access],
    about?.hosting !== undefined && ['Hosting', about.hosting],
    about?.releaseDate !== undefined && ['Released', about.releaseDate],
    about?.numParameters !== undefined && ['Parameters', formatCount(about.numParameters)],
    winRate !== null && [
      'Win rate',
      place === null
        ? `${formatValue(winRate)} on ${formatCount(own)} of ${plural(winRateColumns.length, 'benchmark')}, so no place`
        : `${formatValue(winRate)}${intervalText(rank?.winRate)}, place ${placeText(place)}`,
    ],
    average !== null && [
      'Average',
      `${formatValue(average)}${intervalText(averageInterval)}${ranksText(rank)}`,
    ],
    about?.price !== undefined && ['Price', priceText(about.price)],
    spent !== null && [
      'These runs took',
      [
        spent.calls === 0 ? '' : `${formatCount(spent.calls)} replies`,
        spent.inputTokens === null || spent.outputTokens === null
          ? 'tokens not known'
          : `${formatCount(spent.inputTokens)} tokens read, ${formatCount(spent.outputTokens)} written`,
        spent.latency === null ? '' : `${formatSeconds(spent.latency)} a reply`,
        spent.usd === null ? 'cost not known' : formatCost(spent.usd),
      ]
        .filter((part) => part !== '')
        .join('; '),
    ],
  )

const ranksText = (rank: BoardRow['rank']): string => {
  const ranks = openRanks(rank)
  return ranks === undefined ? '' : `, ranks by it that tests leave open ${rangeText(ranks)} (95 %)`
}

const priceText = ({ input, output, cachedInput, date, source }: NonNullable<ModelAbout['price']>): string =>
  `$${input} in, ${cachedInput === undefined ? '' : `$${cachedInput} cached, `}$${output} out per million tokens, ` +
  `${date}, ${source}`

const Scores = ({ board, row }: { readonly board: Board; readonly row: BoardRow }): JSX.Element => (
  <DataTable
    label="Scores"
    groups="Category"
    head={[
      'Benchmark',
      { text: 'Share of the scale', axis: SHARE },
      ...numeric('Mean', '95 % interval', 'n', 'Place', 'Coverage'),
      'Metric',
      'Missing',
    ]}
    rows={scored(board, row).flatMap(({ benchmark, cell }, at, all): readonly (readonly DataCell[])[] => {
      const [run] = cell.runs
      const value = exactValue(cell.value)
      const category = categoryOf(benchmark)
      const before = all[at - 1]
      return [
        ...(before !== undefined && categoryOf(before.benchmark) === category ? [] : [[category]]),
        [
          <BenchmarkLink suite={board.suite} benchmark={benchmark} root="../" />,
          marksOf(cell, benchmark.mainMetric),
          run === undefined || cell.runs.length > 1 ? (
            value
          ) : (
            <a href={`../${runPath(board.suite, run)}`}>{value}</a>
          ),
          exactRange(cell.interval),
          cell.n === 0 ? '–' : formatCount(cell.n),
          orDash(cell.place, placeText),
          exactShare(coveredShare(cell)),
          visibleText(benchmark.mainMetric.displayName),
          causesText(cell.causes) || '–',
        ],
      ]
    })}
  />
)

/** What places go by, on the scale from the worst to the best; hollow: not ranked. None without such a scale. */
const marksOf = (cell: BoardCell, { range, lowerIsBetter }: BoardMetric): DataCell => {
  const { score, interval } = cell
  const value = score ?? cell.value
  if (range === undefined || lowerIsBetter === undefined || value === null) return []
  const on = (each: number): number => shareOf(each, range, lowerIsBetter)
  const ends = interval === null ? [] : [on(interval.low), on(interval.high)]
  return [
    {
      value: on(value),
      interval: interval && { low: Math.min(...ends), high: Math.max(...ends) },
      isHollow: !isRanked(cell),
    },
  ]
}

/** From the worst to the best that a metric can be, so that all share it. */
const SHARE = linearAxis({ from: 0, to: 1 }, MARK_PIXELS)

const categoryOf = ({ category = OTHER }: BoardBenchmark): string => visibleText(category)

/** What the model was asked, category by category. */
const scored = (
  board: Board,
  row: BoardRow,
): readonly { readonly benchmark: BoardBenchmark; readonly cell: BoardCell }[] => {
  const all = board.benchmarks.flatMap((benchmark, column) => {
    const cell = row.cells[column]
    return cell === undefined || !isThere(cell) ? [] : [{ benchmark, cell }]
  })
  return [...groupBy(all, ({ benchmark }) => categoryOf(benchmark)).values()].flat()
}
