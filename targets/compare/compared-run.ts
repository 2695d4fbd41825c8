import { str } from '../../benchmarks/python/number.ts'
import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import { digestOf, type Digest } from '../../cache/digest.ts'
import type { Store } from '../../cache/store.ts'
import { boardMetric, isJurys, type BoardMetric } from '../runs/board-metric.ts'
import { OWN_METRICS } from '../metrics/strict-points.ts'
import type { Coverage } from '../record/coverage.ts'
import { getRows, type RunRecord } from '../record/record.ts'
import { traceId } from '../record/trace-id.ts'
import { viewRecord, type RecordView } from '../walk/read.ts'
import { envFor } from '../env/restricted-env.ts'
import type { Target } from '../record/target.ts'
import type { SharedEnv } from '../env/env.ts'
import { instancesKey } from '../keys/instances-key.ts'
import type { InstanceRef } from '../record/instance-ref.ts'
import { chooseInstances, listInstances, loadInstance } from '../stages/instances.ts'
import { unreadInstances } from '../walk/unread-instances.ts'
import { helmMeans, resultsDigest } from './run-results.ts'
import { scenarioOf } from '../runs/scenario-name.ts'

/** An instance of a run, as comparisons know it again. */
export interface ComparedInstance {
  readonly id: string
  /** Of its text, references and extra data: the same question, wherever in the data it stands. */
  readonly digest: string
  /** Of its references alone: the same answers are right. */
  readonly references: string
  /** The source that it shares with others, e.g. a patient. */
  readonly cluster?: string
  /**
   * Metric → mean over trials. Without the metrics of which a trial has no value, or a judge's score could not be read:
   * a default is no measurement.
   */
  readonly values: ReadonlyMap<string, number>
}

/** A built run's values, instance by instance. Holds nothing of the store: its session may be closed. */
export interface ComparedRun {
  readonly suite: string
  readonly name: string
  /** The name without the model: equal names ask the same of different models. */
  readonly scenario: string
  readonly benchmark: string
  readonly deployment: string
  /** The metric that stands for the benchmark, whether or not the run has values of it. */
  readonly mainMetric: string
  /** The main metric and those asked for besides, as far as the run has values of them. */
  readonly metrics: readonly BoardMetric[]
  /** How much of each of these metrics there is. */
  readonly coverage: ReadonlyMap<string, Coverage>
  /** The coverage under which values are shown and decide nothing. */
  readonly coverageFloor: number
  /** Loss of the main metric, in its own units, that its benchmark bears; absent where none is declared. */
  readonly margin?: number
  /** Metric → mean over the run as HELM forms it, defaults for lost judgements included. */
  readonly helmMeans: ReadonlyMap<string, number>
  /** Digest of all answers, judgements and values. */
  readonly results: string
  /** All that were asked, with values or without. */
  readonly instances: readonly ComparedInstance[]
}

export interface Wanted {
  /** Compared in the main metric's place. */
  readonly metric?: string
  /** Compared, too, where a run has them. */
  readonly besides: readonly string[]
  /** Key of the instances' extra data whose value names their source; unless given, what their benchmark says of it. */
  readonly clusterBy?: string
  /** The workspace's, for benchmarks that declare none. */
  readonly coverageFloor: number
  /** The workspace's, by benchmark: they win over what a benchmark declares. */
  readonly margins?: Readonly<Record<string, number>>
}

/** A margin is declared of the main metric. */
const marginOf = (
  { name, mainMetric, margin }: Benchmark,
  compared: string,
  { margins = {} }: Wanted,
): { readonly margin?: number } => {
  const declared = margins[name] ?? margin
  return declared === undefined || compared !== mainMetric.name ? {} : { margin: declared }
}

/** The built target that a comparison reads. */
export interface BuiltRun {
  readonly suite: string
  readonly target: Target
  readonly record: RunRecord
  readonly digest: Digest<'record'>
}

