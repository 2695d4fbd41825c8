import type { JSX } from 'preact'
import type { AgreementEstimate } from '../../../../targets/jury/study/agreement.ts'
import { formatCount, plural } from '../../../../cache/words/number-text.ts'
import { DataTable, numeric, type DataCell } from '../../components/data-table.tsx'
import { FEWEST_RANKED, ranksByClinicians } from '../../../../targets/jury/study/calibrated-score.ts'
import {
  exactCount,
  exactDifference,
  exactDifferences,
  exactFigure,
  exactRange,
  exactValue,
} from '../../components/exact.tsx'
import { linearAxis } from '../../components/plot/axis.ts'
import { MARK_PIXELS } from '../../components/plot/mark.tsx'
import type { SiteSuite } from '../../site.ts'
import { visibleText } from '../../visible-text.ts'
import { BenchmarkLink } from './agreement.tsx'
import type { JudgesProps } from './page.tsx'
import { ModelLink } from '../../components/links.tsx'

interface ClinicianProps extends JudgesProps {
  readonly suite: SiteSuite
}

/** Whether clinicians would have scored as the jury did. */
export const ClinicianTables = (props: ClinicianProps): JSX.Element => {
  const rated = props.judges.some(({ clinicians }) => clinicians !== undefined)
  const calibrated = props.suite.board.rows.some(({ cells }) =>
    cells.some((cell) => cell.calibrated !== null),
  )
  return (
    <>
      <h2 id="clinicians">Agreement with clinicians</h2>
      {rated || calibrated ? null : (
        <p>
          Nobody rated answers of these runs, so nothing is known of it. <code>medmake agreement</code> and{' '}
          <code>medmake jury calibrate</code> take ratings, and show here what came of them.
        </p>
      )}
      {rated ? <RatedTable {...props} /> : null}
      {calibrated ? <CalibratedTable {...props} /> : null}
    </>
  )
}

const RatedTable = ({ judges, root }: ClinicianProps): JSX.Element => {
  const ends = judges.flatMap(({ clinicians: study }) =>
    study === undefined
      ? []
      : [study.clinicians, study.jury, study.spearman].flatMap(({ value, interval }) =>
          // What lies further down is all the same: no agreement at all.
          [value ?? 0, Math.max(-1, interval?.low ?? 0)],
        ),
  )
  const axis = linearAxis({ from: Math.min(-0.2, ...ends), to: 1 }, MARK_PIXELS)
  const rows = judges.flatMap((each): readonly (readonly DataCell[])[] => {
    const { clinicians: study } = each
    if (study === undefined) return []
    const figures: readonly (readonly [string, AgreementEstimate])[] = [
      ['Clinicians among themselves, ICC(3,k)', study.clinicians],
      ['Jury and their mean, ICC(3,k)', study.jury],
      ['Jury and their mean, Spearman', study.spearman],
    ]
    return [
      [
        <>
          <BenchmarkLink of={each} root={root} /> {formatCount(study.ratings)} ratings by{' '}
          {formatCount(study.raters)} clinicians of {formatCount(study.answers)} answers
          {study.drawn ? ', drawn in unequal shares: of these answers, not of all' : ''}
        </>,
      ],
      ...figures.map(([name, { value, interval, reason }]): readonly DataCell[] => [
        name,
        value === null ? [] : [{ value, interval, isHollow: interval === null || interval.low <= 0 }],
        exactValue(value),
        interval === null ? (reason ?? '–') : exactRange(interval),
      ]),
    ]
  })
  return (
    <>
      <p>
        Filled: surely above 0. Intervals (95 %) draw answers and clinicians. A jury that agrees with
        clinicians as well as they do among themselves can stand for one of them.
      </p>
      <DataTable
        label="Agreement with clinicians"
        groups="Ratings"
        head={['Of what', { text: 'Agreement', axis, line: 0 }, ...numeric('Value'), '95 % interval']}
        rows={rows}
      />
    </>
  )
}

/** Jury's scores beside those that clinicians would give. */
const CalibratedTable = ({ suite: { board }, root }: ClinicianProps): JSX.Element => {
  const ranks = board.benchmarks.map((_, at) => {
    const run = board.rows.filter(({ cells }) => (cells[at]?.value ?? null) !== null)
    const found = ranksByClinicians(run.map(({ cells }) => cells[at]?.calibrated ?? null))
    return new Map(run.map((row, index) => [row, found?.[index]]))
  })
  return (
    <>
      <p>
        The jury’s mean beside what clinicians would give, from the answers that they rated: by the strata of
        a planned sample, else prediction-powered (95 %). Ranks are by the latter, where each model of a
        benchmark has {FEWEST_RANKED} rated answers or more; the board’s are by the jury. What it gives more
        is of these very answers.
      </p>
      <DataTable
        label="Scores as clinicians would give them"
        head={[
          'Model',
          'Benchmark',
          ...numeric('Jury', 'Clinicians', '95 % interval', 'Rank', 'Jury gives more', 'Rated answers'),
        ]}
        rows={board.rows.flatMap((row) =>
          row.cells.flatMap(({ calibrated, value }, at) =>
            calibrated === null
              ? []
              : [
                  [
                    <ModelLink board={board} deployment={row.model.deployment} root={root} />,
                    visibleText(board.benchmarks[at]?.displayName ?? ''),
                    exactValue(value),
                    exactValue(calibrated.value),
                    exactRange(calibrated.interval),
                    exactCount(ranks[at]?.get(row)),
                    // The mean of other answers, too, tells not what the jury gives more.
                    exactFigure(
                      calibrated.bias ??
                        (value === null || calibrated.uncovered !== undefined
                          ? null
                          : { value: value - calibrated.value, interval: null }),
                      { value: exactDifference, range: exactDifferences },
                    ),
                    `${formatCount(calibrated.labels)}${calibrated.uncovered === undefined ? '' : `, without ${plural(calibrated.uncovered, 'answer')}`}`,
                  ],
                ],
          ),
        )}
      />
    </>
  )
}
