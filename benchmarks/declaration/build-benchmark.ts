import { dirname, relative, resolve } from 'node:path'
import { defined } from '../../cache/values/defined.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import { accessOf } from '../access/access.ts'
import type { BenchmarkContext } from '../context/context.ts'
import {
  readPrompt,
  checkCriteria,
  checkGraderPrompt,
  checkJudgePrompt,
  rubricCriteria,
  scaleOf,
  annotatorModels,
  readJudges,
  type Judges,
} from '../judges/judges.ts'
import { loadInstances, dataKey, refuseChanged } from './data/load.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import { numberOf, str } from '../python/numbers/number.ts'
import type { PyValue } from '../python/value.ts'
import type { Benchmark, Corrections, GoldQueries, Judge, Jury, ObjectSpec } from '../scenario/benchmark.ts'
import { lockFile, type LocalFile } from '../sources/fetch/remote-file.ts'
import { rowGuard } from '../sources/table.ts'
import { adapterSpec, definitionPath, runNameOf, type Protocol } from './schema.ts'
import { codeFiles } from '../../cache/user-code/code-files.ts'
import { checkArguments, type Arguments, fillRecord, fillText, type Placeholders } from './arguments.ts'
import { altersInstances, correctionsOf, ERRATA_ARGUMENT } from './about.ts'
import { useAnnotators, checkJudged, useMetrics, type UsedMetric } from '../user-code/use-code.ts'
import { protocolFor, type Declaration } from './read-declaration.ts'
import { fullDataPaths, withDataPaths, locateAll } from './data/locate.ts'
import { scenarioFile, unusedScenario, type ScenarioFile } from './scenario-module.ts'

/** Erratum of benchmarks with queries: no rows are a result, too. */
const EMPTY_RESULTS = 'empty-results'

/** The stat of a jury whose declaration names none. */
export const juryMetric = (annotator: string): string => `${annotator}_accuracy`

/** Argument of every benchmark with a jury: another judges file. */
const JURY_PATH = 'jury_config_path'

/** A declared benchmark with its arguments fixed. @throws ProblemError for arguments, judges and rubrics */
export const buildBenchmark = async (
  declaration: Declaration,
  given: ReadonlyMap<string, PyValue>,
  context: BenchmarkContext,
  where?: Place,
): Promise<Benchmark> => {
  const { content, file } = declaration
  if (content.needs !== undefined) throw notRunnable(content.name, content.needs, where ?? { file })
  const protocol = protocolOf(declaration, context.protocol)
  const judges = protocol.jury && (await judgesOf(declaration, protocol, given, context))
  const errata = correctionsOf(content, context.errata, given.get(ERRATA_ARGUMENT), where)
  const own = ownArguments(given, judges?.file !== undefined)
  const args = checkArguments(
    withDataPaths(own, protocol.arguments, content.name, context),
    protocol.arguments,
    defined({ benchmark: content.name, where }),
  )
  const jury = judges && (await juryOf(declaration, protocol, judges.judges))
  const rubrics = [protocol.jury?.rubric, protocol.jury?.comparison].flatMap((name) =>
    name === undefined ? [] : [resolve(dirname(file), name)],
  )
  const code = scenarioOf(declaration, protocol)
  const places = fullDataPaths(args.placeholders, own, protocol.arguments, context)
  const data = dataFiles(declaration, protocol, args.placeholders, places)
  const lock = Object.values(protocol.data).some(isUnpinned) ? lockFile(context.workspace) : undefined
  const specs = await specsOf(declaration, protocol, args.placeholders, { jury, errata, context })
  const written = [...(declaration.simple?.files ?? []), ...codeInputs(code, specs)]
  const inputs = [file, ...rubrics, judges?.file, ...written, lock, ...data].filter(
    (input) => input !== undefined,
  )
  return {
    ...identityOf(declaration, protocol, args, context.protocol ?? protocol.version),
    ...specs,
    ...(errata === undefined ? {} : { errata }),
    ...aboutOf(content),
    ...accessOf(content.access, file, context.workspace),
    data,
    mainMetric: protocol.main_metric,
    files: inputs.map((input) => relative(context.workspace, input)),
    ...dataOf(declaration, protocol, args, {
      ...context,
      ...(code === undefined || code.isBuiltIn ? {} : { code: code.file }),
      given: own,
      corrected: dataCorrections(content, protocol, errata),
      gold: goldQueries(protocol, errata),
    }),
  }
}

