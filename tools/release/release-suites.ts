import { join } from 'node:path'
import { digestJson } from '../../cache/digest.ts'
import type { ModelRegistry } from '../../models/registry/registry.ts'
import type { RunValues } from '../../targets/board/board-columns.ts'
import { withSpending } from '../../targets/board/board-cost.ts'
import { boardDoubt, withDoubt } from '../../targets/board/board-doubt.ts'
import { boardPairs } from '../../targets/board/board-pairs.ts'
import { boardMetric, type BoardMetric } from '../../targets/runs/board-metric.ts'
import type { BoardRun } from '../../targets/runs/board-run.ts'
import { SampleCollector, summarized, type Sample } from '../../targets/runs/board-sample.ts'
import { nothingKnown } from '../../targets/statistics/intervals/mean-interval.ts'
import { makeBoard } from '../../targets/board/board.ts'
import { withClusters, type InstanceVector } from '../../targets/runs/instance-vector.ts'
import { compareDropout, type JudgedRun } from '../../targets/jury/study/dropout.ts'
import { readInstanceValues, readRunSpec, readStats } from '../helm/read-run.ts'
import type { HelmRunSpec } from '../helm/forms/run-spec.ts'
import type { HelmStat } from '../helm/forms/stat.ts'
import { instancesOf } from '../site/content/helm-content.ts'
import { runFacts } from '../site/content/run-facts.ts'
import type { SiteRun, SiteSuite } from '../site/site.ts'
import { completeDoubt, type SuiteRanking } from './ranking.ts'
import { releaseAbout } from './release-about.ts'
import { runPath, type RunCard } from './run-card.ts'

/** Values of a run that a release does not hold; they are at hand while it is made. */
export interface WithheldValues {
  readonly suite: string
  readonly values: RunValues
}

export interface ReleaseParts {
  /** In the suites' order. */
  readonly cards: readonly RunCard[]
  /** Models and prices of the release. */
  readonly registry: ModelRegistry
  /** What release says of doubt that rests on withheld values. */
  readonly ranking: ReadonlyMap<string, SuiteRanking>
  readonly withheld: readonly WithheldValues[]
}

/** The suites of a release as `medmake report` shows them, from the release's files alone. */
export const releaseSuites = async (
  bundle: string,
  suites: readonly string[],
  parts: ReleaseParts,
): Promise<readonly SiteSuite[]> => {
  const shown: SiteSuite[] = []
  for (const suite of suites)
    shown.push(
      await releaseSuite(bundle, suite, {
        ...parts,
        cards: parts.cards.filter((card) => card.suite === suite),
      }),
    )
  return shown
}

const releaseSuite = async (
  bundle: string,
  suite: string,
  { cards, registry, ranking, withheld }: ReleaseParts,
): Promise<SiteSuite> => {
  const hidden = withheld.filter((each) => each.suite === suite).map((each) => each.values)
  // Differences may rest only on what the release holds, so that it can be built again from its files.
  const told: RunValues[] = []
  const lacking = lackingOf(suite, { cards, withheld })
  const runs: { readonly run: BoardRun; readonly site: SiteRun }[] = []
  for (const card of cards) {
    const { vector, ...run } = await releasedRun(bundle, card, registry)
    runs.push(run)
    if (vector !== undefined) told.push({ ...keyOf(run.run), vector })
  }
  const board = makeBoard(
    suite,
    runs.map(({ run }) => run),
  )
  const doubt = completeDoubt(board, boardDoubt(board, [...hidden, ...told]), {
    told: ranking.get(suite),
    lacking,
  })
  return {
    board: withSpending(
      withDoubt(board, doubt),
      cards.map((card) => ({ deployment: card.deployment.deployment, usage: card.record.usage })),
      registry.prices,
    ),
    runs: runs.map(({ site }) => site),
    dropout: compareDropout(cards.flatMap(judgedRun)),
    pairs: boardPairs(board, told),
    ...(await releaseAbout(board, cards, registry)),
  }
}

/** Benchmarks of a suite of which a run's values are not at hand. */
export const lackingOf = (
  suite: string,
  { cards, withheld }: Pick<ReleaseParts, 'cards' | 'withheld'>,
): ReadonlySet<string> => {
  const known = new Set(withheld.filter((each) => each.suite === suite).map(({ values }) => values.run))
  return new Set(
    cards.flatMap((card) =>
      card.suite !== suite || card.withheld === null || known.has(card.name) ? [] : [card.benchmark.name],
    ),
  )
}

