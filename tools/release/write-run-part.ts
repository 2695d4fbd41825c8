import { join } from 'node:path'
import { groupBy } from '../../cache/lists.ts'
import { defined } from '../../cache/values/defined.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import { digestOf } from '../../cache/values/digest.ts'
import { identityOf } from '../../models/clients/create-client.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import { describeBenchmark } from '../../targets/runs/board-run.ts'
import type { Built } from '../../targets/runs/board-metric.ts'
import { rowsOf, type InstanceVector } from '../../targets/runs/instance-vector.ts'
import type { Measured, Run } from '../../targets/runs/run.ts'
import type { Profile } from '../../targets/profile.ts'
import type { TokenUsage, UsageWithJudges } from '../../targets/record/completion.ts'
import type { RunRecord } from '../../targets/record/record.ts'
import { keepingFor, type SharedEnv } from '../../targets/env/env.ts'
import { viewRecord, type RecordView } from '../../targets/walk/modes/read.ts'
import type { TargetKey } from '../../targets/keys/keys.ts'
import type { Target } from '../../targets/record/target.ts'
import { list } from '../helm/forms/form.ts'
import { handedOutFolder, RUN_FILES, writeRun } from '../helm/write/write-run.ts'
import { jsonChunks, writeFilesTogether, writeWholeFile, type Chunks } from '../helm/write/staged-file.ts'
import { runSpecForm, helmScenario, scenarioForm } from '../helm/forms/run-spec.ts'
import { isWritten, statForm } from '../helm/forms/stat.ts'
import { withoutIds, type DeclaredAbout } from '../site/about/benchmark-about.ts'
import type { JudgedSummary } from '../../targets/runs/judged-summary.ts'
import { cardGroups } from './card-groups.ts'
import { redactKeys } from './redact.ts'
import type { HiddenValues } from './released-run.ts'
import { discreetSpec, shownKey } from './discreet-run.ts'
import { replyFacts, replyLines, type ReplyFacts } from './replies.ts'
import { cardPath, printCard, repliesPath, runPath, type CardDeployment, type RunCard } from './run-card.ts'
import { LEAST_INSTANCES, suppressSmall } from '../../targets/access/suppress-small.ts'

/** A finished run that goes into a release. */
export interface ReleaseInput extends Built {
  readonly key: TargetKey
  /** The same as others read it. */
  readonly run: Run
  /** Whether texts of its instances may be in the release. */
  readonly withText: boolean
  /** Coverage under which its model is not ranked. */
  readonly coverageFloor: number
  /** What its benchmark's declaration says for readers. */
  readonly declared: DeclaredAbout | undefined
  /** Among the release's runs. */
  readonly position: number
}

interface WrittenPart {
  readonly card: RunCard
  /** What the release does not hold; undefined where it does, or where too few values are to be told. */
  readonly hidden?: HiddenValues
}

/** Writes what a release holds of one run: HELM's files, our record, the replies that it stands on. */
export const writeRunPart = async (
  bundle: string,
  run: ReleaseInput,
  env: SharedEnv,
): Promise<WrittenPart> => {
  const { suite, target, record } = run
  const { name } = target.spec
  const directory = join(bundle, runPath(suite, name))
  const view = await viewRecord(target, run, env)
  const { store } = await keepingFor(target.spec.benchmark, env)
  const measured = await run.run.measured()
  const rows = toldRows(run, measured)
  let withheld: RunCard['withheld'] = null
  if (run.withText) {
    await writeRun(handedOutFolder(directory, { withText: run.withText }), {
      runSpec: target.spec,
      states: () => view.states(),
      stats: record.stats,
      perInstanceStats: () => view.perInstanceStats(),
    })
    await writeWholeFile(join(bundle, repliesPath(suite, name)), replyLines(target, view.states(), store))
  } else withheld = await writeAggregates(directory, run, rows)
  const told = withheld === null ? undefined : toldOf(run, measured, rows)
  const isTold = withheld === null || told !== undefined
  const known = await run.run.instanceGroups?.()
  const card = await cardOf(run, {
    withheld,
    ownStats: run.withText || rows >= LEAST_INSTANCES ? ownMeans(record) : [],
    usage: run.withText || rows >= LEAST_INSTANCES ? record.usage : untold(record.usage),
    view,
    sample: told?.sample ?? null,
    calibrated:
      isTold && (withheld === null || (measured.calibrated?.labels ?? 0) >= LEAST_LABELS)
        ? measured.calibrated
        : undefined,
    sources: withheld === null ? await sourcesOf(run) : undefined,
    attributes: withheld === null ? known && cardGroups(known, measured.vector ?? { ids: [] }) : undefined,
    lost: withheld === null ? lostOf(measured) : [],
    judged: isTold ? await run.run.judged?.() : undefined,
    profile: env.profile,
    replies: replyFacts(target, view.states(), store),
  })
  await writeWholeFile(join(bundle, cardPath(suite, name)), [printCard(card)])
  return { card, ...(told === undefined ? {} : { hidden: { vector: told.vector, known } }) }
}