/** The simple form names its judges itself. */
const judgesOf = async (
  { simple, file }: Declaration,
  { jury }: Protocol,
  given: ReadonlyMap<string, PyValue>,
  context: BenchmarkContext,
): Promise<Partial<Judges> & Pick<Judges, 'judges'>> =>
  simple === undefined
    ? readJudges(juryPath(given), context, jury?.judges && resolve(dirname(file), jury.judges))
    : { judges: simple.judges }

/** The benchmark's own code, where nothing else makes its instances. @throws ProblemError `benchmarks/unused-scenario` */
const scenarioOf = (
  { content, file, simple }: Declaration,
  { instances }: Protocol,
): ScenarioFile | undefined => {
  const code = scenarioFile(file, content.name)
  if (instances === undefined && simple === undefined) return code
  // Another protocol may have its instances made by it.
  const isUsed = simple === undefined && content.protocols.some((each) => each.instances === undefined)
  if (code !== undefined && !isUsed) throw unusedScenario(file, code.file, simple !== undefined)
  return undefined
}

/** Data that lies beside the declaration, then data that the user brings. */
const dataFiles = (
  { file }: Declaration,
  { data }: Protocol,
  placeholders: Placeholders,
  places: Placeholders,
): readonly string[] => [
  ...Object.values(data).flatMap(({ path }) =>
    path === undefined ? [] : [resolve(dirname(file), fillText(path, placeholders))],
  ),
  ...Object.values(data).flatMap(({ local }) =>
    local === undefined ? [] : [resolve(fillText(local, places))],
  ),
]

/** Files of the code that makes the instances or measures the answers. */
const codeInputs = (
  scenario: ScenarioFile | undefined,
  { metrics, ownAnnotators = [] }: Pick<Benchmark, 'metrics' | 'ownAnnotators'>,
): readonly string[] => [
  ...(scenario === undefined ? [] : scenario.isBuiltIn ? [scenario.file] : codeFiles(scenario.file)),
  ...metrics.flatMap(({ code }) => code?.files ?? []),
  ...ownAnnotators.flatMap(({ files }) => files),
]

/** Without those that every benchmark takes. */
const ownArguments = (given: ReadonlyMap<string, PyValue>, hasJury: boolean): ReadonlyMap<string, PyValue> =>
  new Map([...given].filter(([name]) => name !== ERRATA_ARGUMENT && (!hasJury || name !== JURY_PATH)))

const notRunnable = (name: string, needs: string, where: Place): ProblemError =>
  new ProblemError({
    code: 'benchmarks/not-runnable',
    message: `${name} can't be run here: it needs ${needs}`,
    where,
    remedy: 'Take its entries out of the suite, or run it with MedHELM itself.',
  })

/** Such data is what it was when it was first seen: datasets.lock says what that was. */
const isUnpinned = ({ path, local, sha256 }: Protocol['data'][string]): boolean =>
  path === undefined && local === undefined && sha256 === undefined

const protocolOf = ({ content }: Declaration, version: string | undefined): Protocol => {
  const found = protocolFor(content, version)
  if (found === undefined) throw new TypeError(`${content.name} has no protocol`)
  return found
}

const juryPath = (given: ReadonlyMap<string, PyValue>): string | undefined => {
  const path = given.get(JURY_PATH)
  return path === undefined || path === null ? undefined : str(path)
}

