import type { TableRun } from './run.ts'
import type { RunGroup, SchemaIndex } from './schema/schema.ts'

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
