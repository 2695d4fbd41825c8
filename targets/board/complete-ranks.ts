import type { Subgroups } from './board-subgroups.ts'
import type { Interval } from '../statistics/intervals/wilson.ts'
import type { BoardUncertainty } from './board-uncertainty.ts'
import type { Board, RankUncertainty } from './board.ts'
import { placesOf, stretchesOf } from './stretches.ts'

/** What a release says of the doubt about its board's places. */
interface ToldRanks {
  readonly rows: readonly {
    readonly deployment: string
    readonly average: Interval | null
    readonly rank: RankUncertainty | null
    /** Benchmark → letters of the significance groups. */
    readonly groups: Readonly<Record<string, string>>
  }[]
}

/** What of a board's doubt its own values do not give, in words. */
export const untoldOf = (
  {
    board: { suite, benchmarks, winRateColumns },
    subgroups = [],
  }: { readonly board: Board; readonly subgroups?: readonly Subgroups[] },
  lacking: ReadonlySet<string>,
): readonly string[] => {
  const columns = benchmarks.flatMap(({ name }) => (lacking.has(name) ? [name] : []))
  if (columns.length === 0) return []
  const places = winRateColumns.some((name) => lacking.has(name)) ? ' and all places' : ''
  const parts = subgroups.some(({ benchmark }) => lacking.has(benchmark)) ? ' and subgroups' : ''
  return [`${suite}: the letters${parts} of ${columns.join(', ')}${places} rest on withheld values`]
}

/** Scores by attribute that a release's own values give, and those that it tells of withheld ones. */
export const completeSubgroups = (
  { benchmarks }: Board,
  reckoned: readonly Subgroups[],
  told: readonly Subgroups[],
): readonly Subgroups[] =>
  benchmarks.flatMap(({ name }) => {
    const own = reckoned.filter(({ benchmark }) => benchmark === name)
    return own.length > 0 ? own : told.filter(({ benchmark }) => benchmark === name)
  })

/**
 * The doubt that a board's own values give, completed by what the release says of columns whose values it lacks.
 * @param lacking the benchmarks of these columns
 */
export const completeUncertainty = (
  { benchmarks, rows, winRateColumns, averageColumns }: Board,
  reckoned: BoardUncertainty,
  { told, lacking }: { readonly told: ToldRanks | undefined; readonly lacking: ReadonlySet<string> },
): BoardUncertainty => {
  const byDeployment = new Map(told?.rows.map((row) => [row.deployment, row]))
  const lacksAverages = averageColumns.some((name) => lacking.has(name))
  const lacksPlaces = winRateColumns.some((name) => lacking.has(name))
  const places = new Map(rows.map(({ model }, at) => [model.deployment, at]))
  const inRows = (rank: RankUncertainty | null | undefined): RankUncertainty | null => {
    if (rank?.behind === undefined) return rank ?? null
    const behind = placesOf(rank.behind).flatMap((at) => places.get(told?.rows[at]?.deployment ?? '') ?? [])
    return { ...rank, behind: stretchesOf(behind.toSorted((a, b) => a - b)) }
  }
  return rows.map(({ model }, index) => {
    const own = reckoned[index]
    const carried = byDeployment.get(model.deployment)
    return {
      average: (lacksAverages ? carried?.average : own?.average) ?? null,
      rank: (lacksPlaces ? inRows(carried?.rank) : own?.rank) ?? null,
      groups: benchmarks.map(
        ({ name }, column) => (lacking.has(name) ? carried?.groups[name] : own?.groups[column]) ?? '',
      ),
    }
  })
}
