import type { MetricCatalog, MetricSet } from '../../benchmarks/scenario/metric-catalog.ts'
import type { MetricSpec } from '../../benchmarks/scenario/benchmark.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { basicGeneration } from './basic-generation.ts'
import { basicReference } from './basic-reference.ts'
import { billingCodes } from './billing-codes.ts'
import { codeMetric } from './code/code-metric.ts'
import { ehrSql } from './ehr-sql.ts'
import { healthBench } from './health-bench.ts'
import { instancesPerSplit } from './instances-per-split.ts'
import { llmJury } from './llm-jury.ts'
import { medcalcBench } from './medcalc-bench.ts'
import { medec } from './medec.ts'
import { metricObject, type BuiltInMetric, type Metric } from './metric.ts'
import { sctBench } from './sct-bench.ts'
import { summarization } from './summarization.ts'

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