/** @throws LostValueError when the store lost something that the record names */
export const readComparedRun = async (
  built: BuiltRun,
  wanted: Wanted,
  shared: SharedEnv,
): Promise<ComparedRun> => {
  const { suite, target } = built
  const { spec } = target
  const { benchmark } = spec
  const env = await envFor(benchmark, shared)
  const main = wanted.metric ?? benchmark.mainMetric.name
  const names = [...new Set([main, ...wanted.besides])]
  const specs = spec.metrics.map(({ helm }) => helm)
  const { split } = benchmark.mainMetric
  const view = await viewRecord(target, built, shared)
  const { refs } = await listInstances(benchmark, await instancesKey(benchmark), env)
  const { evaluated } = chooseInstances(refs, spec.adapter.maxEvalInstances, spec.adapter.evalSplits)
  const values = new ValueTable(names, split, built.record.rows / evaluated.length)
  for (const { instanceId, stats } of view.perInstanceStats())
    for (const { name, count, sum } of stats)
      if (name.split === split && name.perturbation === undefined && count > 0)
        values.add(String(instanceId), name.name, sum / count)
  // Reads every annotation, so only where it is asked for.
  if (benchmark.jury !== undefined && names.some((name) => OWN_METRICS.has(name))) addOwnValues(view, values)
  const metrics = names
    .filter((name) => values.has(name))
    .map((name) => boardMetric({ name, split }, specs, benchmark.jury?.scale))
  const byJury = new Set(names.filter((name) => isJurys(name, specs)))
  const unread = byJury.size === 0 ? new Set<string>() : unreadInstances(target, built.record, view)
  const rows = getRows(built.digest, built.record, env.store)
  return {
    suite,
    name: spec.name,
    scenario: scenarioOf(spec.name),
    benchmark: benchmark.name,
    deployment: spec.adapter.modelDeployment,
    mainMetric: main,
    metrics,
    coverage: new Map(
      metrics.map(({ name }) => [
        name,
        name === benchmark.mainMetric.name
          ? built.record.coverage
          : otherCoverage(built.record, values.count(name), isJurys(name, specs) ? split : undefined),
      ]),
    ),
    coverageFloor: benchmark.coverageFloor ?? wanted.coverageFloor,
    ...marginOf(benchmark, main, wanted),
    helmMeans: helmMeans(built.record, names, split),
    results: rows === undefined ? built.digest : resultsDigest(rows, built.record.columns, evaluated),
    instances: evaluated
      .filter((ref) => ref.split === split)
      .map((ref) => {
        const id = String(ref.id)
        const own = values.of(id).filter(([name]) => !(byJury.has(name) && unread.has(id)))
        const trace = traceId(built.record.target)
        return comparedInstance(ref, new Map(own), wanted, { store: env.store, trace })
      }),
  }
}

/**
 * Of a metric that is not the main one.
 * @param judgedIn the split of a metric that judges give: an answer counts as far as its judges do, as a share where the
 * record did not count judgements
 */
const otherCoverage = (
  { coverage: { evaluated, judgements }, ownStats }: RunRecord,
  valued: number,
  judgedIn: string | undefined,
): Coverage => {
  const share = ownStats.find(({ name }) => name.name === 'jury_coverage' && name.split === judgedIn)
  const judged = judgements ?? (share && { wanted: share.count, read: share.sum })
  return {
    evaluated,
    measured: Math.min(valued, evaluated),
    ...(judgedIn === undefined || judged === undefined ? {} : { judgements: judged }),
  }
}

const addOwnValues = (view: RecordView, values: ValueTable): void => {
  for (const state of view.states()) {
    const { id, split } = state.instance
    if (split !== values.split) continue
    for (const { name, value } of view.ownPoints(state))
      if (value !== null) values.add(String(id), name, value)
  }
}

const comparedInstance = (
  ref: InstanceRef,
  values: ReadonlyMap<string, number>,
  { clusterBy }: Wanted,
  { store, trace }: { readonly store: Store; readonly trace: string },
): ComparedInstance => {
  const { references, extraData } = loadInstance(ref, store, trace)
  const source = clusterBy === undefined ? ref.cluster : extraData?.get(clusterBy)
  return {
    id: String(ref.id),
    digest: ref.digest,
    references: digestOf(JSON.stringify(references.map(({ text, tags }) => [text, tags]))),
    ...(source === undefined || source === null ? {} : { cluster: str(source) }),
    values,
  }
}

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

  /** Of the metrics that every trial has a value of. */
  of(id: string): readonly (readonly [metric: string, value: number])[] {
    return [...(this.sums.get(id) ?? [])].flatMap(([metric, { sum, count }]) =>
      count < this.trials ? [] : [[metric, sum / count] as const],
    )
  }
}