/** Fewer labels of texts that are not public could be told apart. */
const LEAST_LABELS = 5

/** Where a run spec's annotators hold the judges' prompt. */
const RUBRIC_KEYS: ReadonlySet<string> = new Set(['prompt_template'])

/** Run spec, scenario and stats only. */
const writeAggregates = async (
  directory: string,
  { target, record }: ReleaseInput,
  rows: number,
): Promise<NonNullable<RunCard['withheld']>> => {
  const { stats, suppressed } = suppressSmall(record.stats, rows)
  await writeFilesTogether(
    new Map<string, Chunks>([
      [join(directory, RUN_FILES.scenario), jsonChunks(scenarioForm.write(helmScenario(target.spec)))],
      [join(directory, RUN_FILES.stats), jsonChunks(list(statForm).write(stats.filter(isWritten)))],
      [
        join(directory, RUN_FILES.runSpec),
        jsonChunks(redactKeys(runSpecForm.write(discreetSpec(target)), RUBRIC_KEYS)),
      ],
    ]),
  )
  return {
    reason: `${target.spec.benchmark.name} is ${target.spec.benchmark.access}`,
    files: [RUN_FILES.scenarioState, RUN_FILES.perInstanceStats, 'replies', 'rubric'],
    suppressedStats: suppressed,
  }
}

/** Evaluated instances, or their sources where these are fewer: of a patient a release tells nothing, however many answers. */
const toldRows = ({ record, target: { spec } }: ReleaseInput, { vector }: Measured): number =>
  Math.min(record.rows / spec.adapter.numTrainTrials, new Set(vector && rowsOf(vector)).size || Infinity)

/** What a withheld run's place rests on; undefined where its main metric was suppressed, or would have been. */
const toldOf = (
  { target, record }: ReleaseInput,
  { sample, vector }: Measured,
  rows: number,
): Required<Pick<Measured, 'sample' | 'vector'>> | undefined => {
  const { name, split } = target.spec.benchmark.mainMetric
  const { stats } = suppressSmall(record.stats, rows)
  const isTold = stats.some((stat) => stat.name.name === name && stat.name.split === split)
  return isTold && vector !== undefined && measuredSources(vector) >= LEAST_INSTANCES
    ? { sample, vector }
    : undefined
}

const measuredSources = (vector: InstanceVector): number =>
  new Set(rowsOf(vector).filter((_, at) => !Number.isNaN(vector.values[at]))).size

/** Ids of the instances of which a score could not be read in full. */
const lostOf = ({ vector }: Measured): readonly string[] =>
  vector?.ids.filter((_, at) => Number.isNaN(vector.values[at])) ?? []

/** Which instances share a source, by the sources' first instances; undefined where each stands for itself. */
const sourcesOf = async ({ target, run }: ReleaseInput): Promise<RunCard['record']['sources']> => {
  const instances = groupBy((await run.requests?.())?.sources ?? [], ([, source]) => source)
  return instances.size === 0
    ? undefined
    : {
        by: target.spec.benchmark.cluster ?? 'source',
        instances: [...instances.values()].map((own) => own.map(([id]) => id)),
        names: [...instances.keys()],
      }
}

interface CardParts {
  readonly ownStats: RunCard['record']['ownStats']
  readonly usage: RunCard['record']['usage']
  readonly withheld: RunCard['withheld']
  readonly sample: RunCard['record']['sample']
  readonly calibrated: Measured['calibrated']
  readonly sources: RunCard['record']['sources']
  readonly attributes: RunCard['record']['attributes'] | undefined
  readonly lost: readonly string[]
  readonly judged: JudgedSummary | undefined
  readonly view: RecordView
  readonly profile: Profile
  readonly replies: ReplyFacts
}

