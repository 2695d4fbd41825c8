import type { JSX } from 'preact'
import type { BoardBenchmark } from '../../../../targets/runs/board-run.ts'
import type { DividedInstance } from '../../../../targets/jury/study/judges-report.ts'
import { formatCount } from '../../../compare/number-text.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { exactValue } from '../../components/exact.tsx'
import { runPath } from '../../paths.ts'
import type { SiteJudges } from '../../content/stored-judges.ts'
import type { SiteSuite } from '../../site.ts'
import { urlStateText } from '../../url-state.ts'
import { visibleText } from '../../visible-text.ts'

/** The instances on whose answers judges differ most, over all models; only of public benchmarks. */
export const MostSplit = ({
  suite: { board, judges = [] },
  benchmark,
}: {
  readonly suite: SiteSuite
  readonly benchmark: BoardBenchmark
}): JSX.Element | null => {
  const own = judges
    .filter(({ column }) => column === benchmark.name)
    .flatMap((each) => each.divided.map((instance) => ({ each, instance })))
    .toSorted((a, b) => b.instance.spread - a.instance.spread)
    .slice(0, LISTED)
  return own.length === 0 ? null : (
    <section>
      <h2 id="divided">Where judges differ most</h2>
      <DataTable
        label="Where judges differ most"
        head={['Instance', ...numeric('Highest − lowest judge', 'Answers')]}
        rows={own.map(({ each, instance }) => [
          <DividedLink of={each} instance={instance} suite={board.suite} root="../" />,
          exactValue(instance.spread),
          formatCount(instance.answers),
        ])}
      />
    </section>
  )
}

const LISTED = 10

/** Leads to an answer, beside which all others can be shown. */
export const DividedLink = ({
  of,
  instance: { instance, model },
  suite,
  root,
}: {
  readonly of: Pick<SiteJudges, 'runs'>
  readonly instance: Pick<DividedInstance, 'instance' | 'model'>
  readonly suite: string
  readonly root: string
}): JSX.Element => {
  const run = of.runs[model]
  return run === undefined ? (
    <>{visibleText(instance)}</>
  ) : (
    <a href={`${root}${runPath(suite, run)}${urlStateText({ instance }, { instance: '' })}`}>
      {visibleText(instance)}
    </a>
  )
}
