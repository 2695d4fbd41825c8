import { dumps } from '../../benchmarks/python/dumps.ts'
import { str } from '../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { inputText } from '../../benchmarks/scenario/instance.ts'
import { digestJson, digestOf } from '../../cache/values/digest.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import { completionRequest } from '../adapters/prompt.ts'
import { isJurys, OWN_METRICS } from '../metrics/llm-jury.ts'
import { judgedCoverage } from '../runs/judged-coverage.ts'
import { valueOf, type Causes, type Coverage } from '../record/coverage.ts'
import { boardMetric, type BoardMetric, scenarioOf } from '../runs/board-metric.ts'
import { withClusters, type InstanceVector } from '../runs/instance-vector.ts'
import { wholeRun, type AskedInstance, type AskedQuestions, type Requests, type Run } from '../runs/run.ts'
import { completionPlace } from '../stages/ask.ts'
import { atEnd } from '../statistics/scale.ts'
import { helmMeans, type HelmMeans } from './helm-means.ts'

/** An instance of a run, as comparisons know it again. */
export interface ComparedInstance {
  /** Of its text, references and extra data: the same question, wherever in the data it stands. */
  readonly digest: string
  /** Of its references alone: the same answers are right. */
  readonly references: string
  /** Of its answers, judgements and values, where a value is missing: equal where the very same left it open. */
  readonly results?: string
}

/** A run's values, instance by instance: all that were asked. Holds nothing of its source: its session may be closed. */
export interface ComparedRun extends Pick<InstanceVector, 'ids' | 'clusters' | 'areMeans'>, HelmMeans {
  readonly suite: string
  readonly name: string
  /** The name without the model: equal names ask the same of different models. */
  readonly scenario: string
  readonly benchmark: string
  readonly deployment: string
  /** The metric that stands for the benchmark, whether or not the run has values of it. */
  readonly mainMetric: string
  /** What is declared of it; absent where another metric is compared in its place. */
  readonly main?: BoardMetric
  /** The main metric and those asked for besides, as far as the run has values of them. */
  readonly metrics: readonly BoardMetric[]
  /** How much there is of each of these metrics, and of the main one. */
  readonly coverage: ReadonlyMap<string, Coverage>
  /** Why the run's main metric lacks values, or says less than it seems to; absent where another metric is compared. */
  readonly causes?: Causes
  /** The coverage under which values are shown and decide nothing. */
  readonly coverageFloor: number
  /** Loss of the main metric, in its own units, that its benchmark bears; absent where none is declared. */
  readonly margin?: number
  /** Digest of all answers, judgements and values, to be held against others of the same `ComparisonOptions`; absent where its source forms none. */
  readonly results?: string
  /** What instances share, where the source does not tell which of them do. */
  readonly unnamedSources?: string
  /** Digest of the data that its instances are rows of; absent where its source does not tell. */
  readonly data?: string
  /** In the ids' order. */
  readonly instances: readonly ComparedInstance[]
  /**
   * Metric → means over trials, in the ids' order. NaN where a trial has no value, or a judge's score could not be read: a
   * default is no measurement.
   */
  readonly values: ReadonlyMap<string, Float64Array>
}

interface Declared {
  readonly deployment: ModelDeployment
  /** Its target's. */
  readonly key: JsonObject
}

export interface ComparisonOptions {
  /** Compared in the main metric's place. */
  readonly metric?: string
  /** Compared, too, where a run has them. */
  readonly besides: readonly string[]
  /** Key of the instances' extra data whose value names their source; of a run without it, what its benchmark says of it. */
  readonly clusterBy?: string
  /** Where a run of the store is held against one of another source: results are digested alike, by what it was declared as. */
  readonly acrossSources?: Declared
}

/**
 * @throws LostValueError when the store lost something that the record names
 * @throws ProblemError `runs/withheld` for a run whose instances its source does not hold
 */
