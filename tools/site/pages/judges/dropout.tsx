import type { JSX } from 'preact'
import type { Dropout } from '../../../../targets/jury/study/dropout.ts'
import type { Standing } from '../../../../targets/jury/study/standings.ts'
import { formatCount, plural, orDash } from '../../../../cache/words/number-text.ts'
import { extent } from 'd3-array'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { exactValue } from '../../components/exact.tsx'
import { Folded } from '../../components/folded.tsx'
import { linearAxis } from '../../components/plot/axis.ts'
import { MARK_PIXELS, type MarkValue } from '../../components/plot/mark.tsx'
import { benchmarkPath } from '../../paths.ts'
import type { SiteSuite } from '../../site.ts'
import { visibleText } from '../../visible-text.ts'
import { benchmarkLabel } from './named-judges.ts'
import { ModelLink } from '../../components/links.tsx'

interface DropoutProps {
  readonly suite: SiteSuite
  readonly root: string
}

/** Of juries of several judges: without its only one a jury says nothing. */
export const dropoutOf = ({ dropout = [] }: SiteSuite): readonly Dropout[] =>
  dropout.filter(({ swaps }) => swaps.size > 1)

/** What the jury's scores would be without each judge; a jury of one says nothing without it. */
export const DropoutFigure = ({ suite, root }: DropoutProps): JSX.Element | null => {
  const dropout = dropoutOf(suite)
  const judges = [...new Set(dropout.flatMap(({ swaps }) => [...swaps.keys()]))]
  return dropout.length === 0 ? null : (
    <>
      <h2 id="without">The jury without each judge</h2>
      <p>
        Mean scores with all judges (filled) and without each of them (hollow), each over the instances of
        which every judge that is left could be read. Marks that stand far apart show how much one judge
        decides. Models under the floor of coverage are in no pair; – where that leaves none.
      </p>
      {dropout.every(({ swaps }) => [...swaps.values()].every((count) => count === null)) ? null : (
        <DataTable
          label="Pairs of models that swap places"
          head={[
            'Pairs of models that swap places',
            ...numeric(...judges.map((judge) => `Without ${visibleText(judge)}`)),
          ]}
          rows={dropout.map(({ benchmark, swaps }) => [
            <a href={root + benchmarkPath(suite.board.suite, columnOf(benchmark))}>
              {labelOf(suite, benchmark)}
            </a>,
            ...judges.map((judge) => orDash(swaps.get(judge), formatCount)),
          ])}
        />
      )}
      <Folded
        rows={dropout.reduce((sum, { rows }) => sum + rows.length, 0)}
        summary={`Scores of ${plural(dropout.length, 'benchmark')} without each judge`}
      >
        {dropout.map((each) => (
          <section key={each.benchmark}>
            <h3>{labelOf(suite, each.benchmark)}</h3>
            <OneDropout suite={suite} of={each} root={root} name={labelOf(suite, each.benchmark)} />
          </section>
        ))}
      </Folded>
    </>
  )
}

const markOf = ({ score }: Standing, isHollow: boolean): readonly MarkValue[] =>
  score === null ? [] : [{ value: score, interval: null, isHollow }]

/** Of a scenario: `med_dialog,subset=icliniq` is one of the column `med_dialog`. */
const columnOf = (benchmark: string): string => /^[^:,]*/.exec(benchmark)?.[0] ?? benchmark

const labelOf = ({ board }: SiteSuite, benchmark: string): string =>
  benchmarkLabel(board.benchmarks, { benchmark, column: columnOf(benchmark) })

const OneDropout = ({
  suite: { board },
  of: { rows, swaps },
  root,
  name,
}: {
  readonly suite: SiteSuite
  readonly of: Dropout
  readonly root: string
  readonly name: string
}): JSX.Element => {
  const all = rows.flatMap((row) => [row.all, ...row.without.values()].flatMap(({ score }) => score ?? []))
  const [from = 0, to = 1] = extent(all)
  const judges = [...swaps.keys()]
  return (
    <DataTable
      label={`${name} without each judge`}
      head={[
        'Model',
        { text: 'Mean score', axis: linearAxis({ from, to }, MARK_PIXELS) },
        ...numeric('All judges', ...judges.map((judge) => `Without ${visibleText(judge)}`)),
      ]}
      rows={rows.map((row) => [
        <ModelLink board={board} deployment={row.model} root={root} />,
        [...[...row.without.values()].flatMap((each) => markOf(each, true)), ...markOf(row.all, false)],
        exactValue(row.all.score),
        ...judges.map((judge) => exactValue(row.without.get(judge)?.score)),
      ])}
    />
  )
}