const keyOf = ({ name, benchmark, model }: BoardRun): Omit<RunValues, 'vector'> => ({
  run: name,
  benchmark: benchmark.name,
  deployment: model.deployment,
})

interface Released {
  readonly run: BoardRun
  readonly site: SiteRun
  /** Absent where the run is withheld. */
  readonly vector?: InstanceVector
}

const releasedRun = async (bundle: string, card: RunCard, registry: ModelRegistry): Promise<Released> => {
  const { suite, name, withheld, record } = card
  const path = join(bundle, runPath(suite, name))
  const spec = await readRunSpec(path)
  const metric = boardMetric(card.benchmark.mainMetric, spec.metricSpecs, card.jury?.scale)
  const { sample, vector } = withheld === null ? await sampleAt(path, card, metric) : withheldSample(card)
  const run = boardRunOf(card, registry, {
    spec,
    stats: await readStats(path),
    sample,
    ...(vector && { vector }),
  })
  const facts = runFacts({
    suite,
    run,
    spec,
    details: withheld === null ? record.failures : [],
    record: {
      ...record,
      profile: card.profile,
      ...(card.benchmark.errata && { errata: card.benchmark.errata }),
    },
    judges: record.judged?.judges ?? [],
    usage: record.usage,
    priceOf: (deployment) => registry.prices.get(deployment),
    source: digestJson<'record'>([suite, card.target.digest]),
  })
  return {
    run,
    site: withheld === null ? { facts, ...instancesOf(path, spec.adapterSpec) } : { facts },
    ...(vector && { vector }),
  }
}

const sampleAt = async (
  path: string,
  { benchmark, record: { sources, lost } }: RunCard,
  metric: BoardMetric,
): Promise<{ readonly sample: Sample; readonly vector: InstanceVector }> => {
  const collector = new SampleCollector(benchmark.mainMetric)
  for await (const stats of readInstanceValues(path)) collector.add(stats)
  const { requests, vector } = collector.result(lost && { ids: lost, trials: 1, unread: new Set(lost) })
  const byId = new Map(
    sources?.instances.flatMap((ids, source) => ids.map((id) => [id, String(source)] as const)),
  )
  const clustered = withClusters(vector, byId)
  return { sample: summarized(requests, clustered, metric), vector: clustered }
}

/** Where too few values are to be told, there is no interval. */
const withheldSample = ({
  record: { sample, coverage },
}: RunCard): {
  readonly sample: Sample
  readonly vector?: undefined
} => ({ sample: sample ?? { requests: coverage.measured, found: nothingKnown('values are withheld') } })

interface RunFiles {
  readonly spec: HelmRunSpec
  readonly stats: readonly HelmStat[]
  readonly sample: Sample
  readonly vector?: InstanceVector
}

const boardRunOf = (
  { name, model, deployment, benchmark, jury, record, withheld }: RunCard,
  registry: ModelRegistry,
  { spec, stats, sample, vector }: RunFiles,
): BoardRun => {
  const known = registry.model(model)
  const { displayName, description, category, subcategory, access, mainMetric } = benchmark
  return {
    name,
    model: {
      name: model,
      deployment: deployment.deployment,
      displayName: known?.displayName ?? model,
      creator: known?.creatorOrganization ?? 'Unknown',
      access: known?.access ?? '',
    },
    benchmark: {
      name: benchmark.name,
      displayName,
      description,
      // Texts that were released by name may be shown.
      access: withheld === null && access !== 'public' ? 'local' : access,
      ...(category === undefined ? {} : { category }),
      ...(subcategory === undefined ? {} : { subcategory }),
      mainMetric: boardMetric(mainMetric, spec.metricSpecs, jury?.scale),
      coverageFloor: record.coverage.floor,
    },
    stats: [
      ...stats,
      ...record.ownStats.map(({ name: own, split, mean }) => ({
        name: { name: own, split },
        count: 1,
        sum: mean,
      })),
    ],
    coverage: record.coverage,
    causes: record.causes,
    omitted: record.omitted,
    sample,
    ...(vector && { vector }),
    failures: record.failures,
  }
}

const judgedRun = ({ deployment, record: { judged } }: RunCard): readonly JudgedRun[] =>
  judged === undefined
    ? []
    : [
        {
          benchmark: judged.benchmark,
          model: deployment.deployment,
          requests: judged.requests,
          all: judged.all,
          without: new Map(judged.without),
        },
      ]