export const readComparedRun = async (run: Run, wanted: ComparisonOptions): Promise<ComparedRun> => {
  const { benchmark, metrics: specs } = run
  const main = wanted.metric ?? benchmark.mainMetric.name
  const names = [...new Set([main, ...wanted.besides])]
  const { split } = benchmark.mainMetric
  const { requests, asked } = await wholeRun(run)
  const values = new ValueTable(names, split, asked.trials)
  await addValues(requests, values)
  // Reads every annotation, so only where it is asked for.
  if (run.scale !== undefined && names.some((name) => OWN_METRICS.has(name)))
    await addOwnValues(requests, values)
  const across = wanted.acrossSources
  const results = across === undefined ? asked.results : await resultsOf(requests, values, across)
  const metrics = names
    .filter((name) => values.has(name))
    .map((name) =>
      name === benchmark.mainMetric.name
        ? benchmark.mainMetric
        : boardMetric({ name, split }, specs, run.scale),
    )
  const coverage = await run.coverage()
  const isJudged = (name: string): boolean =>
    isJurys(name, specs) || (name === benchmark.mainMetric.name && coverage.judgements !== undefined)
  const byJury = new Set(names.filter(isJudged))
  const unread = byJury.size === 0 ? new Set<string>() : await asked.unread()
  const isMain = main === benchmark.mainMetric.name
  const evaluated = asked.instances.filter((instance) => instance.split === split)
  const ids = evaluated.map(({ id }) => String(id))
  const read = readValues(metrics, ids, (name, id) =>
    byJury.has(name) && unread.has(id) ? NaN : values.mean(id, name),
  )
  return {
    suite: run.suite,
    name: run.name,
    scenario: scenarioOf(run.name),
    benchmark: benchmark.name,
    deployment: run.model.deployment,
    mainMetric: main,
    ...(isMain && { main: benchmark.mainMetric }),
    metrics,
    coverage: new Map(
      [...new Set([...(isMain ? [main] : []), ...metrics.map(({ name }) => name)])].map((name) => [
        name,
        name === benchmark.mainMetric.name
          ? coverage
          : otherCoverage(run, coverage, values.count(name), isJurys(name, specs) ? split : undefined),
      ]),
    ),
    ...(isMain && { causes: run.causes }),
    coverageFloor: benchmark.coverageFloor,
    // A margin is declared of the main metric.
    ...(run.margin === undefined || !isMain ? {} : { margin: run.margin }),
    ...helmMeans(run, names, split),
    ...(results === undefined ? {} : { results }),
    ...(run.unnamedSources === undefined ? {} : { unnamedSources: run.unnamedSources }),
    ...(asked.data === undefined ? {} : { data: asked.data }),
    ...withClusters({ ids, areMeans: run.adapter.numTrainTrials > 1 }, sourcesOf(evaluated, wanted)),
    instances: withResults(evaluated, read.has(main) ? [...read.values()] : undefined, asked),
    values: read,
  }
}

/**
 * Of a metric that is not the main one.
 * @param judgedIn the split of a metric that judges give: an answer counts as far as its judges do, as a share where the
 * record did not count judgements
 */
const otherCoverage = (
  { ownStats }: Run,
  { evaluated, judgements }: Coverage,
  valued: number,
  judgedIn: string | undefined,
): Coverage => {
  const own = { evaluated, measured: Math.min(valued, evaluated) }
  return judgedIn === undefined
    ? own
    : judgedCoverage({ coverage: { ...own, ...(judgements && { judgements }) }, ownStats }, judgedIn)
}

const addValues = async (requests: Requests, values: ValueTable): Promise<void> => {
  for await (const { instanceId, stats } of requests.values())
    for (const stat of stats) {
      const [{ name }, value] = [stat, valueOf(stat)]
      if (name.split === values.split && name.perturbation === undefined && value !== undefined)
        values.add(String(instanceId), name.name, value)
    }
}

const addOwnValues = async (requests: Requests, values: ValueTable): Promise<void> => {
  for await (const { instance, ownPoints } of requests.states()) {
    if (instance.split !== values.split) continue
    for (const { name, value } of ownPoints?.() ?? [])
      if (value !== null) values.add(String(instance.id), name, value)
  }
}

/**
 * The same whatever holds the run: a question is known by its text, and of values only those that are compared count.
 * As in a store, an answer or a judgement that was asked for in another way is another one, though it reads the same.
 */
const resultsOf = async (
  { states }: Requests,
  values: ValueTable,
  { deployment, key: { annotations: judged = null, metrics: measured = null } }: Declared,
): Promise<string> => {
  const way = digestJson([judged, measured])
  const lines: string[] = []
  for await (const { instance, trainTrialIndex, request, result, annotations } of states()) {
    const question = [inputText(instance), instance.references.map(({ text, tags }) => [text, [...tags]])]
    const asked = completionPlace(deployment, completionRequest(request)).digest
    const answers = (result?.completions ?? []).map(({ text }) => text)
    const own = values.of(String(instance.id)).map(([name, value]) => [name, String(value)])
    lines.push(digestOf(dumps([way, question, trainTrialIndex, asked, answers, annotations ?? null, own])))
  }
  return digestOf(lines.toSorted().join('\n'))
}

