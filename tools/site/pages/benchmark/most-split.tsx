import type { JSX } from 'preact'
import type { BoardBenchmark } from '../../../../targets/runs/board-run.ts'
import { formatCount } from '../../../compare/number-text.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { exactValue } from '../../components/exact.tsx'
import type { SiteSuite } from '../../site.ts'
import { InstanceLink } from '../../components/links.tsx'

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
          <InstanceLink
            suite={board.suite}
            run={each.runs[instance.model]}
            instance={instance.instance}
            root="../"
          />,
          exactValue(instance.spread),
          formatCount(instance.answers),
        ])}
      />
    </section>
  )
}

const LISTED = 10
