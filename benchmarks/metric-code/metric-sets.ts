import { float } from '../python/float.ts'
import type { PyValue } from '../python/value.ts'
import type { MetricSpec } from '../scenario/benchmark.ts'

/** What a metric set may need to know of its benchmark. */
export interface MetricContext {
  /** `task` of SummarizationMetric. */
  readonly task: string
  /** HELM's run_spec form of the judges. */
  readonly annotatorModels: ReadonlyMap<string, PyValue>
  readonly jury?: { readonly metric: string; readonly annotator: string; readonly defaultScore?: number }
}

const spec = (
  metric: string,
  className: string,
  args: Readonly<Record<string, PyValue>> = {},
): MetricSpec => ({
  metric,
  helm: { className: `helm.benchmark.metrics.${className}`, args: new Map(Object.entries(args)) },
})

const basicGeneration = (names: readonly string[]): MetricSpec =>
  spec('basic_generation', 'basic_metrics.BasicGenerationMetric', { names })
const basicReference = spec('basic_reference', 'basic_metrics.BasicReferenceMetric')
const instancesPerSplit = spec('instances_per_split', 'basic_metrics.InstancesPerSplitMetric')

const MATCHES = ['exact_match', 'quasi_exact_match', 'prefix_exact_match', 'quasi_prefix_exact_match']

const llmJury = ({ jury, annotatorModels }: MetricContext): MetricSpec => {
  if (!jury) throw new TypeError('the metric llm_jury needs a jury')
  return spec('llm_jury', 'llm_jury_metrics.LLMJuryMetric', {
    metric_name: jury.metric,
    scenario_name: jury.annotator,
    annotator_models: annotatorModels,
    ...(jury.defaultScore === undefined ? {} : { default_score: float(jury.defaultScore) }),
  })
}

const summarization = (task: string): MetricSpec =>
  spec('summarization', 'summarization_metrics.SummarizationMetric', {
    task,
    // HELM writes `cuda` where it finds a GPU and then computes SummaC and BERTScore too.
    device: 'cpu',
    bertscore_model: 'distilbert-base-uncased',
    rescale_with_baseline: false,
  })

/** Names for the `metrics` section and HELM's metric specs behind each, in HELM's order (HELM.md B8). */
const SETS = {
  exact_match: () => [basicGeneration(MATCHES), basicReference, instancesPerSplit],
  basic: () => [basicGeneration([]), basicReference, instancesPerSplit],
  summarization: ({ task }: MetricContext) => [
    summarization(task),
    basicGeneration([]),
    basicReference,
    instancesPerSplit,
  ],
  llm_jury: (context: MetricContext) => [llmJury(context)],
  instances_per_split: () => [instancesPerSplit],
  medcalc_bench: () => [spec('medcalc_bench', 'medcalc_bench_metrics.MedCalcBenchMetric')],
  medec: () => [spec('medec', 'medec_metrics.MedecMetric')],
  ehr_sql: () => [spec('ehr_sql', 'ehr_sql_metrics.EhrSqlMetric')],
  sct_bench: () => [spec('sct_bench', 'sct_bench_metrics.SCTBenchMetric')],
  mimiciv_billing_code: () => [
    spec('mimiciv_billing_code', 'mimiciv_billing_code_metrics.MIMICIVBillingCodeMetric'),
  ],
} satisfies Readonly<Record<string, (context: MetricContext) => readonly MetricSpec[]>>

export type MetricSet = keyof typeof SETS
export const METRIC_SETS = Object.keys(SETS) as [MetricSet, ...MetricSet[]]

export const metricSpecs = (sets: readonly MetricSet[], context: MetricContext): readonly MetricSpec[] =>
  sets.flatMap((set) => SETS[set](context))
