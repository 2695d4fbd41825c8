import type { RunGroup, SchemaIndex } from './schema/schema.ts'
import type { ObjectSpec } from '../../benchmarks/scenario/benchmark.ts'
import { groupBy } from '../../cache/lists.ts'
import { adapterKey } from './adapter-key.ts'
import { equalityKey, type TableRun } from './table.ts'

/** Runs that share an adapter spec. */
export interface ByAdapter<Run extends TableRun = TableRun> {
  readonly adapter: TableRun['adapter']
  readonly runs: readonly Run[]
}

interface ByScenario<Run extends TableRun = TableRun> {
  readonly scenario: ObjectSpec
  readonly adapters: readonly ByAdapter<Run>[]
}

/** Runs by group, in the order they were read; the first of equal specs stands for all (HELM.md T24). */
export interface Grouping<Run extends TableRun = TableRun> {
  readonly runs: readonly Run[]
  readonly adapters: ReadonlyMap<string, readonly ByAdapter<Run>[]>
  readonly scenarios: ReadonlyMap<string, readonly ByScenario<Run>[]>
}

export const scenarioKey = ({ className, args }: ObjectSpec): string => `${className} ${equalityKey(args)}`

const byAdapter = <Run extends TableRun>(
  runs: readonly Run[],
  keys: ReadonlyMap<Run, string>,
): ByAdapter<Run>[] =>
  [...groupBy(runs, (run) => keys.get(run) ?? '').values()].flatMap((same) => {
    const first = same[0]
    return first === undefined ? [] : [{ adapter: first.adapter, runs: same }]
  })

export const groupRuns = <Run extends TableRun>(runs: readonly Run[]): Grouping<Run> => {
  const keys = new Map(runs.map((run) => [run, adapterKey(run.adapter)]))
  const byGroup = new Map<string, Run[]>()
  for (const run of runs) {
    for (const group of run.groups) {
      const found = byGroup.get(group)
      if (found === undefined) byGroup.set(group, [run])
      else found.push(run)
    }
  }
  const scenarios = (members: readonly Run[]): ByScenario<Run>[] =>
    [...groupBy(members, (run) => scenarioKey(run.scenario)).values()].flatMap((same) => {
      const first = same[0]
      return first === undefined ? [] : [{ scenario: first.scenario, adapters: byAdapter(same, keys) }]
    })
  return {
    runs,
    adapters: new Map([...byGroup].map(([group, members]) => [group, byAdapter(members, keys)])),
    scenarios: new Map([...byGroup].map(([group, members]) => [group, scenarios(members)])),
  }
}

/** Whether a run shows in the tables of `group`: its groups may hide it (HELM.md T23). */
const isVisible = (run: TableRun, group: RunGroup, index: SchemaIndex): boolean => {
  let visible = group.visibility !== 'this_group_only'
  for (const name of run.groups) {
    const visibility = index.runGroups.get(name)?.visibility
    if (visibility === 'no_groups') return false
    if (visibility !== 'this_group_only') continue
    if (name === group.name) return true
    visible = false
  }
  return visible
}

export const visibleRuns = <Run extends TableRun>(
  runs: readonly Run[],
  group: RunGroup,
  index: SchemaIndex,
): readonly Run[] => runs.filter((run) => isVisible(run, group, index))
