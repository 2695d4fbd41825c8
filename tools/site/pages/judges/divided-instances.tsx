import type { JSX } from 'preact'
import { formatCount } from '../../../../cache/words/number-text.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { exactValue } from '../../components/exact.tsx'
import { InstanceLink } from '../../components/links.tsx'
import type { SiteJudges } from '../../content/stored-judges.ts'

interface DividedProps<Judges extends SiteJudges> {
  readonly title: string
  readonly label: string
  readonly suite: string
  readonly judges: readonly Judges[]
  readonly root: string
  /** Rows of the list. */
  readonly most: number
  /** Leads to the benchmark, where they are of several. */
  readonly benchmarkOf?: (judges: Judges) => JSX.Element
}

/** The instances on whose answers judges differ most, over all models; only of public benchmarks: what the rubric leaves open. */
export const DividedInstances = <Judges extends SiteJudges>({
  title,
  label,
  suite,
  judges,
  root,
  most,
  benchmarkOf,
}: DividedProps<Judges>): JSX.Element | null => {
  const rows = judges
    .flatMap((each) => each.divided.map((instance) => ({ each, instance })))
    .toSorted((a, b) => b.instance.spread - a.instance.spread)
    .slice(0, most)
  return rows.length === 0 ? null : (
    <section>
      <h2 id="divided">{title}</h2>
      <DataTable
        label={label}
        head={[
          'Instance',
          ...(benchmarkOf === undefined ? [] : ['Benchmark']),
          ...numeric('Highest − lowest judge', 'Answers'),
        ]}
        rows={rows.map(({ each, instance: { instance, model, spread, answers } }) => [
          <InstanceLink suite={suite} run={each.runs[model]} instance={instance} root={root} />,
          ...(benchmarkOf === undefined ? [] : [benchmarkOf(each)]),
          exactValue(spread),
          formatCount(answers),
        ])}
      />
    </section>
  )
}
