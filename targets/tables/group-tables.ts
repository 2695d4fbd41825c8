import { expand } from './schema/expand.ts'
import type { TableContext } from './group-table.ts'
import type { Grouping } from './grouped-runs.ts'
import type { RunGroup } from './schema/schema.ts'
import type { HelmTable } from './table.ts'
import { tablesByMetric } from './tables-by-metric.ts'
import { tablesBySubgroup } from './tables-by-subgroup.ts'

/** All tables of a run group, in HELM's order (HELM.md T23). */
export const groupTables = (
  group: RunGroup,
  grouped: Grouping,
  context: TableContext,
): readonly HelmTable[] =>
  group.subgroupDisplayMode === 'by_group' || expand(group, context.index).length === 1
    ? tablesBySubgroup(group, grouped, context)
    : tablesByMetric(group, grouped, context)
