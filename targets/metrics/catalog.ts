import type { MetricSpec } from '../../benchmarks/scenario/benchmark.ts'
import { suggestion } from '../../cache/did-you-mean.ts'
import { ProblemError } from '../../cache/problem.ts'
import { basicGeneration } from './basic-generation.ts'
import { basicReference } from './basic-reference.ts'
import { instancesPerSplit } from './instances-per-split.ts'
import { llmJury } from './llm-jury.ts'
import type { Metric } from './metric.ts'

type Loader = () => Metric | Promise<Metric>

/** Metrics of one benchmark, and those with data of their own, are loaded when a run first asks for them. */
const LOADERS: ReadonlyMap<string, Loader> = new Map<string, Loader>([
  ['basic_generation', () => basicGeneration],
  ['basic_reference', () => basicReference],
  ['instances_per_split', () => instancesPerSplit],
  ['llm_jury', () => llmJury],
  ['summarization', async () => (await import('./summarization.ts')).summarization],
  ['medcalc_bench', async () => (await import('./medcalc-bench.ts')).medcalcBench],
  ['medec', async () => (await import('./medec.ts')).medec],
  ['ehr_sql', async () => (await import('./ehr-sql.ts')).ehrSql],
  ['sct_bench', async () => (await import('./sct-bench.ts')).sctBench],
  ['mimiciv_billing_code', async () => (await import('./billing-codes.ts')).billingCodes],
])

/** Ids that `MetricSpec.metric` may name. */
export const METRIC_IDS: readonly string[] = [...LOADERS.keys()]

/** The metric behind a run's metric object. @throws ProblemError `targets/unknown-metric` */
export const metricFor = async ({ metric, code }: Pick<MetricSpec, 'metric' | 'code'>): Promise<Metric> =>
  code === undefined ? metricOf(metric) : (await import('./code-metric.ts')).codeMetric(code)

/** The built-in metric of that id. @throws ProblemError `targets/unknown-metric` */
export const metricOf = async (id: string): Promise<Metric> => {
  const load = LOADERS.get(id)
  if (load !== undefined) return load()
  throw new ProblemError({
    code: 'targets/unknown-metric',
    message: `there is no metric ${JSON.stringify(id)}`,
    where: { field: 'metrics' },
    remedy: `${suggestion(id, METRIC_IDS)}Known are ${METRIC_IDS.join(', ')}.`,
  })
}
