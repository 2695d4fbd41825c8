import { digestJson } from '../../cache/values/digest.ts'
import { type JsonObject, isMapping } from '../../cache/values/json.ts'
import type { ModelRegistry } from '../../models/registry/registry.ts'
import type { Board } from '../../targets/board/board.ts'
import { aboutBenchmarks, isCorrected, type DescribedTarget } from '../site/about/benchmark-about.ts'
import { aboutModels } from '../site/about/model-about.ts'
import type { ReleaseNotes } from '../site/about/release-notes.ts'
import type { SiteSuite } from '../site/site.ts'
import type { ReleaseGiven } from './release-file.ts'
import type { RunCard } from './run-card.ts'

/** What pages say of a released suite's benchmarks and models besides their results, from the runs' cards. */
export const releaseAbout = async (
  board: Board,
  cards: readonly RunCard[],
  registry: Pick<ModelRegistry, 'model' | 'deployment' | 'prices'>,
): Promise<Required<Pick<SiteSuite, 'benchmarks' | 'models'>>> => ({
  benchmarks: aboutBenchmarks(cards.map(describedRun)),
  models: aboutModels(board, registry, (deployment) => registry.prices.get(deployment)),
})

const describedRun = ({ benchmark, jury, metrics, target }: RunCard): DescribedTarget => ({
  benchmark: benchmark.name,
  access: benchmark.access,
  declared: benchmark.declared,
  identity: benchmark.identity,
  corrected: benchmark.errata?.corrected ?? [],
  jury: jury === null ? undefined : juryOf(jury),
  metrics,
  code: codeIn(target.key),
})

/** Digests of the workspace's metrics and annotators in a target's key. */
const codeIn = ({ metrics, annotations }: JsonObject): readonly string[] => {
  const listed = (parts: unknown): readonly string[] =>
    (Array.isArray(parts) ? parts : [])
      .map((part: unknown) => (isMapping(part) ? part['code'] : undefined))
      .filter((code) => typeof code === 'string')
  return [...listed(metrics), ...listed(isMapping(annotations) ? annotations['own'] : undefined)]
}

const juryOf = ({
  criteria,
  scale,
  judges,
  template,
  rubric,
}: NonNullable<RunCard['jury']>): NonNullable<DescribedTarget['jury']> => ({
  criteria: criteria.map(([name]) => name),
  scale,
  judges: judges.map(({ name, deployment, modelString }) => ({ name, deployment, modelString })),
  rubric: template,
  digest: rubric,
})

/** The page of a release: nothing that follows from the site's own bytes, so no digest of the release. */
export const releaseNotes = (given: ReleaseGiven, cards: readonly RunCard[]): ReleaseNotes => ({
  release: given.release,
  version: given.version,
  profile: given.profile,
  suites: given.suites,
  date: given.date,
  benchmarks: benchmarkNotes(cards),
  errata: given.errata.map(({ benchmark, id, about }) => {
    const runs = cards.filter((card) => card.benchmark.name === benchmark)
    return {
      benchmark,
      id,
      about,
      corrected: runs.filter((card) => isCorrected(describedRun(card), id)).length,
      runs: runs.length,
    }
  }),
  datasets: given.datasets,
  runs: cards.map(({ name, deployment, record, target }) => ({
    name,
    deployment: deployment.deployment,
    modelString: deployment.modelString,
    served: record.served,
    target: target.digest,
    ...(record.imported === undefined ? {} : { imported: record.imported }),
  })),
  withheld: cards.flatMap(({ name, withheld }) =>
    withheld === null
      ? []
      : [{ run: name, reason: withheld.reason, suppressedStats: withheld.suppressedStats }],
  ),
  includedText: given.includedText,
})

/** Each benchmark once; two versions of its data are two entries. */
const benchmarkNotes = (cards: readonly RunCard[]): ReleaseNotes['benchmarks'] => {
  const found = new Map<string, ReleaseNotes['benchmarks'][number]>()
  for (const { benchmark, jury } of cards) {
    const { name, access, identity } = benchmark
    const note = { name, access, digest: digestJson(identity), judgePrompt: jury?.rubric ?? null }
    found.set(JSON.stringify(note), note)
  }
  return [...found.values()]
}
