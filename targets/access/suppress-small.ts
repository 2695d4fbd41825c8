import type { TrialStat } from '../tables/cells/trial-stat.ts'
import type { Access } from '../../benchmarks/scenario/benchmark.ts'

/** Fewer instances than this could point at a person: the usual rule for cells of clinical tables. */
export const LEAST_INSTANCES = 11

interface Suppressed<Stat> {
  readonly stats: readonly Stat[]
  /** How many stats were left out. */
  readonly suppressed: number
}

const cellOf = ({ name }: TrialStat): string => JSON.stringify([name.split ?? null, name.subSplit ?? null])

/**
 * A run's stats without those over fewer than eleven instances. If one sub-split of a split is that small, all of that
 * split go: the others and the total would give it away.
 *
 * @param rows evaluated instances of the whole run, for stats of no split and runs that count no instances
 */
export const suppressSmall = <Stat extends TrialStat>(
  stats: readonly Stat[],
  rows: number,
): Suppressed<Stat> => {
  const counted = new Map<string, number>()
  for (const stat of stats)
    if (stat.name.name === 'num_instances' && stat.name.perturbation === undefined)
      counted.set(cellOf(stat), stat.count === 0 ? 0 : stat.sum / stat.count)
  const instances = (stat: Stat): number =>
    counted.get(cellOf(stat)) ?? (stat.name.subSplit === undefined ? rows : 0)
  const smallSplits = new Set(
    stats
      .filter((stat) => stat.name.subSplit !== undefined && instances(stat) < LEAST_INSTANCES)
      .map((stat) => stat.name.split),
  )
  const kept = stats.filter(
    (stat) =>
      rows >= LEAST_INSTANCES &&
      instances(stat) >= LEAST_INSTANCES &&
      !(stat.name.subSplit !== undefined && smallSplits.has(stat.name.split)),
  )
  return { stats: kept, suppressed: stats.length - kept.length }
}

/**
 * Of gated and private benchmarks no text of any instance may be shown. `local`: read from files of another program,
 * which do not say; shown to whoever holds the files.
 */
export type BoardAccess = Access | 'local'

/** Whether the texts of a benchmark's instances may be shown. */
export const isShown = ({ access }: { readonly access: BoardAccess }): boolean =>
  access === 'public' || access === 'local'
