import { meanOf, merge, type Merged } from '../tables/cells/trial-stat.ts'
import type { TableRun } from '../tables/table.ts'

/** What HELM says of a run's metrics, defaults for lost judgements included. */
export interface HelmMeans {
  /** Metric → mean over the run; without those that HELM has no value of. */
  readonly helmMeans: ReadonlyMap<string, number>
  /** What the first metric's mean is formed of; absent for means over sub-splits, which count the same. */
  readonly helmSum?: Merged
}

export const helmMeans = (
  { stats }: Pick<TableRun, 'stats'>,
  metrics: readonly string[],
  split: string,
): HelmMeans => {
  const statsOf = (metric: string): TableRun['stats'] =>
    stats.filter(
      ({ name }) => name.name === metric && name.split === split && name.perturbation === undefined,
    )
  const first = statsOf(metrics[0] ?? '')
  return {
    helmMeans: new Map(
      metrics.flatMap((metric) => {
        const mean = meanOf(merge(statsOf(metric)))
        return mean === undefined || !Number.isFinite(mean) ? [] : [[metric, mean] as const]
      }),
    ),
    ...(first.every(({ name }) => name.subSplit === undefined) && { helmSum: merge(first) }),
  }
}
