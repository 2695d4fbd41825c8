import { expand } from './schema/expand.ts'
import { type TableContext, buildTable, coarsen } from './group-table.ts'
import { visibleRuns, type Grouping } from './grouped-runs.ts'
import {
  type RunGroup,
  shortName,
  type AggregationStrategy,
  type MetricGroup,
  type SchemaIndex,
} from './schema/schema.ts'
import type { HelmTable } from './table.ts'
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

/** The metric groups that a group's tables show: its own, or what its sub-groups have. */
const shownMetricGroups = (
  group: RunGroup,
  subgroups: readonly RunGroup[],
  index: SchemaIndex,
): readonly MetricGroup[] => {
  const all = new Set(subgroups.flatMap((subgroup) => subgroup.metricGroups))
  const names =
    group.metricGroups.length > 0
      ? group.metricGroups
      : [...all].filter(
          (name) => !all.has(`${name}_detailed`) && !group.subgroupMetricGroupsHidden.includes(name),
        )
  return names.flatMap((name) => index.metricGroups.get(name) ?? [])
}

const aggregation = (group: MetricGroup): readonly AggregationStrategy[] =>
  group.aggregationStrategies ?? (group.hideWinRates === true ? [] : ['win_rate'])

/** One table a metric group, a column for every sub-group: what HELM builds for groups of groups (HELM.md T23). */
const tablesByMetric = (group: RunGroup, grouped: Grouping, context: TableContext): readonly HelmTable[] => {
  const { index } = context
  const subgroups = expand(group, index)
  const adapters = subgroups.flatMap((subgroup) =>
    (grouped.adapters.get(subgroup.name) ?? []).flatMap(({ adapter, runs }) => {
      const visible = visibleRuns(runs, group, index)
      return visible.length === 0 ? [] : [{ adapter, runs: visible }]
    }),
  )
  if (adapters.length === 0) return []
  const rows = coarsen(adapters, group.adapterKeysShown)
  return shownMetricGroups(group, subgroups, index)
    .map((metricGroup) =>
      buildTable(
        {
          name: metricGroup.name,
          title: shortName(metricGroup),
          group,
          rows,
          columns: subgroups.map((subgroup) => ({ group: subgroup, metricGroup })),
          aggregation: aggregation(metricGroup),
          isScenarioTable: false,
        },
        context,
      ),
    )
    .filter((table) => table.header.length > 1)
}
