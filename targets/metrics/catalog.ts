import type { MetricCatalog, MetricSet } from '../../benchmarks/scenario/metric-catalog.ts'
import type { MetricSpec, ObjectSpec } from '../../benchmarks/scenario/benchmark.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { basicGeneration } from './basic-generation.ts'
import { billingCodes } from './billing-codes.ts'
import { codeMetric } from './code/code-metric.ts'
import { ehrSql } from './ehr-sql.ts'
import { healthBench } from './health-bench.ts'
import { llmJury } from './llm-jury.ts'
import { medcalcBench } from './medcalc-bench.ts'
import { medec } from './medec.ts'
import { metricObject, type BuiltInMetric, type Metric, LEADS, type Lead } from './metric.ts'
import { sctBench } from './sct-bench.ts'
import { summarization } from './summarization.ts'
import { leadingMeasure, toldMeasures } from '../../benchmarks/user-code/metric-spec.ts'
import type { Measure } from '../../benchmarks/scenario/metric-code.ts'
import { NOT_COMPUTED } from './scoring/reference-scores.ts'
import { basicReference } from './basic-reference.ts'
import { instancesPerSplit } from './instances-per-split.ts'

/** All of ours: what else is said of one stands in its own file. */
export const BUILT_IN: readonly BuiltInMetric[] = [
  basicGeneration,
  basicReference,
  instancesPerSplit,
  llmJury,
  summarization,
  medcalcBench,
  medec,
  ehrSql,
  sctBench,
  healthBench,
  billingCodes,
]

/** Ids that `MetricSpec.metric` may name. */
export const METRIC_IDS: readonly string[] = BUILT_IN.map(({ id }) => id)

/** The metric behind a run's metric object. @throws ProblemError `targets/unknown-metric` */
export const metricFor = ({ metric, code }: Pick<MetricSpec, 'metric' | 'code'>): Metric =>
  code === undefined ? metricOf(metric) : codeMetric(code)

/** The built-in metric of that id. @throws ProblemError `targets/unknown-metric` */
export const metricOf = (id: string): BuiltInMetric => {
  const found = BUILT_IN.find((metric) => metric.id === id)
  if (found !== undefined) return found
  throw new ProblemError({
    code: 'targets/unknown-metric',
    message: `there is no metric ${JSON.stringify(id)}`,
    where: { field: 'metrics' },
    remedy: `${suggestion(id, METRIC_IDS)}Known are ${METRIC_IDS.join(', ')}.`,
  })
}

const classOf = (className: string): string => className.slice(className.lastIndexOf('.') + 1)

/** The built-in metric of HELM's class, in whatever module a release of HELM has it. */
export const metricOfClass = (className: string): BuiltInMetric | undefined =>
  BUILT_IN.find((metric) => classOf(metric.className) === classOf(className))

const setsOf = (metric: BuiltInMetric): readonly MetricSet[] =>
  metric.sets ?? [{ name: metric.id, specs: () => [metricObject(metric)] }]

/** What declarations may ask for. */
export const METRIC_CATALOG: MetricCatalog = { sets: BUILT_IN.flatMap(setsOf) }

/** All that a metric object gives; of a workspace's metric what its run_spec.json tells, of an unknown class nothing. */
export const measuresOf = (spec: ObjectSpec): readonly Measure[] => {
  const metric = metricOfClass(spec.className)
  return metric === undefined ? toldMeasures(spec) : (metric.given?.(spec.args) ?? metric.measures)
}

/** What HELM's generated schemas describe of it. */
export const helmMeasures = (spec: ObjectSpec): readonly Measure[] =>
  metricOfClass(spec.className)?.described ?? measuresOf(spec).filter(({ unlisted }) => unlisted !== true)

/** What is said of a stat: by the run's metric objects, else by any of ours that has one of that name. */
export const measureNamed = (name: string, specs: readonly ObjectSpec[]): Measure | undefined =>
  named(name, specs.flatMap(measuresOf)) ?? named(name, BUILT_IN.flatMap(allOf))

/** Whether any of a run's metric objects, or we beside it, give a value of that name. */
export const isGiven = (name: string, specs: readonly ObjectSpec[]): boolean =>
  named(
    name,
    specs.flatMap((spec) => [...measuresOf(spec), ...(metricOfClass(spec.className)?.own ?? [])]),
  ) !== undefined

/** Measures of whole texts, as HELM names them, also those that only others compute. */
export const textMeasures = (): readonly string[] => [
  ...BUILT_IN.flatMap(allOf).flatMap(({ name, ofTexts }) => (ofTexts === true ? [name] : [])),
  ...NOT_COMPUTED,
]

const allOf = ({ measures, own = [] }: BuiltInMetric): readonly Measure[] => [...measures, ...own]

/** `name@5` is the best of five answers: the same measure. */
const named = (name: string, measures: readonly Measure[]): Measure | undefined =>
  measures.find((measure) => measure.name === name) ??
  measures.find((measure) => measure.name === name.replace(/@\d+$/, ''))

/** The measure that leads a run where no declaration says which does. */
export const leadOf = (specs: readonly ObjectSpec[]): string | undefined =>
  leadsOf(specs).toSorted((a, b) => LEADS.indexOf(a.as) - LEADS.indexOf(b.as))[0]?.name

/** What each metric object would lead with, in their order. */
export const leadsOf = (
  specs: readonly ObjectSpec[],
): readonly { readonly as: Lead['as']; readonly name: string }[] =>
  specs.flatMap((spec) => {
    const metric = metricOfClass(spec.className)
    const name = metric === undefined ? leadingMeasure(spec) : metric.lead?.name(spec.args)
    return name === undefined ? [] : [{ as: metric?.lead?.as ?? 'made for the benchmark', name }]
  })
