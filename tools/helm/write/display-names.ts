import { substitute } from '../../../targets/tables/schema/matcher.ts'
import type { TableRun } from '../../../targets/tables/run.ts'
import type { SchemaIndex } from '../../../targets/tables/schema/schema.ts'

/** Metrics that a run's page shows: those of unperturbed columns of its groups (HELM.md F5). */
export const displayedMetrics = (run: TableRun, index: SchemaIndex): ReadonlySet<string> => {
  const groups = run.groups.flatMap((name) => index.runGroups.get(name) ?? [])
  return new Set(
    groups.flatMap((group) =>
      group.metricGroups
        .flatMap((name) => index.metricGroups.get(name)?.metrics ?? [])
        .map((matcher) => substitute(matcher, group))
        .flatMap(({ name, perturbationName }) => (perturbationName === undefined ? [name] : [])),
    ),
  )
}
