import type { JSX } from 'preact'
import { hardInstances } from '../../../../targets/board/hard-instances.ts'
import { isShown } from '../../../../targets/access/suppress-small.ts'
import type { BoardBenchmark } from '../../../../targets/runs/board-run.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { exactValue } from '../../components/exact.tsx'
import { formatCount, plural } from '../../../../cache/words/number-text.ts'
import type { SiteSuite } from '../../site.ts'
import { InstanceLink } from '../../components/links.tsx'

const LISTED = 10

/** The instances that models fail most; of restricted benchmarks only how many. Nothing for one model alone. */
export const Hardest = ({
  suite: { board, values = [], runs },
  benchmark,
}: {
  readonly suite: SiteSuite
  readonly benchmark: BoardBenchmark
}): JSX.Element | null => {
  const order = new Map(board.rows.map(({ model }, row) => [model.deployment, row]))
  const own = values
    .filter((each) => each.benchmark === benchmark.name)
    .toSorted((a, b) => (order.get(a.deployment) ?? 0) - (order.get(b.deployment) ?? 0))
  if (new Set(own.map(({ deployment }) => deployment)).size < 2) return null
  const { instances, unsolved, hardest } = hardInstances(own, benchmark.mainMetric, LISTED)
  const hasPage = (run: string): boolean =>
    runs.some(({ facts, instances: open }) => facts.name === run && open !== undefined)
  return (
    <section>
      <h2>The hardest instances</h2>
      {unsolved === null ? null : (
        <p>
          {unsolved === 0
            ? `Some model was right on each of ${plural(instances, 'instance')}.`
            : `No model was right on ${formatCount(unsolved)} of ${plural(instances, 'instance')}.`}
        </p>
      )}
      {isShown(benchmark) ? (
        <DataTable
          label="The hardest instances"
          head={['Instance', ...numeric('Mean over models', 'Best', 'Models')]}
          rows={hardest.map(({ run, id, mean, best, models }) => [
            <InstanceLink
              suite={board.suite}
              run={hasPage(run) ? run : undefined}
              instance={id}
              root="../"
            />,
            exactValue(mean),
            exactValue(best),
            formatCount(models),
          ])}
        />
      ) : (
        <p class="detail">Which ones is not told: the benchmark is {benchmark.access}.</p>
      )}
    </section>
  )
}
