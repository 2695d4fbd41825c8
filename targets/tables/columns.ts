import { substitute } from './schema/matcher.ts'
import {
  shortName,
  type MetricGroup,
  type MetricMatcher,
  type RunGroup,
  type SchemaField,
  type SchemaIndex,
} from './schema/schema.ts'
import type { HeaderCell } from './table.ts'

/** What a table is asked to show: one metric group of one run group. */
export interface ColumnRequest {
  readonly group: RunGroup
  readonly metricGroup: MetricGroup
}

export interface Column {
  readonly group: RunGroup
  readonly matcher: MetricMatcher
  readonly header: HeaderCell
}

const named = (field: SchemaField): string => field.displayName || field.name

const header = (
  group: RunGroup,
  metric: SchemaField,
  perturbation: SchemaField | undefined,
  withGroup: boolean,
): HeaderCell => {
  const short = shortName(metric)
  const suffix = perturbation === undefined ? '' : ` (${shortName(perturbation)})`
  const about = group.shortDescription || group.description
  const description =
    (about ? `${about}\n\n` : '') +
    `${named(metric)}: ${metric.description ?? ''}` +
    (perturbation === undefined
      ? ''
      : `\n- Perturbation ${named(perturbation)}: ${perturbation.description || '???'}`)
  return {
    value: (withGroup ? `${shortName(group)} - ` : '') + short + suffix,
    description,
    markdown: false,
    ...(metric.lowerIsBetter === undefined ? {} : { lowerIsBetter: metric.lowerIsBetter }),
    metadata: new Map([
      ['metric', short],
      ['run_group', shortName(group)],
      ...(perturbation === undefined ? [] : ([['perturbation', shortName(perturbation)]] as const)),
    ]),
  }
}

/**
 * Columns of a table (HELM.md T23). A group shows a `…_detailed` metric group only where it lists the plain one;
 * metrics and perturbations that the schema does not define are left out: checkSchema and undefinedMetrics name them.
 */
export const buildColumns = (requests: readonly ColumnRequest[], index: SchemaIndex): readonly Column[] => {
  const withGroup = new Set(requests.map(({ group }) => group.name)).size > 1
  return requests.flatMap(({ group, metricGroup }) => {
    if (!group.metricGroups.includes(metricGroup.name.replaceAll('_detailed', ''))) return []
    return metricGroup.metrics.flatMap((template): Column[] => {
      const matcher = substitute(template, group)
      const metric = index.metrics.get(matcher.name)
      const perturbation = index.perturbations.get(matcher.perturbationName ?? '')
      if (metric === undefined) return []
      if (matcher.perturbationName !== undefined && perturbation === undefined) return []
      return [{ group, matcher, header: header(group, metric, perturbation, withGroup) }]
    })
  })
}
