import { float } from '../../benchmarks/python/numbers/number.ts'
import { defined } from '../../cache/values/defined.ts'
import { groupBy } from '../../cache/lists.ts'
import { expand } from './schema/expand.ts'
import { quote } from './group-table.ts'
import { visibleRuns, type Grouping } from './grouped-runs.ts'
import type { TableRun, Cell, HeaderCell, HelmTable } from './table.ts'
import type { RunGroup, SchemaIndex } from './schema/schema.ts'
import { bareText, meanOf, merge, type Merged } from './cells/trial-stat.ts'

const HEADER: readonly HeaderCell[] = [
  ['Group'],
  ['Description'],
  ['Adaptation method', 'Adaptation strategy (e.g., generation)'],
  ['# instances', 'Number of instances evaluated on'],
  ['# references', 'Number of references provided per instance'],
  ['# prompt tokens', 'Total number of prompt tokens'],
  ['# completion tokens', 'Total number of completion tokens'],
  ['# models', "Number of models we're evaluating"],
].map(([value = '', description]) =>
  defined({ value, description, markdown: false, metadata: new Map<string, string>() }),
)

/** All stats of one name, worst cases and all splits included, as HELM counts them (HELM.md T24). */
const total = (runs: readonly TableRun[], name: string): Merged | undefined => {
  const stats = runs.flatMap((run) => run.stats.filter((stat) => stat.name.name === name))
  return stats.length === 0 ? undefined : merge(stats)
}

const countCell = (merged: Merged | undefined, value: (merged: Merged) => number | undefined): Cell => {
  if (merged === undefined) return { markdown: false }
  const shown = value(merged)
  return {
    ...(shown === undefined ? {} : { value: float(shown) }),
    description: bareText(merged),
    markdown: false,
  }
}

const row = (group: RunGroup, grouped: Grouping, index: SchemaIndex): readonly Cell[] => {
  const found = expand(group, index).map((subgroup) => ({
    subgroup,
    adapters: grouped.adapters.get(subgroup.name) ?? [],
  }))
  // Unlike in tables, each sub-group decides for itself which of its runs count.
  const runs = found.flatMap(({ subgroup, adapters }) =>
    adapters.flatMap((entry) => visibleRuns(entry.runs, subgroup, index)),
  )
  const adapters = found.flatMap((entry) => entry.adapters)
  const methods = new Set(adapters.map(({ adapter }) => adapter.method))
  const deployments = new Set(adapters.map(({ adapter }) => adapter.modelDeployment))
  return [
    defined({ value: group.displayName, href: `?group=${quote(group.name)}`, markdown: false }),
    { ...(group.description === undefined ? {} : { value: group.description }), markdown: true },
    { value: [...methods].join(', '), markdown: false },
    countCell(total(runs, 'num_instances'), meanOf),
    countCell(total(runs, 'num_references'), meanOf),
    countCell(total(runs, 'num_prompt_tokens'), ({ sum }) => sum),
    countCell(total(runs, 'num_completion_tokens'), ({ sum }) => sum),
    { value: deployments.size, markdown: false },
  ]
}

/** One table a category: every run group and how much was run for it (HELM.md T24). */
export const groupsIndex = (grouped: Grouping, index: SchemaIndex): readonly HelmTable[] => {
  const categories = groupBy(index.schema.runGroups, ({ category }) => category)
  return [...categories].map(([title, groups]) => ({
    title,
    header: HEADER,
    rows: groups.map((group) => row(group, grouped, index)),
    links: [],
  }))
}
