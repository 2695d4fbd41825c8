import { expand } from './schema/expand.ts'
import type { TableContext } from './group-table.ts'
import type { GroupedRuns } from './grouped-runs.ts'
import type { RunGroup } from './schema/schema.ts'
import type { Table } from './table.ts'
import { tablesByMetric } from './tables-by-metric.ts'
import { tablesBySubgroup } from './tables-by-subgroup.ts'

/** All tables of a run group, in HELM's order (HELM.md T23). */
export const groupTables = (group: RunGroup, grouped: GroupedRuns, context: TableContext): readonly Table[] =>
  group.subgroupDisplayMode === 'by_group' || expand(group, context.index).length === 1
    ? tablesBySubgroup(group, grouped, context)
    : tablesByMetric(group, grouped, context)
