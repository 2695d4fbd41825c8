import { str } from '../../benchmarks/python/numbers/number.ts'
import type { ObjectSpec } from '../../benchmarks/scenario/benchmark.ts'
import { expand } from './schema/expand.ts'
import { buildTable, coarsen, type TableContext, type TableRequest } from './group-table.ts'
import { scenarioKey, visibleRuns, type ByAdapter, type Grouping } from './grouped-runs.ts'
import type { RunGroup } from './schema/schema.ts'
import type { HelmTable } from './table.ts'

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
