import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import { identityOf } from '../../models/clients/create-client.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import type { ModelRegistry } from '../../models/registry/registry.ts'
import { METRIC_IDS, metricFor, measureNamed, measuresOf } from '../metrics/catalog.ts'
import { ehrSql } from '../metrics/ehr-sql.ts'
import { OWN_METRICS } from '../metrics/llm-jury.ts'
import type { RunSpec, Target } from '../record/target.ts'

/**
 * Who is asked and who judges, of a run that gives numbers.
 *
 * @param bertScore identity of the encoder that BERTScore is computed with; undefined: it is not computed
 * @throws ProblemError for metrics that would give no number, or two of one name; for a judge that no deployment serves and
 * for client classes without a counterpart
 */
export const targetOf = (
  declared: RunSpec,
  registry: ModelRegistry,
  bertScore: JsonObject | undefined,
): Target => {
  const spec = withBertScore(declared, bertScore)
  refuseUnknownMain(spec)
  refuseNoDatabase(spec)
  refuseUnjudgedOutputs(spec)
  const deployment = registry.deployment(spec.adapter.modelDeployment)
  if (deployment === undefined) throw new RangeError(`${spec.name} was resolved without a deployment`)
  identityOf(deployment)
  refuseWindow(deployment)
  const judges = (spec.benchmark.jury?.judges ?? []).map((judge) => {
    const served = registry.deployment(judge.deployment)
    if (served === undefined)
      throw new ProblemError({
        code: 'models/unknown-judge',
        message: `judge ${judge.name} of ${spec.benchmark.name} wants the deployment ${judge.deployment}, which nothing declares`,
        ...(judge.where === undefined ? {} : { where: judge.where }),
        remedy: `${registry.suggest(judge.deployment)}A judge's name is a deployment's: declare it in models/*.yaml or prod_env/model_deployments.yaml, or name other judges.`,
      })
    identityOf(served)
    return { judge, deployment: served }
  })
  return { spec, deployment, judges }
}

/** Long prompts would be cut otherwise than the file asks for. @throws ProblemError `models/window-service` */
const refuseWindow = ({ name, file, placeOf, windowService }: ModelDeployment): void => {
  if (windowService === undefined) return
  throw new ProblemError({
    code: 'models/window-service',
    message: `deployment ${name} has its prompts cut by ${windowService}, which is not built in`,
    where: { ...placeOf?.(['window_service_spec']), file, field: 'window_service_spec' },
    remedy: 'Take window_service_spec out: the tokenizer then cuts them to max_request_length.',
  })
}

/** HELM on a machine without a GPU writes such a run without its main metric. */
const noEncoder = ({ name, benchmark }: RunSpec): ProblemError =>
  new ProblemError({
    code: 'targets/no-encoder',
    message: `${name} is scored by ${benchmark.mainMetric.name}, but medmake.yaml names no encoder`,
    ...(benchmark.files[0] === undefined ? {} : { where: { file: benchmark.files[0], field: 'metrics' } }),
    remedy:
      'Give bert_score in medmake.yaml a model, a tokenizer and its config, or put another metric first.',
  })

/** An encoder adds to the metrics that HELM adds BERTScore to. @throws ProblemError where the main metric lacks it */
const withBertScore = (spec: RunSpec, bertScore: JsonObject | undefined): RunSpec => {
  const specs = spec.metrics.map(({ helm }) => helm)
  if (bertScore === undefined && measureNamed(spec.benchmark.mainMetric.name, specs)?.needs === 'encoder')
    throw noEncoder(spec)
  return bertScore === undefined
    ? spec
    : {
        ...spec,
        metrics: spec.metrics.map((metric) =>
          metricFor(metric).measures.some(({ needs }) => needs === 'encoder')
            ? { ...metric, bertScore }
            : metric,
        ),
      }
}

/** Its metric would give no number of any answer. @throws ProblemError `targets/no-database` */
const refuseNoDatabase = ({ benchmark, metrics }: RunSpec): void => {
  if (benchmark.queries !== undefined || !metrics.some(({ metric }) => metric === ehrSql.id)) return
  throw new ProblemError({
    code: 'targets/no-database',
    message: `${benchmark.name} has the metric ${ehrSql.id}, which runs queries, and no database`,
    ...(benchmark.files[0] === undefined ? {} : { where: { file: benchmark.files[0], field: 'metrics' } }),
    remedy: `Give its data a file of the format sqlite, or leave the metric out.`,
  })
}

/** Judges and queries take one answer: HELM's annotators end such a run. @throws ProblemError `targets/several-outputs` */
const refuseUnjudgedOutputs = ({ name, benchmark, adapter }: RunSpec): void => {
  const { numOutputs, method } = adapter
  const isTaken = benchmark.jury === undefined && benchmark.queries === undefined
  if (numOutputs <= 1 || isTaken || method === 'multiple_choice_joint') return
  throw new ProblemError({
    code: 'targets/several-outputs',
    message: `${name} asks for ${numOutputs} answers at once, of which ${benchmark.jury === undefined ? 'one would be run as a query' : 'judges would see the first alone'}`,
    ...(benchmark.files[0] === undefined ? {} : { where: { file: benchmark.files[0] } }),
    remedy: 'Ask for one (num_outputs=1).',
  })
}

/** A board would have a column without numbers. @throws ProblemError `targets/unknown-main-metric` */
const refuseUnknownMain = ({ benchmark, metrics }: RunSpec): void => {
  const { name } = benchmark.mainMetric
  refuseTakenMeasures(benchmark, metrics)
  const known = metrics.flatMap(({ helm }) => measuresOf(helm))
  if (known.some((measure) => measure.name === name)) return
  const names = known.map((measure) => measure.name)
  throw new ProblemError({
    code: 'targets/unknown-main-metric',
    message: `no metric of ${benchmark.name} gives its main metric ${JSON.stringify(name)}`,
    where: { file: benchmark.files[0] ?? benchmark.name, field: 'main_metric.name' },
    remedy: `${suggestion(name, names)}Its metrics give ${names.join(', ')}.`,
  })
}

/** Two values of one name would be added up as one. @throws ProblemError `targets/measure-taken` */
const refuseTakenMeasures = ({ name, files }: RunSpec['benchmark'], metrics: RunSpec['metrics']): void => {
  for (const { metric, helm } of metrics) {
    if (METRIC_IDS.includes(metric)) continue
    const others = metrics.flatMap((each) => (each.helm === helm ? [] : measuresOf(each.helm)))
    const own = measuresOf(helm).find(
      (measure) => OWN_METRICS.has(measure.name) || others.some((other) => other.name === measure.name),
    )
    if (own !== undefined)
      throw new ProblemError({
        code: 'targets/measure-taken',
        message: `two metrics of ${name} give ${JSON.stringify(own.name)}, one of them ${metric}`,
        where: { file: files[0] ?? name, field: 'metrics' },
        remedy: `Give the measure of targets/metrics/${metric} another name.`,
      })
  }
}