const juryOf = async (
  { content, file, place }: Declaration,
  protocol: Protocol,
  judges: readonly Judge[],
): Promise<Jury | undefined> => {
  const { jury } = protocol
  if (jury === undefined) return undefined
  const at = (...path: readonly PropertyKey[]): Place =>
    place(['protocols', content.protocols.indexOf(protocol), 'jury', ...path])
  const rubric = resolve(dirname(file), jury.rubric)
  const template = await readPrompt(rubric, 'judge prompt', at('rubric'))
  const common = { annotator: jury.annotator ?? content.name, template, scale: scaleOf(jury.scale), judges }
  if (jury.grading !== undefined) {
    checkGraderPrompt(template, rubric)
    const path = jury.comparison && resolve(dirname(file), jury.comparison)
    const comparison = path && (await readPrompt(path, 'judge prompt', at('comparison')))
    const grading = { style: jury.grading, ...(comparison === undefined ? {} : { comparison }) }
    return { ...common, criteria: new Map(), grading }
  }
  const criteria =
    jury.criteria === undefined ? rubricCriteria(template, rubric) : new Map(Object.entries(jury.criteria))
  checkJudgePrompt(template, rubric)
  checkCriteria(jury.criteria ?? {}, template, (criterion) => at('criteria', criterion))
  return { ...common, criteria }
}

/** What is said of a benchmark and decides no result. */
const aboutOf = (content: Declaration['content']) =>
  defined({
    description: content.description,
    displayName: content.display_name ?? content.name,
    category: content.category,
    subcategory: content.subcategory,
    coverageFloor: content.coverage_floor,
    margin: content.margin,
    cluster: content.cluster,
    ...(content.attributes.length === 0 ? {} : { attributes: content.attributes }),
  })

/** Names, adapter and what HELM's run_spec.json and scenario.json hold. */
const identityOf = (
  { content }: Declaration,
  protocol: Protocol,
  { placeholders }: Arguments,
  line: string,
): Pick<Benchmark, 'name' | 'runName' | 'scenario' | 'adapter' | 'groups'> => {
  const { helm } = protocol
  const adapter = adapterSpec(protocol.adapter)
  const className = helm?.scenario.class_name ?? `medmake.benchmarks.${content.name}`
  return {
    name: content.name,
    runName: runNameOf(content.name, protocol, placeholders),
    scenario: {
      spec: { className, args: fillRecord(helm?.scenario.args ?? {}, placeholders) },
      name: fillText(helm?.scenario_name ?? content.name, placeholders),
      description: helm?.scenario_description ?? content.description,
      tags: (helm?.tags ?? []).map((tag) => fillText(tag, placeholders)),
      definitionPath:
        helm === undefined ? `benchmarks/${content.name}/benchmark.yaml` : definitionPath(className, line),
    },
    adapter: {
      ...adapter,
      instructions: fillText(adapter.instructions, placeholders),
      inputPrefix: fillText(adapter.inputPrefix, placeholders),
      outputPrefix: fillText(adapter.outputPrefix, placeholders),
    },
    groups: (protocol.groups ?? [content.name]).map((group) => fillText(group, placeholders)),
  }
}

interface SpecParts {
  readonly jury: Jury | undefined
  readonly errata: Corrections | undefined
  readonly context: BenchmarkContext
}

const specsOf = async (
  { file, content: { name, protocols }, place }: Declaration,
  protocol: Protocol,
  placeholders: Placeholders,
  { jury, errata, context }: SpecParts,
): Promise<Pick<Benchmark, 'metrics' | 'jury' | 'annotators' | 'ownAnnotators'>> => {
  const models = annotatorModels(jury?.judges ?? [])
  const all = new Map<string, PyValue>([
    ...placeholders,
    ['annotator_models', models],
    ...juryPlaceholders(jury),
  ])
  const annotators = protocol.helm?.annotators?.map(({ class_name, args }): ObjectSpec => ({
    className: class_name,
    args: fillRecord(args, all),
  }))
  const score = protocol.jury?.default_score
  const metric = jury && {
    metric: protocol.jury?.metric ?? juryMetric(jury.annotator),
    annotator: jury.annotator,
    ...(score === undefined ? {} : { defaultScore: numberOf(score) }),
  }
  const placeOf = (...path: readonly PropertyKey[]): Place =>
    place(['protocols', protocols.indexOf(protocol), ...path])
  const usesOf = (section: 'metrics' | 'annotators'): readonly UsedMetric[] =>
    protocol[section].map((use, index) => ({
      name: typeof use === 'string' ? use : use.name,
      args: typeof use === 'string' ? new Map() : fillRecord(use.args, placeholders),
      file,
      where: () => placeOf(section, index),
    }))
  const used = usesOf('metrics')
  const own = usesOf('annotators')
  const sets = {
    task: name,
    annotatorModels: models,
    annotators: own.map((each) => each.name),
    ...(metric ? { jury: metric } : {}),
  }
  const at = (): Place => placeOf(jury === undefined ? 'metrics' : 'jury')
  checkJudged(used, jury !== undefined, at, context.metrics)
  return {
    metrics: (await useMetrics(used, sets, context)).map((spec) =>
      errata === undefined ? spec : { ...spec, corrected: errata.corrected },
    ),
    ...(jury ? { jury } : {}),
    ...(await useAnnotators(own, { built: annotators, taken: jury?.annotator }, context)),
  }
}

