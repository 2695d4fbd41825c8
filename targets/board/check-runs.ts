import { ProblemError, type Problem } from '../../cache/problems/problem.ts'
import { substitute } from '../tables/schema/matcher.ts'
import type { TableRun } from '../tables/table.ts'
import type { MetricMatcher, RunGroup, SchemaIndex } from '../tables/schema/schema.ts'

/** What is wrong with one metric name that a group makes from its variables. */
const checkName = (template: MetricMatcher, group: RunGroup, index: SchemaIndex): readonly Problem[] => {
  try {
    const { name } = substitute(template, group)
    if (index.metrics.has(name)) return []
    return [
      {
        code: 'targets/undefined-metric',
        message: `Metric ${name} of run group ${group.name} is not in the schema’s metrics; its columns are left out.`,
        where: { field: `run_groups.${group.name}.environment` },
        remedy: `Add ${name} to metrics, or correct the name.`,
      },
    ]
  } catch (error) {
    if (error instanceof ProblemError) return error.problems
    throw error
  }
}

/** Metrics that groups ask for by their variables and the schema does not define. */
const undefinedMetrics = (index: SchemaIndex): readonly Problem[] =>
  index.schema.runGroups.flatMap((group) => {
    const matchers = group.metricGroups.flatMap((name) => index.metricGroups.get(name)?.metrics ?? [])
    const templates = new Map(matchers.map((matcher) => [matcher.name, matcher]))
    return [...templates.values()]
      .filter(({ name }) => name.includes('${'))
      .flatMap((template) => checkName(template, group, index))
  })

/** Runs none of whose groups the schema defines: they count in no table. */
const homelessRuns = (runs: readonly TableRun[], index: SchemaIndex): readonly Problem[] =>
  runs
    .filter((run) => !run.groups.some((group) => index.runGroups.has(group)))
    .map((run) => ({
      code: 'targets/run-in-no-group',
      message: `Run ${run.name} is in no table: the schema has none of its groups (${run.groups.join(', ')}).`,
      where: { field: 'run_groups' },
      remedy: 'Add one of its groups to the schema’s run_groups.',
    }))

/** What of the runs a schema does not show although it was meant to. */
export const checkRuns = (runs: readonly TableRun[], index: SchemaIndex): readonly Problem[] => [
  ...undefinedMetrics(index),
  ...homelessRuns(runs, index),
]
