import { join } from 'node:path'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { ObjectSpec } from '../../benchmarks/scenario/benchmark.ts'
import type { ScenarioMetadata } from '../../targets/tables/schema/auto-schema.ts'
import { readScenario } from './read-run.ts'
import { exists, type SummaryRun } from './read-suite.ts'
import { RUN_FILES } from './write/write-run.ts'

const CONFIGURABLE = 'MedHELMConfigurableScenario'

/** Main metric by metric class, where the class has one of its own. */
const MAIN_METRICS: ReadonlyMap<string, string> = new Map([
  ['MedCalcBenchMetric', 'medcalc_bench_accuracy'],
  ['MedecMetric', 'medec_error_flag_accuracy'],
  ['EhrSqlMetric', 'ehr_sql_execution_accuracy'],
  ['SCTBenchMetric', 'sct_score'],
  ['MIMICIVBillingCodeMetric', 'mimiciv_billing_code_f1'],
])

const className = (spec: ObjectSpec): string => spec.className.split('.').at(-1) ?? ''

const firstText = (value: PyValue | undefined): string | undefined => {
  const first: unknown = Array.isArray(value) ? value[0] : undefined
  return typeof first === 'string' ? first : undefined
}

/** The metric that a metric object stands for, if one stands out. */
const mainMetricOf = (spec: ObjectSpec): string | undefined => {
  const name = className(spec)
  const juryMetric = spec.args.get('metric_name')
  if (name === 'LLMJuryMetric' && typeof juryMetric === 'string') return juryMetric
  if (name === 'BasicGenerationMetric') return firstText(spec.args.get('names'))
  return name === 'SummarizationMetric' ? 'rouge_1' : MAIN_METRICS.get(name)
}

/**
 * A configurable benchmark's first metric is its main one. Of other benchmarks the jury's score is, then a metric made
 * for the benchmark, then the first string match.
 */
const mainMetric = (run: SummaryRun): string | undefined => {
  const named = run.metrics.flatMap((spec) => {
    const metric = mainMetricOf(spec)
    return metric === undefined ? [] : [{ name: className(spec), metric }]
  })
  if (className(run.scenario) === CONFIGURABLE) return named[0]?.metric
  const own =
    named.find(({ name }) => name === 'LLMJuryMetric') ?? named.find(({ name }) => MAIN_METRICS.has(name))
  return (own ?? named.find(({ name }) => name === 'BasicGenerationMetric') ?? named[0])?.metric
}

/**
 * What a run's own files say of its scenario, for a generated schema: no configuration file need still be there.
 * Undefined where the run has no scenario.json, no group or no metric to lead with.
 *
 * @param declared the main metric, where its declaration is at hand
 */
export const scenarioMetadata = async (
  run: SummaryRun,
  declared?: { readonly name: string; readonly split: string },
): Promise<ScenarioMetadata | undefined> => {
  const metric = declared?.name ?? mainMetric(run)
  const first = run.groups[0]
  if (metric === undefined || first === undefined || !(await exists(join(run.path, RUN_FILES.scenario))))
    return undefined
  const { name, description } = await readScenario(run.path)
  const group = run.groups.includes(name) ? name : first
  const split =
    declared?.split ??
    run.stats.find((stat) => stat.name.name === metric && stat.name.split !== undefined)?.name.split
  return {
    name: group,
    displayName: group,
    description,
    ...(className(run.scenario) === CONFIGURABLE
      ? { taxonomy: { task: '', what: '', when: '', who: '', language: '' } }
      : {}),
    mainMetric: metric,
    mainSplit: split ?? 'test',
  }
}

/** Whether HELM's own generated schema would show the scenario without being told of it. */
export const isConfigurable = (run: SummaryRun): boolean => className(run.scenario) === CONFIGURABLE
