import { z } from 'zod'
import type { YamlDocument } from '../../../cache/problems/yaml-document.ts'
import { checkDocument } from '../../../cache/problems/zod-problems.ts'
import {
  RUN_GROUP_DEFAULTS,
  type MetricGroup,
  type RunGroup,
  type Schema,
  type SchemaField,
} from './schema.ts'

const text = z.string().nullish()
const texts = z.array(z.string()).nullish()

const fieldShape = {
  name: z.string(),
  display_name: text,
  short_display_name: text,
  description: text,
  lower_is_better: z.boolean().nullish(),
}

const matcherShape = z.object({
  name: z.string(),
  split: z.string(),
  sub_split: text,
  perturbation_name: text,
})

const schemaShape = z.object({
  metrics: z.array(z.object(fieldShape)).nullish(),
  perturbations: z.array(z.object(fieldShape)).nullish(),
  metric_groups: z
    .array(
      z.object({
        ...fieldShape,
        metrics: z.array(matcherShape).nullish(),
        hide_win_rates: z.boolean().nullish(),
        aggregation_strategies: z.array(z.enum(['win_rate', 'mean'])).nullish(),
      }),
    )
    .nullish(),
  run_groups: z
    .array(
      z.object({
        ...fieldShape,
        metric_groups: texts,
        subgroups: texts,
        sub_splits: texts,
        subgroup_display_mode: z.enum(['by_metric', 'by_group']).nullish(),
        subgroup_metric_groups_hidden: texts,
        environment: z.record(z.string(), z.string()).nullish(),
        category: text,
        visibility: z.enum(['all_groups', 'this_group_only', 'no_groups']).nullish(),
        taxonomy: z.object({ task: text, what: text, when: text, who: text, language: text }).nullish(),
        todo: z.boolean().nullish(),
        adapter_keys_shown: texts,
        short_description: text,
      }),
    )
    .nullish(),
})

type Parsed = z.infer<typeof schemaShape>
type ParsedRunGroup = NonNullable<Parsed['run_groups']>[number]
type ParsedMetricGroup = NonNullable<Parsed['metric_groups']>[number]

/** The object without its null and undefined fields. */
const present = <T extends object>(value: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null && item !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }

const field = (raw: z.infer<z.ZodObject<typeof fieldShape>>): SchemaField => ({
  name: raw.name,
  ...present({
    displayName: raw.display_name,
    shortDisplayName: raw.short_display_name,
    description: raw.description,
    lowerIsBetter: raw.lower_is_better,
  }),
})

const metricGroup = (raw: ParsedMetricGroup): MetricGroup => ({
  ...field(raw),
  metrics: (raw.metrics ?? []).map(({ name, split, sub_split, perturbation_name }) => ({
    name,
    split,
    ...present({ subSplit: sub_split, perturbationName: perturbation_name }),
  })),
  ...present({ hideWinRates: raw.hide_win_rates, aggregationStrategies: raw.aggregation_strategies }),
})

const runGroup = (raw: ParsedRunGroup): RunGroup => ({
  ...RUN_GROUP_DEFAULTS,
  ...field(raw),
  ...present({
    metricGroups: raw.metric_groups,
    subgroups: raw.subgroups,
    subSplits: raw.sub_splits,
    subgroupDisplayMode: raw.subgroup_display_mode,
    subgroupMetricGroupsHidden: raw.subgroup_metric_groups_hidden,
    category: raw.category,
    visibility: raw.visibility,
    taxonomy: raw.taxonomy ? present(raw.taxonomy) : undefined,
    todo: raw.todo,
    adapterKeysShown: raw.adapter_keys_shown,
    shortDescription: raw.short_description,
  }),
  environment: new Map(Object.entries(raw.environment ?? {})),
})

/**
 * A schema as read from YAML or JSON. Keys that HELM does not know are passed over, as HELM does.
 * @throws ProblemError `targets/missing-key`, `targets/bad-value`, one problem a fault
 */
export const parseSchema = (document: YamlDocument): Schema => {
  const parsed = checkDocument(schemaShape, document, 'targets')
  const { metrics, perturbations, metric_groups: metricGroups, run_groups: runGroups } = parsed
  return {
    metrics: (metrics ?? []).map(field),
    perturbations: (perturbations ?? []).map(field),
    metricGroups: (metricGroups ?? []).map(metricGroup),
    runGroups: (runGroups ?? []).map(runGroup),
  }
}
