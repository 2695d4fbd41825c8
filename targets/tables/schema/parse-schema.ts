import { z } from 'zod'
import type { YamlDocument } from '../../../cache/problems/yaml-document.ts'
import { camelCase } from '../../../benchmarks/scenario/adapter-spec.ts'
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

type Named<Key> = Key extends `${infer Word}_${infer Words}` ? `${Word}${Capitalize<Named<Words>>}` : Key
type Present<T> = { readonly [K in keyof T as Named<K & string>]?: NonNullable<T[K]> }

/** The object's fields by our names, without those that are null or undefined. */
const present = <T extends object>(raw: T): Present<T> =>
  Object.fromEntries(
    Object.entries(raw).flatMap(([key, value]) => (value == null ? [] : [[camelCase(key), value]])),
  ) as Present<T>

const field = <T extends { readonly name: string }>(raw: T): Present<Omit<T, 'name'>> & SchemaField => ({
  ...present(raw),
  name: raw.name,
})

const metricGroup = ({ metrics, ...raw }: ParsedMetricGroup): MetricGroup => ({
  ...field(raw),
  metrics: (metrics ?? []).map((matcher) => ({ ...field(matcher), split: matcher.split })),
})

const runGroup = ({ environment, taxonomy, ...raw }: ParsedRunGroup): RunGroup => ({
  ...RUN_GROUP_DEFAULTS,
  ...field(raw),
  ...(taxonomy && { taxonomy: present(taxonomy) }),
  environment: new Map(Object.entries(environment ?? {})),
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
