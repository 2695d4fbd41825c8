import type { ModelRegistry } from '../../models/registry/registry.ts'
import { defined } from '../../cache/values/defined.ts'
import { envFor, keepingFor, type StoreEnv, type SharedEnv } from '../env/env.ts'
import { dataDigest, instancesKey } from '../keys/keys.ts'
import { getRows, type RowTable } from '../record/record.ts'
import { traceId } from '../record/trace.ts'
import { chooseInstances, listInstances, loadInstance } from '../stages/instances.ts'
import { viewRecord, type RecordView } from '../walk/modes/read.ts'
import { unreadInstances } from '../walk/asked-instances.ts'
import { boardMetric, type Built } from './board-metric.ts'
import { describeBenchmark, type BoardBenchmark } from './board-run.ts'
import { summarized } from './board-sample.ts'
import { InstanceSources, sourceName } from './instance-sources.ts'
import { withClusters, SUB_SPLIT, type InstanceGroups, type KnownGroups } from './instance-vector.ts'
import { judgedSummary } from './judged-summary.ts'
import type { ReadState } from './read-state.ts'
import { describeModel, type AskedQuestions, type Measured, type Requests, type Run } from './run.ts'
import { storedCalibration } from './stored-calibration.ts'
import { SampleStore } from './stored-sample.ts'
import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import { compareCodePoints } from '../../benchmarks/python/text.ts'
import { digestOf } from '../../cache/values/digest.ts'
import { storedInstanceList, type InstanceRef } from '../record/instance-ref.ts'

interface StoreSource {
  readonly env: SharedEnv
  readonly registry: Pick<ModelRegistry, 'model'>
  /** The workspace's, for benchmarks that declare none. */
  readonly coverageFloor: number
  /** The workspace's, by benchmark: they win over what a benchmark declares. */
  readonly margins?: Readonly<Record<string, number>>
  /** For who may read the texts of gated and private benchmarks, too. */
  readonly showsTexts?: boolean
}

/** Runs as the store holds them. What several of them share is read once. */
export const storedRuns = (options: StoreSource): ((built: Built) => Run) => {
  const shared = {
    ...options,
    samples: new SampleStore(options.env),
    sources: new InstanceSources(options.env),
    groups: new RecordGroups(options.env),
  }
  return (built) => storedRun(built, shared)
}

interface Shared extends StoreSource {
  readonly samples: SampleStore
  readonly sources: InstanceSources
  readonly groups: RecordGroups
}

const storedRun = (built: Built, shared: Shared): Run => {
  const { suite, target, record, digest } = built
  const { env, registry, sources, margins = {} } = shared
  const { name, groups, benchmark, adapter, annotators } = target.spec
  // Not kept: views of a thousand runs would fill the memory.
  const view = (): Promise<RecordView> => viewRecord(target, built, env)
  const described = benchmarkOf(built, shared)
  const margin = margins[benchmark.name] ?? benchmark.margin
  return defined({
    suite,
    name,
    groups,
    scenario: benchmark.scenario.spec,
    metrics: target.spec.metrics.map(({ helm }) => helm),
    adapter,
    annotators,
    model: describeModel(adapter.model, adapter.modelDeployment, registry.model(adapter.model)),
    benchmark: described,
    ...(benchmark.jury && { scale: benchmark.jury.scale }),
    margin,
    stats: record.stats,
    ownStats: record.ownStats,
    causes: record.causes,
    omitted: record.omitted,
    failures: record.failures,
    record,
    usage: record.usage,
    source: digest,
    coverage: () => Promise.resolve(record.coverage),
    measured: () => measured(built, described, shared),
    judged: () => judgedSummary(built, env, view),
    requests: async () => requestsOf(await view(), await sources.of(benchmark)),
    instanceGroups: () => shared.groups.of(benchmark, record.instances),
    asked: () => askedOf(built, env),
  })
}

const benchmarkOf = ({ target }: Built, { coverageFloor, showsTexts = false }: Shared): BoardBenchmark => {
  const { benchmark, metrics } = target.spec
  return {
    ...describeBenchmark(benchmark),
    ...(showsTexts && benchmark.access !== 'public' ? { access: 'local' } : {}),
    mainMetric: boardMetric(
      benchmark.mainMetric,
      metrics.map(({ helm }) => helm),
      benchmark.jury?.scale,
    ),
    coverageFloor: benchmark.coverageFloor ?? coverageFloor,
  }
}

