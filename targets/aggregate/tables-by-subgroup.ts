import { str } from '../../benchmarks/python/number.ts'
import type { ObjectSpec } from '../../benchmarks/scenario/benchmark.ts'
import { expand } from './expand.ts'
import { buildTable, coarsen, type TableContext, type TableRequest } from './group-table.ts'
import { scenarioKey, type AdapterRuns, type GroupedRuns } from './grouped-runs.ts'
import type { RunGroup } from './schema.ts'
import type { Table } from './table.ts'
import { visibleRuns } from './visible-runs.ts'

/** A scenario's arguments for people: `subject: x, n: 2`. */
const argsText = ({ args }: ObjectSpec): string =>
  [...args].map(([key, value]) => `${key}: ${str(value)}`).join(', ')

/** Name of a scenario's table, also part of file names: `group_subject:x,n:2`. */
const tableName = (group: RunGroup, scenario: ObjectSpec): string =>
  `${group.name}_${argsText(scenario).replaceAll(' ', '').replaceAll('/', '_')}`

/** One table a scenario of every sub-group, before them one of all scenarios if there are several (helm-core.md §5.4). */
export const tablesBySubgroup = (
  group: RunGroup,
  grouped: GroupedRuns,
  context: TableContext,
): readonly Table[] => {
  const { index } = context
  const rowsOf = (adapters: readonly AdapterRuns[]): readonly AdapterRuns[] =>
    coarsen(
      adapters.map(({ adapter, runs }) => ({ adapter, runs: visibleRuns(runs, group, index) })),
      group.adapterKeysShown,
    )
  const own = new Map(
    (grouped.scenarios.get(group.name) ?? []).map(({ scenario, adapters }) => [
      scenarioKey(scenario),
      adapters,
    ]),
  )
  return expand(group, index).flatMap((subgroup) => {
    const shared = {
      group: subgroup,
      columns: subgroup.metricGroups.flatMap((name) => {
        const metricGroup = index.metricGroups.get(name)
        return metricGroup === undefined ? [] : [{ group: subgroup, metricGroup }]
      }),
      aggregation: [],
    } satisfies Partial<TableRequest>
    const display = str(subgroup.displayName ?? null)
    const scenarios = grouped.scenarios.get(subgroup.name) ?? []
    const shown = scenarios.filter(({ scenario }) => own.has(scenarioKey(scenario)))
    const tables = shown.flatMap(({ scenario }): Table[] => {
      const rows = rowsOf(own.get(scenarioKey(scenario)) ?? [])
      const name = tableName(subgroup, scenario)
      const title = (name.includes(group.name) ? '' : `${display} `) + argsText(scenario)
      return [
        buildTable({ ...shared, name, title, rows, isScenarioTable: true }, context),
        ...(subgroup.subSplits ?? []).map((subSplit) =>
          buildTable(
            {
              ...shared,
              name: `${subgroup.name}:sub_split=${subSplit}`,
              title: `${display} (sub-split: ${subSplit})`,
              rows,
              isScenarioTable: false,
              subSplit,
            },
            context,
          ),
        ),
      ]
    })
    if (shown.length < 2) return tables
    const all = rowsOf(grouped.adapters.get(group.name) ?? [])
    return [
      buildTable(
        { ...shared, name: subgroup.name, title: display, rows: all, isScenarioTable: false },
        context,
      ),
      ...tables,
    ]
  })
}
