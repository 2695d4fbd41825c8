import { readTaxonomy } from '../../../benchmarks/taxonomy.ts'
import { withSpending, withTaskSpending } from '../../../targets/board/board-cost.ts'
import type { RunValues } from '../../../targets/board/board-columns.ts'
import { withDoubt } from '../../../targets/board/board-doubt.ts'
import { withClusters } from '../../../targets/runs/instance-vector.ts'
import { boardRun, isShown, type BoardRun } from '../../../targets/runs/board-run.ts'
import { makeBoard, type Board } from '../../../targets/board/board.ts'
import { compareDropout, type JudgedRun } from '../../../targets/jury/study/dropout.ts'
import type { RunRecord } from '../../../targets/record/record.ts'
import type { RequestState } from '../../../targets/record/request-state.ts'
import { viewRecord, type RecordView } from '../../../targets/walk/read.ts'
import type { Target } from '../../../targets/record/target.ts'
import type { Digest } from '../../../cache/digest.ts'
import { withCalibration } from '../../../targets/runs/stored-calibration.ts'
import { helmRunSpec } from '../../helm/forms/run-spec.ts'
import type { Session } from '../../session/session.ts'
import type { InstanceView } from '../pages/run/instance-view.ts'
import { makeInstanceView } from '../pages/run/make-instance-view.ts'
import { MetricValues } from '../pages/run/metric-values.ts'
import { runFacts } from './run-facts.ts'
import type { SiteRun, SiteSuite } from '../site.ts'
import { storedDoubt } from './stored-doubt.ts'
import type { GroupedRun } from '../../../targets/board/board-subgroups.ts'
import { RecordGroups } from '../../../targets/runs/record-groups.ts'
import { storedSubgroups } from './stored-subgroups.ts'
import { storedPairs } from './stored-pairs.ts'
import { storedTasks } from '../stored-tasks.ts'
import { suiteAbout } from '../about/suite-about.ts'
import { InstanceSources } from '../../../targets/runs/instance-sources.ts'
import { judgedSummary } from '../../../targets/runs/judged-summary.ts'
import { SampleStore } from '../../../targets/runs/stored-sample.ts'
import { inTaxonomyOrder } from './taxonomy-order.ts'

/** A target with the record that it led to. */
export interface Finished {
  readonly target: Target
  readonly record: RunRecord
  readonly digest: Digest<'record'>
}

/** A suite's board and run pages from its records. Instances are read only when a page is written. */
export const suiteContent = async (
  suite: string,
  finished: readonly Finished[],
  { env, registry, workspace }: Pick<Session, 'env' | 'registry' | 'workspace'>,
): Promise<SiteSuite> => {
  const { coverage_floor: coverageFloor } = workspace.config
  const samples = new SampleStore(env)
  const sources = new InstanceSources(env)
  const built = []
  const judged: JudgedRun[] = []
  const grouped: GroupedRun[] = []
  const groups = new RecordGroups(env)
  const values: RunValues[] = []
  for (const each of finished) {
    const { target, record, digest } = each
    // Not kept: views of a thousand runs would fill the memory.
    const view = (): Promise<RecordView> => viewRecord(target, each, env)
    const { benchmark, adapter, name } = target.spec
    const sampled = await samples.sample(each, view)
    const vector = withClusters(sampled.vector, await sources.of(benchmark))
    const own = { run: name, benchmark: benchmark.name, deployment: adapter.modelDeployment, vector }
    values.push(own)
    grouped.push({ values: own, ...(await groups.of(benchmark, record.instances)) })
    const known = registry.model(adapter.model)
    if (known === undefined) throw new RangeError(`${target.spec.name} was resolved without a model`)
    const raw = boardRun(each, known, { requests: sampled.requests, vector, coverageFloor })
    const run = await withCalibration(raw, { record: digest, benchmark, env })
    const judgements = await judgedSummary(each, env, view)
    if (judgements !== undefined && judgements.run.requests > 0) judged.push(judgements.run)
    const facts = runFacts({
      suite,
      run,
      spec: helmRunSpec(target.spec),
      details: record.failures,
      record,
      judges: judgements?.judges ?? [],
      usage: record.usage,
      priceOf: (deployment) => registry.prices.get(deployment),
      source: digest,
    })
    built.push({
      run,
      usage: record.usage,
      site: siteRun(facts, target, { view, sources: await sources.of(benchmark) }),
    })
  }
  const runs = inTaxonomyOrder(built, await readTaxonomy({ workspace: workspace.root }))
  const board = makeBoard(
    suite,
    runs.map(({ run }) => run),
  )
  const known = { records: finished.map(({ digest }) => digest), store: env.records }
  const { prices } = registry
  const compared = await comparedBoard(board, { values, grouped, known, spent: runs.map(spentOf), prices })
  return {
    ...compared,
    runs: runs.map(({ site }) => withSubgroups(site, compared)),
    dropout: compareDropout(judged),
    ...(await suiteAbout(board, finished, { registry, workspace })),
  }
}

