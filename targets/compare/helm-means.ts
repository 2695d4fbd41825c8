import { meanOf, merge, type Merged } from '../tables/cells/trial-stat.ts'
import type { TableRun } from '../tables/table.ts'

/** Metrics' means over a run as HELM forms them; without those that HELM has no value of. */
export const helmMeans = (
  run: Pick<TableRun, 'stats'>,
  metrics: readonly string[],
  split: string,
): ReadonlyMap<string, number> =>
  new Map(
    metrics.flatMap((metric) => {
      const mean = meanOf(merge(statsOf(run, metric, split)))
      return mean === undefined || !Number.isFinite(mean) ? [] : [[metric, mean] as const]
    }),
  )

/** What HELM adds up of a metric over a run; undefined where sub-splits count the same, however many instances they hold. */
export const helmSum = (run: Pick<TableRun, 'stats'>, metric: string, split: string): Merged | undefined => {
  const own = statsOf(run, metric, split)
  return own.some(({ name }) => name.subSplit !== undefined) ? undefined : merge(own)
}

const statsOf = ({ stats }: Pick<TableRun, 'stats'>, metric: string, split: string): TableRun['stats'] =>
  stats.filter(({ name }) => name.name === metric && name.split === split && name.perturbation === undefined)
