import { join } from 'node:path'
import { defined } from '../../cache/values/defined.ts'
import { digestJson, type Digest } from '../../cache/values/digest.ts'
import type { ModelRegistry } from '../../models/registry/registry.ts'
import { once } from '../../cache/once.ts'
import { dataDigest } from '../../targets/keys/keys.ts'
import { boardMetric } from '../../targets/runs/board-metric.ts'
import { describeBenchmark, type BoardBenchmark } from '../../targets/runs/board-run.ts'
import { SampleCollector, summarized } from '../../targets/runs/board-sample.ts'
import {
  withClusters,
  type InstanceVector,
  type InstanceGroups,
  type KnownGroups,
} from '../../targets/runs/instance-vector.ts'
import { describeModel, type Measured, type Run } from '../../targets/runs/run.ts'
import type { JudgedSummary } from '../../targets/runs/judged-summary.ts'
import { nothingKnown } from '../../targets/statistics/intervals/mean-interval.ts'
import type { HelmRunSpec } from '../helm/forms/run-spec.ts'
import { isJurys } from '../../targets/metrics/llm-jury.ts'
import { askedAt } from '../helm/asked-questions.ts'
import { requestsAt } from '../helm/helm-run.ts'
import { readJudgements } from '../helm/judgements.ts'
import { readInstanceValues, readRequestStates, readRunSpec, readStats } from '../helm/read-run.ts'
import { knownGroups } from './card-groups.ts'
import { runPath, type RunCard } from './run-card.ts'

/** What a release does not hold of a run; it is at hand while the release is made. */
export interface HiddenValues {
  readonly vector: InstanceVector
  readonly known: KnownGroups | undefined
}

/**
 * A run as a release tells it.
 * @param hidden what the release does not hold, while it is made
 */
export const releasedRun = async (
  bundle: string,
  card: RunCard,
  registry: Pick<ModelRegistry, 'model'>,
  hidden: HiddenValues | undefined,
): Promise<Run> => {
  const { suite, name, model, deployment, withheld, record, profile } = card
  const { errata } = card.benchmark
  const path = join(bundle, runPath(suite, name))
  const spec = await readRunSpec(path)
  const benchmark = benchmarkOf(card, spec)
  const read = once(() => measuredAt(path, card, benchmark.mainMetric, spec.adapterSpec.numTrainTrials))
  return {
    suite,
    name,
    groups: spec.groups,
    scenario: spec.scenarioSpec,
    metrics: spec.metricSpecs,
    adapter: spec.adapterSpec,
    ...(spec.annotators && { annotators: spec.annotators }),
    model: describeModel(model, deployment.deployment, registry.model(model)),
    benchmark,
    ...(card.jury && { scale: card.jury.scale }),
    stats: await readStats(path),
    ownStats: record.ownStats.map(({ name: own, split, mean }) => ({
      name: { name: own, split },
      count: 1,
      sum: mean,
    })),
    causes: record.causes,
    omitted: record.omitted,
    failures: record.failures,
    record: { ...record, target: card.target.digest as Digest<'target'>, profile, ...(errata && { errata }) },
    usage: record.usage,
    source: digestJson<'record'>([suite, card.target.digest]),
    coverage: () => Promise.resolve(record.coverage),
    measured: async () => ({
      ...(withheld === null
        ? (await read()).measured
        : { ...withheldSample(card), ...(hidden && { withheld: hidden.vector }) }),
      ...(record.calibrated && { calibrated: record.calibrated }),
    }),
    judged: () => Promise.resolve(judgedOf(card)),
    ...groupsOf(card, hidden, read),
    ...(withheld === null
      ? {
          requests: () => Promise.resolve(requestsAt(path)),
          asked: async () => ({
            ...(await askedAt(path, {
              sources: sourcesById(card),
              unread: () => unreadOf(path, card, spec),
            })),
            ...defined({ data: dataDigest(card.benchmark.identity) }),
          }),
        }
      : {}),
  }
}

const benchmarkOf = ({ benchmark, jury, record, withheld }: RunCard, spec: HelmRunSpec): BoardBenchmark => ({
  ...describeBenchmark(benchmark),
  // Texts that were released by name may be shown.
  ...(withheld === null && benchmark.access !== 'public' ? { access: 'local' } : {}),
  mainMetric: boardMetric(benchmark.mainMetric, spec.metricSpecs, jury?.scale),
  coverageFloor: record.coverage.floor,
})

interface ReadValues {
  readonly measured: Measured
  /** Sub-splits that the values themselves tell. */
  readonly groups: InstanceGroups
}

const measuredAt = async (
  path: string,
  card: RunCard,
  metric: BoardBenchmark['mainMetric'],
  trials: number,
): Promise<ReadValues> => {
  const {
    benchmark,
    record: { lost = [] },
  } = card
  const collector = new SampleCollector(benchmark.mainMetric)
  for await (const stats of readInstanceValues(path)) collector.add(stats)
  const { requests, vector } = collector.result({ ids: lost, trials, unread: new Set(lost) })
  return {
    measured: summarized({ requests, vector: withClusters(vector, sourcesById(card)) }, metric, trials),
    groups: collector.groups(),
  }
}

/** Where a release withholds values, their groups are known only while it is made. */
const groupsOf = (
  { withheld, record: { attributes } }: RunCard,
  hidden: HiddenValues | undefined,
  read: () => Promise<ReadValues>,
): Pick<Run, 'instanceGroups'> => {
  const known = attributes ? knownGroups(attributes) : hidden?.known
  if (known !== undefined) return { instanceGroups: () => Promise.resolve(known) }
  return withheld === null
    ? { instanceGroups: async () => ({ attributes: [], groups: (await read()).groups }) }
    : {}
}

const sourcesById = ({ benchmark, record: { sources } }: RunCard): ReadonlyMap<string, string> =>
  new Map(
    sources?.instances.flatMap((ids, at) => {
      const source = sources.names?.[at] ?? `${benchmark.name} ${at}`
      return ids.map((id) => [id, source] as const)
    }),
  )

/** Of what its judges' scores are not whole: the record names them where judges give the main metric. */
const unreadOf = async (
  path: string,
  { benchmark: { mainMetric }, jury, profile, record: { lost } }: RunCard,
  { metricSpecs }: HelmRunSpec,
): Promise<ReadonlySet<string>> => {
  if (jury === null || isJurys(mainMetric.name, metricSpecs)) return new Set(lost)
  const { annotator, judges, scale, grading } = jury
  const asked = { annotator, profile, judges: judges.map(({ name }) => name), ...(grading ? {} : { scale }) }
  return (await readJudgements(readRequestStates(path), asked, mainMetric.split)).unread
}

/** Where too few values are to be told, there is no interval. */
const withheldSample = ({ record: { sample, coverage } }: RunCard): Measured => ({
  sample: sample ?? { requests: coverage.measured, found: nothingKnown('values are withheld') },
})

const judgedOf = ({ deployment, record: { judged } }: RunCard): JudgedSummary | undefined =>
  judged && {
    run: {
      benchmark: judged.benchmark,
      model: deployment.deployment,
      requests: judged.requests,
      asked: judged.asked ?? judged.requests,
      all: judged.all,
      without: new Map(judged.without),
    },
    judges: judged.judges,
  }
