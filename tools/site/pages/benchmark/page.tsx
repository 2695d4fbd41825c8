import type { JSX } from 'preact'
import { coverageOf, type BoardCell } from '../../../../targets/aggregate/board-cell.ts'
import { placeText } from '../../../../targets/aggregate/board-place.ts'
import type { BoardBenchmark } from '../../../../targets/aggregate/board-run.ts'
import type { Board, BoardRow } from '../../../../targets/aggregate/board.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Facts } from '../../components/facts.tsx'
import { IntervalBar } from '../../components/interval-bar.tsx'
import { Verbatim } from '../../components/shown-text.tsx'
import { renderPage } from '../../document.tsx'
import { formatCount, formatShare, formatValue, formatRange } from '../../format.ts'
import { runPath } from '../../paths.ts'
import { positionOn, scaleOf, type Scale } from '../../scale.ts'
import type { RunFrame } from '../run/page.tsx'
import { visibleText } from '../../visible-text.ts'

const ACCESS = {
  public: 'Public: anybody may read the instances.',
  gated: 'Gated: whoever signs its terms may read the instances. This site shows no text of them.',
  private: 'Private: the instances stay with their owner. This site shows no text of them.',
  local: 'Read from files that do not say who may read the instances.',
} as const

const DIRECTIONS = { true: 'Lower is better.', false: 'Higher is better.' } as const

/**
 * benchmarks/….html: what is measured and every model's result.
 * @param prompt a prompt as a model got it; only for public benchmarks
 */
export const benchmarkPage = (
  board: Board,
  benchmark: BoardBenchmark,
  { prompt, frame }: { readonly prompt: string | undefined; readonly frame: RunFrame },
): string => {
  const column = board.benchmarks.indexOf(benchmark)
  const results = board.rows.flatMap((row) => {
    const cell = row.cells[column]
    return cell === undefined || cell.runs.length === 0 ? [] : [{ row, cell }]
  })
  const { mainMetric } = benchmark
  const scale = scaleOf(
    mainMetric,
    results.map(({ cell }) => cell),
  )
  return renderPage({
    title: benchmark.displayName,
    root: '../',
    navigation: frame.navigation,
    trail: [{ label: board.suite, href: `../${frame.board}` }],
    children: (
      <>
        <h1>{visibleText(benchmark.displayName)}</h1>
        <p class="standfirst">{visibleText(benchmark.description)}</p>
        <Facts
          items={[
            ['Metric', `${mainMetric.displayName} (${mainMetric.name}, ${mainMetric.split})`],
            ...(mainMetric.description === '' ? [] : [['Definition', mainMetric.description] as const]),
            [
              'Direction',
              mainMetric.lowerIsBetter === undefined
                ? 'Not declared: results are not ranked.'
                : DIRECTIONS[`${mainMetric.lowerIsBetter}`],
            ],
            ['Access', ACCESS[benchmark.access]],
          ]}
        />
        <h2>Results</h2>
        <Results suite={board.suite} results={results} scale={scale} />
        {prompt === undefined ? null : (
          <>
            <h2>A prompt</h2>
            <Verbatim text={prompt} />
          </>
        )}
        <h2>All metrics</h2>
        <AllMetrics results={results} />
      </>
    ),
  })
}

interface Result {
  readonly row: BoardRow
  readonly cell: BoardCell
}

const Results = ({
  suite,
  results,
  scale,
}: {
  readonly suite: string
  readonly results: readonly Result[]
  readonly scale: Scale
}): JSX.Element => {
  const several = results.some(({ cell }) => cell.runs.length > 1)
  return (
    <DataTable
      label="Results"
      head={[
        { text: 'Model' },
        { text: 'Place', number: true },
        { text: 'Mean', number: true },
        { text: `From ${formatValue(scale.low)} to ${formatValue(scale.high)}` },
        { text: '95 % interval', number: true },
        { text: 'n', number: true },
        { text: 'Measured', number: true },
        { text: 'Failures' },
        ...(several ? [{ text: 'Runs' }] : []),
      ]}
      rows={[...results]
        .sort(byPlace)
        .map(({ row, cell }) => [
          <ModelLink suite={suite} label={row.label} cell={cell} />,
          cell.place === null ? '–' : placeText(cell.place),
          cell.value === null ? '–' : formatValue(cell.value),
          cell.value === null || cell.interval === null ? (
            '–'
          ) : (
            <IntervalBar
              low={positionOn(scale, cell.interval.low)}
              value={positionOn(scale, cell.value)}
              high={positionOn(scale, cell.interval.high)}
            />
          ),
          cell.interval === null ? '–' : formatRange(cell.interval),
          formatCount(cell.n),
          measuredText(cell),
          cell.failures.map(({ code, count }) => `${code} × ${count}`).join(', ') || 'none',
          ...(several ? [<RunLinks suite={suite} cell={cell} />] : []),
        ])}
    />
  )
}

const measuredText = (cell: BoardCell): string => {
  const coverage = coverageOf(cell)
  return coverage === undefined ? 'not known' : formatShare(coverage)
}

const byPlace = (a: Result, b: Result): number =>
  (a.cell.place?.rank ?? Infinity) - (b.cell.place?.rank ?? Infinity) || 0

const ModelLink = ({
  suite,
  label,
  cell: { runs },
}: {
  readonly suite: string
  readonly label: string
  readonly cell: BoardCell
}): JSX.Element => {
  const [only] = runs.length === 1 ? runs : []
  return only === undefined ? (
    <>{visibleText(label)}</>
  ) : (
    <a href={`../${runPath(suite, only)}`}>{visibleText(label)}</a>
  )
}

const RunLinks = ({ suite, cell }: { readonly suite: string; readonly cell: BoardCell }): JSX.Element => (
  <ul class="links">
    {cell.runs.map((run) => (
      <li key={run}>
        <a href={`../${runPath(suite, run)}`}>{visibleText(run)}</a>
      </li>
    ))}
  </ul>
)

const AllMetrics = ({ results }: { readonly results: readonly Result[] }): JSX.Element => {
  const names = [...new Set(results.flatMap(({ cell }) => cell.metrics.map(({ name }) => name)))]
  return (
    <DataTable
      label="All metrics"
      head={[
        { text: 'Metric' },
        ...results.map(({ row }) => ({ text: visibleText(row.label), number: true })),
      ]}
      rows={names.map((name) => [
        name,
        ...results.map(({ cell }) => {
          const found = cell.metrics.find((metric) => metric.name === name)
          return found === undefined ? '–' : formatValue(found.value)
        }),
      ])}
    />
  )
}