const spentOf = ({ run: { benchmark, model }, usage }: { run: BoardRun; usage: RunRecord['usage'] }) => ({
  benchmark: benchmark.name,
  deployment: model.deployment,
  usage,
})

interface Compared {
  readonly values: readonly RunValues[]
  readonly grouped: readonly GroupedRun[]
  readonly known: Parameters<typeof storedDoubt>[2]
  readonly spent: Parameters<typeof withTaskSpending>[2]
  readonly prices: Parameters<typeof withSpending>[2]
}

/** The board with what is known of its order and cost, over all and within each task. */
const comparedBoard = async (
  board: Board,
  { values, grouped, known, spent, prices }: Compared,
): Promise<Required<Pick<SiteSuite, 'board' | 'pairs' | 'tasks' | 'subgroups'>>> => ({
  board: withSpending(withDoubt(board, await storedDoubt(board, values, known)), spent, prices),
  pairs: await storedPairs(board, values, known),
  subgroups: await storedSubgroups(board, grouped, known),
  tasks: withTaskSpending(await storedTasks(board, values, known), board, spent, prices),
})

/** A run's page with its scores by attribute, where they are of this run alone. */
const withSubgroups = (
  site: SiteRun,
  { board: { rows }, subgroups }: Required<Pick<SiteSuite, 'board' | 'subgroups'>>,
): SiteRun => {
  const { name, model, benchmark } = site.facts
  const cells = rows.find((row) => row.model.deployment === model.deployment)?.cells ?? []
  if (!cells.some(({ runs }) => runs.length === 1 && runs[0] === name)) return site
  const own = subgroups.flatMap(({ attribute, groups, withheld, rows: all, ...of }) =>
    all
      .filter((row) => of.benchmark === benchmark.name && row.deployment === model.deployment)
      .map((row) => ({ attribute, groups, withheld, row })),
  )
  return own.length === 0 ? site : { ...site, facts: { ...site.facts, subgroups: own } }
}

interface RunReading {
  readonly view: () => Promise<RecordView>
  /** The source of each instance that has one. */
  readonly sources: ReadonlyMap<string, string>
}

const siteRun = (facts: SiteRun['facts'], target: Target, reading: RunReading): SiteRun =>
  isShown(target.spec.benchmark)
    ? {
        facts,
        instances: () => instanceViews(target, reading),
        prompt: async () => {
          for (const { request } of (await reading.view()).states()) return request.prompt
          return undefined
        },
      }
    : { facts }

const ownValues = (
  record: RecordView,
  state: RequestState,
): readonly (readonly [name: string, value: number])[] =>
  record.ownPoints(state).flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const]))

async function* instanceViews(
  target: Target,
  { view, sources }: RunReading,
): AsyncGenerator<InstanceView<string>> {
  const record = await view()
  const values = new MetricValues()
  for (const stats of record.perInstanceStats()) values.add(stats)
  for (const state of record.states()) {
    const source = sources.get(String(state.instance.id))
    yield {
      ...makeInstanceView(
        state,
        [...values.of(state.instance.id, state.trainTrialIndex), ...ownValues(record, state)],
        target.spec.adapter.outputMappingPattern,
      ),
      ...(source === undefined ? {} : { source }),
    }
  }
}
