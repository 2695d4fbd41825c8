import type { JSX } from 'preact'
import type { BoardCell } from '../../../../targets/board/board-cell.ts'
import { coveredShare } from '../../../../targets/record/coverage.ts'
import { placeText } from '../../../../targets/compare/ranks/rank-place.ts'
import type { BoardRow } from '../../../../targets/board/board.ts'
import { DataTable } from '../../components/data-table.tsx'
import { IntervalBar } from '../../components/interval-bar.tsx'
import { causesText } from '../../../compare/coverage-text.ts'
import { formatCount, formatRange, formatShare, formatValue } from '../../../compare/number-text.ts'
import { runPath } from '../../paths.ts'
import { positionOn, type ShownScale } from '../../content/scale.ts'
import { visibleText } from '../../visible-text.ts'

/** A model's cell in the benchmark's column. */
export interface Result {
  readonly row: BoardRow
  readonly cell: BoardCell
}

interface ResultsProps {
  readonly suite: string
  readonly results: readonly Result[]
  readonly scale: ShownScale
}

/** Every model's result, the best first. */
export const Results = ({ suite, results, scale }: ResultsProps): JSX.Element => {
  const several = results.some(({ cell }) => cell.runs.length > 1)
  const grouped = results.some(({ cell }) => cell.groups !== '')
  return (
    <DataTable
      label="Results"
      head={[
        { text: 'Model' },
        { text: 'Place', number: true },
        { text: 'Mean', number: true },
        { text: `From ${formatValue(scale.low)} to ${formatValue(scale.high)}` },
        { text: '95 % interval', number: true },
        { text: 'Interval by' },
        ...(grouped ? [{ text: 'Group' }] : []),
        { text: 'n', number: true },
        { text: 'Measured', number: true },
        { text: 'What is not whole' },
        ...(several ? [{ text: 'Runs' }] : []),
      ]}
      rows={[...results]
        .sort(byPlace)
        .map(({ row, cell }) => [
          <ModelLink suite={suite} label={row.label} cell={cell} />,
          cell.place === null ? '–' : placeText(cell.place),
          cell.value === null ? '–' : formatValue(cell.value),
          <Bar cell={cell} scale={scale} />,
          cell.interval === null ? '–' : formatRange(cell.interval),
          cell.intervalMethod || '–',
          ...(grouped ? [cell.groups || '–'] : []),
          formatCount(cell.n),
          measuredText(cell),
          troubleText(cell),
          ...(several ? [<RunLinks suite={suite} cell={cell} />] : []),
        ])}
    />
  )
}

const Bar = ({
  cell: { value, interval },
  scale,
}: {
  readonly cell: BoardCell
  readonly scale: ShownScale
}) =>
  value === null || interval === null ? (
    <>–</>
  ) : (
    <IntervalBar
      low={positionOn(scale, interval.low)}
      value={positionOn(scale, value)}
      high={positionOn(scale, interval.high)}
    />
  )

const measuredText = (cell: BoardCell): string => {
  const coverage = coveredShare(cell)
  return coverage === undefined ? 'not known' : formatShare(coverage)
}

const troubleText = ({ causes, failures }: BoardCell): string =>
  [causesText(causes), failures.map(({ code, count }) => `${code} × ${count}`).join(', ')]
    .filter((part) => part !== '')
    .join('; ') || 'nothing'

const byPlace = (a: Result, b: Result): number =>
  (a.cell.place?.rank ?? Infinity) - (b.cell.place?.rank ?? Infinity) || 0

interface CellLinksProps {
  readonly suite: string
  readonly cell: BoardCell
}

const ModelLink = ({
  suite,
  label,
  cell: { runs },
}: CellLinksProps & { readonly label: string }): JSX.Element => {
  const [only] = runs.length === 1 ? runs : []
  return only === undefined ? (
    <>{visibleText(label)}</>
  ) : (
    <a href={`../${runPath(suite, only)}`}>{visibleText(label)}</a>
  )
}

const RunLinks = ({ suite, cell }: CellLinksProps): JSX.Element => (
  <ul class="links">
    {cell.runs.map((run) => (
      <li key={run}>
        <a href={`../${runPath(suite, run)}`}>{visibleText(run)}</a>
      </li>
    ))}
  </ul>
)
