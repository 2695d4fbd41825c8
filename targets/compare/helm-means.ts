import { meanOf, merge } from '../tables/cells/trial-stat.ts'
import type { TableRun } from '../tables/table.ts'

/** Metrics' means over a run as HELM forms them; without those that HELM has no value of. */
export const helmMeans = (
  { stats }: Pick<TableRun, 'stats'>,
  metrics: readonly string[],
  split: string,
): ReadonlyMap<string, number> =>
  new Map(
    metrics.flatMap((metric) => {
      const own = stats.filter(
        ({ name }) => name.name === metric && name.split === split && name.perturbation === undefined,
      )
      const mean = meanOf(merge(own))
      return mean === undefined || !Number.isFinite(mean) ? [] : [[metric, mean] as const]
    }),
  )