const readValues = (
  metrics: readonly BoardMetric[],
  ids: readonly string[],
  valueOf: (name: string, id: string) => number,
): ComparedRun['values'] =>
  new Map(
    metrics.map(({ name, range }) => [name, Float64Array.from(ids, (id) => atEnd(valueOf(name, id), range))]),
  )

/** Only of those that a judge, or a metric, left without a value. @param values undefined where none has any */
const withResults = (
  evaluated: readonly AskedInstance[],
  values: readonly Float64Array[] | undefined,
  { resultsById }: AskedQuestions,
): readonly ComparedInstance[] => {
  const isLost = evaluated.map((_, at) => values?.some((own) => Number.isNaN(own[at])) ?? true)
  const results = isLost.includes(true) ? resultsById?.() : undefined
  return evaluated.map((instance, at) => {
    const own = isLost[at] === true ? results?.get(String(instance.id)) : undefined
    return { ...comparedInstance(instance), ...(own !== undefined && { results: own }) }
  })
}

const comparedInstance = ({ digest, body }: AskedInstance): ComparedInstance => ({
  digest,
  references: referencesDigest(body),
})

export const referencesDigest = (body: AskedInstance['body']): string =>
  digestOf(JSON.stringify(body().references.map(({ text, tags }) => [text, tags])))

/** What instances share, by id. */
const sourcesOf = (
  instances: readonly AskedInstance[],
  { clusterBy }: ComparisonOptions,
): ReadonlyMap<string, string> => {
  const by = (
    of: (instance: AskedInstance) => PyValue | undefined,
    prefix = '',
  ): ReadonlyMap<string, string> =>
    new Map(
      instances.flatMap((instance) => {
        const source = of(instance)
        return source === undefined || source === null
          ? []
          : [[String(instance.id), `${prefix}${str(source)}`] as const]
      }),
    )
  const named =
    clusterBy === undefined
      ? undefined
      : by(({ body }) => body().extraData?.get(clusterBy), keyPrefix(clusterBy))
  // What a benchmark says of its own is true of it, whatever others are told apart by.
  return named !== undefined && named.size > 0 ? named : by(({ cluster }) => cluster)
}

const keyPrefix = (key: string): string => `${key} `

/** Whether any instance has that key in its extra data. */
export const hasSourceKey = ({ clusters }: ComparedRun, key: string): boolean =>
  clusters?.some((each) => each.startsWith(`source ${keyPrefix(key)}`)) === true

/** Means over trials, by instance and metric. */
class ValueTable {
  private readonly names: ReadonlySet<string>
  private readonly sums = new Map<string, Map<string, { sum: number; count: number }>>()
  private readonly seen = new Set<string>()
  private readonly trials: number
  readonly split: string

  constructor(names: readonly string[], split: string, trials: number) {
    this.names = new Set(names)
    this.split = split
    this.trials = trials
  }

  add(id: string, metric: string, value: number): void {
    const known = this.sums.get(id) ?? new Map<string, { sum: number; count: number }>()
    this.sums.set(id, known)
    if (!this.names.has(metric)) return
    this.seen.add(metric)
    if (Number.isNaN(value)) return
    const before = known.get(metric) ?? { sum: 0, count: 0 }
    known.set(metric, { sum: before.sum + value, count: before.count + 1 })
  }

  has(metric: string): boolean {
    return this.seen.has(metric)
  }

  /** Of how many requests there is a value. */
  count(metric: string): number {
    let all = 0
    for (const own of this.sums.values()) all += own.get(metric)?.count ?? 0
    return all
  }

  /** NaN where a trial has no value of it. */
  mean(id: string, metric: string): number {
    const { sum, count } = this.sums.get(id)?.get(metric) ?? { sum: NaN, count: 0 }
    return count < this.trials ? NaN : sum / count
  }

  /** Of the metrics that every trial has a value of. */
  of(id: string): readonly (readonly [metric: string, value: number])[] {
    return [...(this.sums.get(id) ?? [])].flatMap(([metric, { sum, count }]) =>
      count < this.trials ? [] : [[metric, sum / count] as const],
    )
  }
}