/** What annotators' arguments may name of the jury. */
const juryPlaceholders = (jury: Jury | undefined): readonly (readonly [string, PyValue])[] =>
  jury === undefined
    ? []
    : [
        ['annotator', jury.annotator],
        ['prompt_template', jury.template],
        ['annotation_criteria', jury.criteria],
      ]

/** Errata that the instances are without: those of the protocol, and what the run corrects beside them. */
const dataCorrections = (
  { errata: all }: Declaration['content'],
  protocol: Protocol,
  errata: Corrections | undefined,
): readonly string[] => {
  const wanted = all.filter(
    (erratum) => altersInstances(erratum) && errata?.corrected.includes(erratum.id) === true,
  )
  return [...new Set([...protocol.apply_errata, ...wanted.map(({ id }) => id)])]
}

interface DataContext extends BenchmarkContext {
  /** The workspace's own code that makes the instances: its content is part of their key. */
  readonly code?: string
  readonly given: ReadonlyMap<string, PyValue>
  readonly corrected: readonly string[]
  readonly gold: GoldQueries | undefined
}

/** Undefined where gold queries are run as helm-0.5.16 does. */
const goldQueries = ({ queries }: Protocol, errata: Corrections | undefined): GoldQueries | undefined => {
  const strict = errata?.corrected.includes(EMPTY_RESULTS) ?? false
  if (queries === undefined && !strict) return undefined
  const { gold_current_time: currentTime, gold_from_value: fromValue = true } = queries ?? {}
  return {
    ...(currentTime === undefined ? {} : { currentTime }),
    noRows: fromValue && !strict ? 'values' : 'stay',
    errors: strict ? 'fail' : 'rows',
  }
}

/** HELM's name of what runs queries, by which the metric finds what they gave; whatever the benchmark is called. */
const QUERY_ANNOTATOR = 'ehr_sql'

const dataOf = (
  declaration: Declaration,
  protocol: Protocol,
  args: Arguments,
  context: DataContext,
): Pick<Benchmark, 'identity' | 'instances' | 'queries'> => {
  const places = fullDataPaths(args.placeholders, context.given, protocol.arguments, context)
  const located = async (): Promise<ReadonlyMap<string, LocalFile>> =>
    locateAll(declaration, protocol.data, places, context)
  const isDatabase = (name: string): boolean => protocol.data[name]?.format === 'sqlite'
  const database = Object.keys(protocol.data).find(isDatabase)
  const keyNow = async (): Promise<JsonObject> =>
    dataKey(declaration, protocol, args, { context, files: await located() })
  let told: JsonObject | undefined
  return {
    identity: async () => (told = await keyNow()),
    async *instances(onSkipped) {
      const rows = rowGuard(context, onSkipped)
      yield* loadInstances(
        { declaration, protocol, args, corrected: context.corrected, rows },
        await located(),
      )
      if (told !== undefined) refuseChanged(told, await keyNow(), declaration.file)
    },
    ...(database !== undefined && {
      queries: {
        annotator: QUERY_ANNOTATOR,
        ...(context.gold === undefined ? {} : { gold: context.gold }),
        locate: () => databaseOf(located, database),
      },
    }),
  }
}

const databaseOf = async (
  located: () => Promise<ReadonlyMap<string, LocalFile>>,
  name: string,
): Promise<LocalFile> => {
  const file = (await located()).get(name)
  if (file === undefined) throw new TypeError(`the data file ${name} was not located`)
  return file
}