const measured = async (
  built: Built,
  { mainMetric }: BoardBenchmark,
  { env, samples, sources }: Shared,
): Promise<Measured> => {
  const { benchmark, adapter } = built.target.spec
  const sampled = await samples.sample(built, () => viewRecord(built.target, built, env))
  const vector = withClusters(sampled.vector, await sources.of(benchmark))
  const calibrated = await storedCalibration(built.digest, benchmark, env)
  return defined({ ...summarized({ ...sampled, vector }, mainMetric, adapter.numTrainTrials), calibrated })
}

const requestsOf = (view: RecordView, sources: Requests['sources']): Requests => ({
  states: () => statesOf(view),
  values: () => view.perInstanceStats(),
  sources,
})

function* statesOf(view: RecordView): Iterable<ReadState> {
  for (const state of view.states()) yield { ...state, ownPoints: () => view.ownPoints(state) }
}

const askedOf = async (built: Built, shared: SharedEnv): Promise<AskedQuestions> => {
  const { target, record, digest } = built
  const { benchmark, adapter } = target.spec
  const env = await envFor(benchmark, shared)
  const key = await instancesKey(benchmark)
  const { refs } = await listInstances(benchmark, key, env)
  const { evaluated } = chooseInstances(refs, adapter)
  const rows = getRows(digest, record, env.store)
  const trace = traceId(record.target)
  return defined({
    data: dataDigest(key),
    instances: evaluated.map((ref) => ({
      ...ref,
      ...(ref.cluster !== undefined && { cluster: sourceName(benchmark.cluster ?? '', ref.cluster) }),
      body: () => loadInstance(ref, env.store, trace),
    })),
    trials: record.rows / evaluated.length,
    unread: async () => unreadInstances(target, record, await viewRecord(target, built, shared)),
    results: rows === undefined ? digest : resultsDigest(rows, record.columns, evaluated),
    ...(rows !== undefined && { resultsById: () => resultsById(rows, record.columns, evaluated) }),
  })
}

/** Which groups the instances of records belong to, read once for all models. */
class RecordGroups {
  readonly #env: StoreEnv
  readonly #known = new Map<string, InstanceGroups>()

  constructor(env: StoreEnv) {
    this.#env = env
  }

  /** @param list digest of the record's instances; no group where the store lost it */
  async of(benchmark: Benchmark, list: string): Promise<KnownGroups> {
    const { attributes = [] } = benchmark
    const groups = this.#known.get(list) ?? (await this.#read(benchmark, list))
    this.#known.set(list, groups)
    return { attributes, groups }
  }

  async #read(benchmark: Benchmark, list: string): Promise<InstanceGroups> {
    const refs = storedInstanceList(list, (await keepingFor(benchmark, this.#env)).store)?.refs ?? []
    return new Map(
      refs.flatMap(({ id, split, attributes, subSplit }) => {
        if (split === 'train' || (attributes === undefined && subSplit === undefined)) return []
        return [[String(id), { ...attributes, ...(subSplit !== undefined && { [SUB_SPLIT]: subSplit }) }]]
      }),
    )
  }
}

/**
 * Digest of all answers, judgements and values of a run, by instance: equal where nothing that was asked or measured
 * differs. Prompts are left out: what reaches the model of them is in the answers' own keys.
 */
const resultsDigest = (rows: RowTable, columns: number, evaluated: readonly InstanceRef[]): string => {
  const lines = Array.from({ length: rows.length }, (_, row) =>
    [evaluated[row % evaluated.length]?.digest ?? '', ...cellsOf(rows, columns, row)].join(' '),
  )
  return digestOf(lines.toSorted(compareCodePoints).join('\n'))
}

const cellsOf = (rows: RowTable, columns: number, row: number): readonly string[] =>
  Array.from({ length: columns - 1 }, (_, column) => rows.get(row, column + 1) ?? '')

export const resultsById = (
  rows: RowTable,
  columns: number,
  evaluated: readonly InstanceRef[],
): ReadonlyMap<string, string> => {
  const trials = Array.from(
    { length: rows.length / evaluated.length },
    (_, trial) => trial * evaluated.length,
  )
  return new Map(
    evaluated.flatMap(({ id }, at) => {
      const cells = trials.flatMap((trial) => cellsOf(rows, columns, trial + at))
      return cells.includes('') ? [] : [[String(id), digestOf(cells.join(' '))] as const]
    }),
  )
}
