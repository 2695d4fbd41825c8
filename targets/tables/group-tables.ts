import { expand } from './schema/expand.ts'
import { type TableContext, buildTable, coarsen, type TableRequest } from './group-table.ts'
import { visibleRuns, type Grouping, scenarioKey, type ByAdapter } from './grouped-runs.ts'
import {
  type RunGroup,
  shortName,
  type AggregationStrategy,
  type MetricGroup,
  type SchemaIndex,
} from './schema/schema.ts'
import type { HelmTable } from './table.ts'
import { str } from '../../benchmarks/python/numbers/number.ts'
import type { ObjectSpec } from '../../benchmarks/scenario/benchmark.ts'

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

/** A scenario's arguments for people: `subject: x, n: 2`. */
const argsText = ({ args }: ObjectSpec): string =>
  [...args].map(([key, value]) => `${key}: ${str(value)}`).join(', ')

/** Name of a scenario's table, also part of file names: `group_subject:x,n:2`. */
const tableName = (group: RunGroup, scenario: ObjectSpec): string =>
  `${group.name}_${argsText(scenario).replaceAll(' ', '').replaceAll('/', '_')}`

type Rows = readonly ByAdapter[]

/** A scenario's table, and one more for each sub-split that the sub-group shows. */
const scenarioTables = (
  group: RunGroup,
  shared: Pick<TableRequest, 'group' | 'columns' | 'aggregation'>,
  scenario: ObjectSpec,
  rows: Rows,
  context: TableContext,
): readonly HelmTable[] => {
  const subgroup = shared.group
  const display = str(subgroup.displayName ?? null)
  const name = tableName(subgroup, scenario)
  const title = (name.includes(group.name) ? '' : `${display} `) + argsText(scenario)
  const bySubSplit = (subSplit: string): TableRequest => ({
    ...shared,
    name: `${subgroup.name}:sub_split=${subSplit}`,
    title: `${display} (sub-split: ${subSplit})`,
    rows,
    isScenarioTable: false,
    subSplit,
  })
  return [
    buildTable({ ...shared, name, title, rows, isScenarioTable: true }, context),
    ...(subgroup.subSplits ?? []).map((subSplit) => buildTable(bySubSplit(subSplit), context)),
  ]
}

/** One table a scenario of every sub-group, before them one of all scenarios if there are several (HELM.md T23). */
export const tablesBySubgroup = (
  group: RunGroup,
  grouped: Grouping,
  context: TableContext,
): readonly HelmTable[] => {
  const { index } = context
  const rowsOf = (adapters: Rows): Rows =>
    coarsen(
      adapters.map(({ adapter, runs }) => ({ adapter, runs: visibleRuns(runs, group, index) })),
      group.adapterKeysShown,
    )
  const scenarios = grouped.scenarios.get(group.name) ?? []
  const own = new Map(scenarios.map(({ scenario, adapters }) => [scenarioKey(scenario), rowsOf(adapters)]))
  return expand(group, index).flatMap((subgroup) => {
    const metricGroups = subgroup.metricGroups.flatMap((name) => index.metricGroups.get(name) ?? [])
    const columns = metricGroups.map((metricGroup) => ({ group: subgroup, metricGroup }))
    const shared = { group: subgroup, columns, aggregation: [] }
    const shown = (grouped.scenarios.get(subgroup.name) ?? []).flatMap(({ scenario }) => {
      const rows = metricGroups.length === 0 ? undefined : own.get(scenarioKey(scenario))
      return rows === undefined ? [] : [{ scenario, rows }]
    })
    const tables = shown.flatMap(({ scenario, rows }) =>
      scenarioTables(group, shared, scenario, rows, context),
    )
    if (shown.length < 2) return tables
    const all: TableRequest = {
      ...shared,
      name: subgroup.name,
      title: str(subgroup.displayName ?? null),
      rows: rowsOf(grouped.adapters.get(subgroup.name) ?? []),
      isScenarioTable: false,
    }
    return [buildTable(all, context), ...tables]
  })
}
