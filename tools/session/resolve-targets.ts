import { basename, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { namesIn } from '../../cache/plain-file.ts'
import { repr } from '../../benchmarks/python/numbers/number.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { findBenchmark } from '../../benchmarks/lookup/find.ts'
import { METRIC_IDS, metricFor } from '../../targets/metrics/catalog.ts'
import { ehrSql } from '../../targets/metrics/ehr-sql.ts'
import { OWN_METRICS } from '../../targets/metrics/strict-points.ts'
import { measureNamed, measuresOf } from '../../targets/metrics/measures-of.ts'
import { resolveEntries, type ResolveOptions } from '../../targets/entries/resolve.ts'
import { readRunEntries, type EntryMemory, type RunEntry } from '../../targets/entries/run-entry.ts'
import type { Target } from '../../targets/record/target.ts'
import type { RunSpec } from '../../targets/record/run-spec.ts'
import type { ModelRegistry } from '../../models/registry/registry.ts'
import { identityOf } from '../../models/clients/create-client.ts'
import { BUILT_IN_SUITES, readBuiltInSuite } from './built-in-suites.ts'
import type { LocalModels } from './local-models.ts'
import type { Session } from './session.ts'

/** Run entries that go to one directory `runs/<suite>/`. */
export interface SuiteEntries {
  readonly suite: string
  readonly entries: readonly RunEntry[]
  readonly options: ResolveOptions
}

export interface SuiteTarget {
  readonly suite: string
  readonly target: Target
}

/** Suites of a workspace: every `targets/*.conf`, by file name. */
export const listSuites = async (root: string): Promise<ReadonlyMap<string, string>> => {
  const folder = join(root, 'targets')
  return new Map(
    namesIn(folder)
      .filter((name) => name.endsWith('.conf'))
      .sort()
      .map((name) => [basename(name, '.conf'), join(folder, name)]),
  )
}

/** @throws ProblemError `targets/unknown-suite` */
export const readSuite = async (
  root: string,
  suite: string,
  memory?: EntryMemory,
): Promise<readonly RunEntry[]> => {
  const suites = await listSuites(root)
  const file = suites.get(suite)
  if (file !== undefined) return readRunEntries(file, memory)
  const builtIn = await readBuiltInSuite(suite, memory)
  if (builtIn !== undefined) return builtIn
  throw new ProblemError({
    code: 'targets/unknown-suite',
    message: `there is no suite ${suite}`,
    where: { file: resolve(root, 'targets', `${suite}.conf`) },
    remedy: `${suggestion(suite, [...suites.keys(), ...BUILT_IN_SUITES])}${suites.size > 0 ? `Suites here: ${[...suites.keys()].join(', ')}.` : 'Write one to targets/, or run `medmake init` first.'} Built in: ${BUILT_IN_SUITES.join(', ')}.`,
  })
}

/**
 * Suites → targets, in order. A run that comes up twice in a suite is built once.
 * All problems of all entries come in one error, before anything is written.
 */
export const resolveTargets = async (
  suites: readonly SuiteEntries[],
  session: Pick<Session, 'registry' | 'benchmarks' | 'bertScore' | 'localModels' | 'followAccess'>,
): Promise<readonly SuiteTarget[]> => {
  const benchmarks = new Map<string, ReturnType<typeof findBenchmark>>()
  const find = (
    name: string,
    args: Parameters<typeof findBenchmark>[1],
    where: Place,
  ): ReturnType<typeof findBenchmark> => {
    const id = JSON.stringify([name, [...args].map(([key, value]) => [key, repr(value)])])
    const known = benchmarks.get(id) ?? withPlace(findOnce(name, args, session), where)
    benchmarks.set(id, known)
    return known
  }
  const targets: SuiteTarget[] = []
  const unknown: Unknown[] = []
  for (const { suite, entries, options } of suites) {
    const specs = await resolveEntries(entries, {
      registry: session.registry,
      findBenchmark: find,
      options: collecting(options, unknown),
    })
    const seen = new Map<string, RunSpec>()
    for (const spec of specs) {
      const twin = seen.get(spec.name)
      if (twin !== undefined && twin.benchmark !== spec.benchmark) throw duplicateName(spec, twin)
      if (twin !== undefined && !isDeepStrictEqual(twin.adapter, spec.adapter))
        throw otherSettings(suite, spec, twin)
      if (twin !== undefined) continue
      seen.set(spec.name, spec)
      const target = targetOf(withBertScore(spec, session.bertScore), session.registry)
      targets.push({ suite, target: await withWeights(target, session.localModels) })
    }
  }
  // A suite of which nothing is left is a mistake, and no smaller suite.
  if (targets.length === 0 && unknown.length > 0)
    throw new ProblemError(unknown.flatMap(({ error }) => error.problems))
  for (const { error, entry, tell } of unknown) tell(error, entry)
  for (const { target } of targets) await session.followAccess?.(target.spec)
  return targets
}

type Tell = NonNullable<ResolveOptions['onUnknown']>

interface Unknown {
  readonly error: ProblemError
  readonly entry: Parameters<Tell>[1]
  readonly tell: Tell
}

/** They are told of once it is known that others are left: else they are the error. */
const collecting = (options: ResolveOptions, unknown: Unknown[]): ResolveOptions => {
  const { onUnknown } = options
  if (onUnknown === undefined) return options
  return {
    ...options,
    onUnknown: (error, entry) => void unknown.push({ error, entry, tell: onUnknown }),
  }
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

/** A local model is known by its files. */
const withWeights = async (target: Target, localModels: LocalModels | undefined): Promise<Target> =>
  localModels === undefined
    ? target
    : {
        ...target,
        deployment: await localModels.locate(target.deployment),
        judges: await Promise.all(
          target.judges.map(async ({ judge, deployment }) => ({
            judge,
            deployment: await localModels.locate(deployment),
          })),
        ),
      }

/** Both would write to one folder, and their numbers would be taken for one benchmark's. */
const duplicateName = (spec: RunSpec, twin: RunSpec): ProblemError =>
  new ProblemError({
    code: 'targets/duplicate-name',
    message: `two different benchmarks give the run ${spec.name}: ${filesOf(twin)} and ${filesOf(spec)}`,
    remedy: 'Give one of them another name in its YAML file.',
  })

/** `increase_max_tokens` and its like leave HELM's name alone: HELM keeps whichever run came last. */
const otherSettings = (suite: string, spec: RunSpec, twin: RunSpec): ProblemError => {
  const before = new Map(Object.entries(twin.adapter))
  const values = Object.entries(spec.adapter)
    .filter(([field, value]) => !isDeepStrictEqual(value, before.get(field)))
    .map(
      ([field, value]) =>
        `${inWords(field)} ${JSON.stringify(before.get(field))} and ${JSON.stringify(value)}`,
    )
  return new ProblemError({
    code: 'targets/duplicate-name',
    message: `two entries of the suite ${suite} give the run ${spec.name}, with different settings: ${values.join(', ')}`,
    remedy: 'Both would be written to one folder. Leave one out, or put it into a suite of its own.',
  })
}

/** A field as run entries and HELM's files name it. */
const inWords = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const filesOf = ({ benchmark }: RunSpec): string => benchmark.files[0] ?? benchmark.name

/** A benchmark that looks at its files once an invocation, however many models it is run on. */
const findOnce = async (
  name: string,
  args: Parameters<typeof findBenchmark>[1],
  { benchmarks }: Pick<Session, 'benchmarks'>,
): ReturnType<typeof findBenchmark> => {
  const benchmark = await findBenchmark(name, args, benchmarks)
  let identity: ReturnType<typeof benchmark.identity> | undefined
  return {
    ...benchmark,
    identity: () => (identity ??= benchmark.identity()),
    instances: (onSkipped) => benchmark.instances(onSkipped),
  }
}

/** Problems that know no place of their own get the entry's. */
const withPlace = async <T>(promise: Promise<T>, where: Place): Promise<T> => {
  try {
    return await promise
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    throw new ProblemError(
      error.problems.map((problem) =>
        problem.where?.file === undefined ? { ...problem, where: { ...where, ...problem.where } } : problem,
      ),
      { exitCode: error.exitCode, cause: error },
    )
  }
}

/** @throws ProblemError for a judge that no deployment serves and for client classes without a counterpart */
const targetOf = (spec: RunSpec, registry: ModelRegistry): Target => {
  refuseUnknownMain(spec)
  refuseNoDatabase(spec)
  const deployment = registry.deployment(spec.adapter.modelDeployment)
  if (deployment === undefined) throw new RangeError(`${spec.name} was resolved without a deployment`)
  identityOf(deployment)
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
