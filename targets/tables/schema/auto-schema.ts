import { equalityKey, type TableRun } from '../table.ts'
import { defined } from '../../../cache/values/defined.ts'
import {
  RUN_GROUP_DEFAULTS,
  type MetricGroup,
  type RunGroup,
  type Schema,
  type GroupTaxonomy,
  type SchemaField,
} from './schema.ts'
import type { ObjectSpec } from '../../../benchmarks/scenario/benchmark.ts'
import type { Measure } from '../../../benchmarks/scenario/metric-code.ts'
import { helmMeasures, measuresOf } from '../../metrics/catalog.ts'

/** What a generated schema says of a scenario; its name is the run group's. */
export interface ScenarioMetadata {
  readonly name: string
  readonly displayName?: string
  readonly shortDisplayName?: string
  readonly description?: string
  readonly taxonomy?: GroupTaxonomy
  readonly mainMetric: string
  readonly mainSplit: string
}

const SPLIT = '${main_split}'

const MAIN_METRIC: MetricGroup = {
  name: 'main_metric',
  displayName: 'Main Metric',
  description: 'Main Metric',
  metrics: [{ name: '${main_name}', split: SPLIT }],
}

const distinct = <T>(items: readonly T[], key: (item: T) => string): readonly T[] => {
  const found = new Map<string, T>()
  for (const item of items) if (!found.has(key(item))) found.set(key(item), item)
  return [...found.values()]
}

/** Metadata of the metrics that the runs have values of, in the order of the runs' metric objects. */
const metricsOf = (
  runs: readonly TableRun[],
  scenarios: readonly ScenarioMetadata[],
  helmExact: boolean,
): readonly MetricMetadata[] => {
  const specs = distinct(
    runs.flatMap((run) => run.metrics),
    ({ className, args }) => `${className} ${equalityKey(args)}`,
  )
  const present = new Set(runs.flatMap((run) => run.stats.map(({ name }) => name.name)))
  const described = specs.flatMap((spec) => metricMetadata(spec, { helmExact }))
  // Without an entry a main metric would silently lose its column; where nothing was measured that column is empty.
  const main = helmExact ? [] : scenarios.map(({ mainMetric }): MetricMetadata => ({ name: mainMetric }))
  const kept = new Set([...present, ...main.map(({ name }) => name)])
  return distinct([...described, ...main], ({ name }) => name).filter(({ name }) => kept.has(name))
}

const capitalized = (name: string): string => {
  const words = name.replaceAll('_', ' ').toLowerCase()
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

const metricGroupsOf = (metrics: readonly MetricMetadata[]): readonly MetricGroup[] => {
  const names = new Set(metrics.flatMap(({ group }) => group ?? []))
  return [...names].map((name) => ({
    name,
    displayName: capitalized(name),
    description: capitalized(name),
    metrics: metrics
      .filter(({ group }) => group === name)
      .map((metric) => ({ name: metric.name, split: SPLIT })),
    aggregationStrategies: [],
  }))
}

const leaf = (scenario: ScenarioMetadata, metricGroups: readonly MetricGroup[]): RunGroup => {
  const { mainMetric, mainSplit, ...described } = scenario
  return {
    ...RUN_GROUP_DEFAULTS,
    ...described,
    metricGroups: metricGroups.map(({ name }) => name),
    environment: new Map([
      ['main_name', mainMetric],
      ['main_split', mainSplit],
    ]),
  }
}

const isLeaf = ({ subgroups }: RunGroup): boolean => subgroups.length === 0

/** Whether a schema leaves more to the runs than a group of all: metrics, or the leaves. */
export const needsScenarios = ({ metrics, runGroups }: Schema): boolean =>
  metrics.length === 0 || !runGroups.some(isLeaf)

/**
 * A schema with what it lacks made from the runs (HELM.md T25): metrics, and with them metric groups; one leaf a
 * scenario whose name is a run's group; a group of all. HELM orders its own by Python's set order; here everything
 * follows the order of the runs. `helmExact` leaves out, as HELM does, metrics that its metadata does not name.
 */
export const completeSchema = (
  given: Schema,
  runs: readonly TableRun[],
  scenarios: readonly ScenarioMetadata[],
  options: { readonly helmExact: boolean },
): Schema => {
  const groups = new Set(runs.flatMap((run) => run.groups))
  const shown = distinct(scenarios, ({ name }) => name).filter(({ name }) => groups.has(name))
  const saysMetrics = given.metrics.length > 0
  const metrics = saysMetrics ? given.metrics : metricsOf(runs, shown, options.helmExact)
  const saysGroups = saysMetrics || given.metricGroups.length > 0
  const metricGroups = saysGroups ? given.metricGroups : [MAIN_METRIC, ...metricGroupsOf(metrics)]
  const leaves = given.runGroups.some(isLeaf) ? [] : shown.map((scenario) => leaf(scenario, metricGroups))
  const runGroups = [...given.runGroups, ...leaves]
  const isGrouped = runGroups.some((group) => !isLeaf(group) || group.name === ALL)
  return {
    ...given,
    metrics,
    metricGroups,
    runGroups: isGrouped ? runGroups : [groupOfAll(runGroups), ...runGroups],
  }
}

const ALL = 'all_scenarios'

const groupOfAll = (leaves: readonly RunGroup[]): RunGroup => ({
  ...RUN_GROUP_DEFAULTS,
  name: ALL,
  displayName: 'All Scenarios',
  description: 'All scenarios',
  category: 'Scenario Groups',
  subgroups: leaves.map(({ name }) => name),
})

/** How a generated schema shows a metric, and in which metric group, if any. */
interface MetricMetadata extends SchemaField {
  readonly group?: string
}

/** Metadata of the metrics that one metric object yields, in HELM's order. Unknown classes have none. */
const metricMetadata = (
  spec: ObjectSpec,
  options: { readonly helmExact: boolean },
): readonly MetricMetadata[] => (options.helmExact ? helmMeasures(spec) : measuresOf(spec)).map(metadataOf)

const metadataOf = ({
  name,
  displayName,
  shortDisplayName,
  description,
  better,
  group,
}: Measure): MetricMetadata =>
  defined({
    name,
    displayName,
    shortDisplayName,
    description,
    ...(better === 'neither' ? {} : { lowerIsBetter: better === 'lower' }),
    group,
  })