const cardOf = async (
  { suite, target, key, record, withText, coverageFloor, position, declared }: ReleaseInput,
  { withheld, view, calibrated, lost, judged, profile, replies, ...told }: CardParts,
): Promise<RunCard> => {
  const { spec } = target
  const { benchmark } = spec
  const { imported, newestCall } = replies
  const { ownStats, usage, sample, ...groups } = told
  return {
    format: 1,
    suite,
    name: spec.name,
    position,
    benchmark: {
      ...describeBenchmark(benchmark),
      mainMetric: benchmark.mainMetric,
      ...(benchmark.errata && { errata: benchmark.errata }),
      ...(declared && { declared: withText ? declared : withoutIds(declared) }),
      identity: shownKey(key.key, withText)['instances'] as JsonObject,
    },
    profile,
    model: spec.adapter.model,
    deployment: deploymentCard(target.deployment),
    metrics: spec.metrics.map(({ metric, bertScore, corrected }) => ({
      metric,
      ...defined({ bertScore, corrected }),
    })),
    jury: juryOf(target, withText),
    queries: benchmark.queries !== undefined,
    ...(benchmark.ownAnnotators === undefined
      ? {}
      : { ownAnnotators: benchmark.ownAnnotators.map(({ id }) => id) }),
    ...(await databaseOf(target)),
    promptTokens: withText ? Array.from(view.states(), (state) => state.numPromptTokens) : null,
    newestCall,
    target: { digest: key.digest, key: shownKey(key.key, withText) },
    record: {
      rows: record.rows,
      rowsDigest: record.rowsDigest,
      counts: record.counts,
      // Details and ids may quote or point at what is withheld; codes do not.
      failures: record.failures.map((failure) =>
        withText ? failure : { ...failure, instance: '[redacted]', detail: '[redacted]' },
      ),
      coverage: { ...record.coverage, floor: coverageFloor },
      causes: record.causes,
      ownStats,
      sample,
      ...defined({ calibrated, lost: lost.length === 0 ? undefined : lost, ...groups }),
      ...(judged === undefined || judged.run.requests === 0 ? {} : { judged: judgedCard(judged) }),
      ...(imported && { imported }),
      omitted: record.omitted,
      served: record.served,
      usage,
    },
    withheld,
  }
}

const databaseOf = async ({ spec }: Target): Promise<Pick<RunCard, 'database'>> => {
  const { queries } = spec.benchmark
  if (queries === undefined) return {}
  const { annotator, gold } = queries
  const { digest } = await queries.locate()
  return { database: { annotator, digest, ...(gold && { gold }) } }
}

/** How much the letters of a few patients hold, and how long their answers took, is told as little as what scores they had. */
const untold = ({ judges, ...own }: UsageWithJudges): UsageWithJudges => ({
  ...withoutTokens(own),
  judges: Object.fromEntries(
    Object.entries(judges).map(([name, { deployment, ...usage }]) => [
      name,
      { deployment, ...withoutTokens(usage) },
    ]),
  ),
})

const withoutTokens = ({ calls }: TokenUsage): TokenUsage => ({
  calls,
  unknown: calls,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  seconds: 0,
})

/** As a record tells it. */
export const judgedCard = ({
  run: { benchmark, requests, asked, all, without },
  judges,
}: JudgedSummary): NonNullable<RunCard['record']['judged']> => ({
  benchmark,
  requests,
  asked,
  all,
  without: [...without],
  judges,
})

export const ownMeans = ({ ownStats }: RunRecord): RunCard['record']['ownStats'] =>
  ownStats.flatMap(({ name: { name, split, subSplit }, mean }) =>
    mean === undefined || split === undefined || subSplit !== undefined ? [] : [{ name, split, mean }],
  )

const deploymentCard = (deployment: ModelDeployment): CardDeployment => ({
  ...identityOf(deployment),
  tokenizer: deployment.tokenizerName ?? null,
})

const juryOf = ({ spec, judges }: Target, withText: boolean): RunCard['jury'] => {
  const { jury } = spec.benchmark
  if (jury === undefined) return null
  return {
    annotator: jury.annotator,
    rubric: digestOf<'text'>(jury.template),
    template: withText ? jury.template : null,
    criteria: [...jury.criteria],
    scale: jury.scale,
    ...(withText && jury.grading && { grading: jury.grading }),
    judges: judges.map(({ judge, deployment }) => ({
      name: judge.name,
      model: judge.model,
      ...deploymentCard(deployment),
    })),
  }
}
