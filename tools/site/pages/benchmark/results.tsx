import type { JSX } from 'preact'
import { isRanked, type BoardCell } from '../../../../targets/board/board-cell.ts'
import { coveredShare } from '../../../../targets/record/coverage.ts'
import { shareLetter } from '../../../../targets/statistics/multiple/letters.ts'
import { placeText } from '../../../../targets/compare/ranks/rank-place.ts'
import type { BoardRow } from '../../../../targets/board/board.ts'
import { exactRange, exactShare, exactValue } from '../../components/exact.tsx'
import { linearAxis } from '../../components/plot/axis.ts'
import { DataTable, numeric, type DataCell } from '../../components/data-table.tsx'
import { MARK_PIXELS } from '../../components/plot/mark.tsx'
import { causesText, runsText } from '../../../compare/coverage-text.ts'
import { formatCount, orDash } from '../../../../cache/words/number-text.ts'
import { modelPath, runPath } from '../../paths.ts'
import type { Scale } from '../../../../targets/statistics/scale.ts'
import { visibleText } from '../../visible-text.ts'

/** A model's cell in the benchmark's column. */
export interface Result {
  readonly row: BoardRow
  readonly cell: BoardCell
}

interface ResultsProps {
  readonly suite: string
  readonly results: readonly Result[]
  readonly scale: Scale
}

/** Every model's result, the best first. */
export const Results = ({ suite, results, scale }: ResultsProps): JSX.Element => {
  const several = results.some(({ cell }) => allRuns(cell).length > 1)
  const grouped = results.some(({ cell }) => cell.groups !== '')
  const best = results.find(({ cell }) => cell.place?.rank === 1)?.cell.groups ?? ''
  return (
    <>
      <DataTable
        label="Results"
        head={[
          'Model',
          ...numeric('Place'),
          {
            text: results.some(({ cell }) => cell.interval !== null) ? 'Mean and 95 % interval' : 'Mean',
            axis: linearAxis({ from: scale.low, to: scale.high }, MARK_PIXELS),
          },
          ...numeric('Mean', '95 % interval'),
          ...(grouped ? ['Group'] : []),
          ...numeric('n', 'Coverage'),
          'Missing',
          'Interval by',
          ...(several ? ['Runs'] : []),
        ]}
        rows={[...results].sort(byPlace).map(({ row, cell }): readonly DataCell[] => [
          <ResultLink suite={suite} row={row} cell={cell} />,
          orDash(cell.place, placeText),
          marksOf(cell, best),
          exactValue(cell.value),
          exactRange(cell.interval),
          ...(grouped
            ? [
                cell.groups === '' ? (
                  '–'
                ) : (
                  <span class="groups" title={cell.groups}>
                    {cell.groups}
                  </span>
                ),
              ]
            : []),
          cell.n === 0 ? '–' : formatCount(cell.n),
          exactShare(coveredShare(cell)),
          troubleOf(cell),
          [cell.intervalMethod, cell.intervalReason].filter((part) => part !== '').join('; ') || '–',
          ...(several ? [<RunLinks suite={suite} cell={cell} />] : []),
        ])}
      />
      <p class="detail">
        {best === ''
          ? 'Hollow: not ranked.'
          : 'Filled: first, or not told apart from the first. Who shares a letter is not told apart.'}
      </p>
    </>
  )
}

/** Filled: the best, and who shares a letter with it; without letters nothing was tested, and it is who is ranked. */
const marksOf = (cell: BoardCell, best: string): DataCell => {
  const { value, interval, place, groups } = cell
  const isFilled = best === '' ? isRanked(cell) : place?.rank === 1 || shareLetter(groups, best)
  return value === null ? [] : [{ value, interval, isHollow: !isFilled }]
}

/** Also those that its score leaves out. */
const allRuns = ({ runs, leftOutRuns = [] }: BoardCell): readonly string[] => [...runs, ...leftOutRuns]

/** Runs, and causes; codes where no cause is known. */
const troubleOf = (cell: BoardCell): DataCell => {
  const { causes, failures } = cell
  const told = causesText(causes) || failures.map(({ code, count }) => `${code} × ${count}`).join(', ')
  const text = [runsText(cell), told].filter((part) => part !== '').join(', ')
  return text === '' ? '–' : <span class="prose">{text}</span>
}

const byPlace = (a: Result, b: Result): number =>
  (a.cell.place?.rank ?? Infinity) - (b.cell.place?.rank ?? Infinity) || 0

interface CellLinksProps {
  readonly suite: string
  readonly cell: BoardCell
}

/** To the run; where there is not one alone, to the model. */
const ResultLink = ({
  suite,
  row: { model, label },
  cell,
}: CellLinksProps & Pick<Result, 'row'>): JSX.Element => {
  const runs = allRuns(cell)
  const [only] = runs.length === 1 ? runs : []
  const path = only === undefined ? modelPath(suite, model.deployment) : runPath(suite, only)
  return <a href={`../${path}`}>{visibleText(label)}</a>
}

const RunLinks = ({ suite, cell }: CellLinksProps): JSX.Element => (
  <ul class="links">
    {allRuns(cell).map((run) => (
      <li key={run}>
        <a href={`../${runPath(suite, run)}`}>{visibleText(run)}</a>
      </li>
    ))}
  </ul>
)
