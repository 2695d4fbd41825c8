import { readTaxonomy } from '../../benchmarks/taxonomy.ts'
import { withSpending } from '../../targets/aggregate/board-cost.ts'
import type { RunValues } from '../../targets/aggregate/board-columns.ts'
import { withDoubt } from '../../targets/aggregate/board-doubt.ts'
import { clusterSample } from '../../targets/aggregate/board-sample.ts'
import { withClusters } from '../../targets/aggregate/instance-vector.ts'
import { boardRun, isShown } from '../../targets/aggregate/board-run.ts'
import { makeBoard } from '../../targets/aggregate/board.ts'
import { compareDropout, judgeRun, type JudgedRun } from '../../targets/jury/dropout.ts'
import type { RunRecord } from '../../targets/record/record.ts'
import { viewRecord, type RecordView } from '../../targets/record/view.ts'
import type { Target } from '../../targets/scheduler/target.ts'
import type { StageEnv } from '../../targets/stages/env.ts'
import type { Digest } from '../../cache/digest.ts'
import { juryScoring } from '../jury/judged-runs.ts'
import { helmRunSpec } from '../helm/run-spec.ts'
import type { Session } from '../session/session.ts'
import type { InstanceView } from './pages/run/instance-view.ts'
import { makeInstanceView } from './pages/run/make-instance-view.ts'
import { MetricValues } from './pages/run/metric-values.ts'
import { runFacts } from './run-facts.ts'
import type { SiteRun, SiteSuite } from './site.ts'
import { storedDoubt } from './stored-doubt.ts'
import { storedJudgedRun } from './stored-judged-run.ts'
import { InstanceSources } from './instance-sources.ts'
import { SampleStore } from './stored-sample.ts'
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
  const values: RunValues[] = []
  for (const each of finished) {
    const { target, record, digest } = each
    // Not kept: views of a thousand runs would fill the memory.
    const view = (): Promise<RecordView> => viewRecord(target, each, env)
    const { benchmark, adapter, name } = target.spec
    const sampled = await samples.sample(digest, benchmark, async () => (await view()).perInstanceStats())
    const vector = withClusters(sampled.vector, await sources.of(benchmark))
    const sample = clusterSample(sampled.sample, vector, benchmark.cluster ?? 'source')
    values.push({ run: name, benchmark: benchmark.name, deployment: adapter.modelDeployment, vector })
    const { model } = adapter
    const known = registry.model(model)
    if (known === undefined) throw new RangeError(`${target.spec.name} was resolved without a model`)
    const run = boardRun({ target, record }, known, { sample, coverageFloor })
    const facts = runFacts({
      suite,
      run,
      spec: helmRunSpec(target.spec),
      details: record.failures,
      record,
      source: digest,
    })
    built.push({ run, site: siteRun(facts, target, view) })
    const own = await judgedRun(each, env, view)
    if (own !== undefined && own.requests > 0) judged.push(own)
  }
  const runs = inTaxonomyOrder(built, await readTaxonomy({ workspace: workspace.root }))
  const board = makeBoard(
    suite,
    runs.map(({ run }) => run),
  )
  const records = finished.map(({ digest }) => digest)
  return {
    board: withSpending(
      withDoubt(board, await storedDoubt(board, values, { records, store: env.store })),
      finished.map(({ target, record: { usage } }) => ({
        deployment: target.spec.adapter.modelDeployment,
        usage,
      })),
      registry.prices,
    ),
    runs: runs.map(({ site }) => site),
    dropout: compareDropout(judged),
  }
}

/** Undefined for a run without a jury. */
const judgedRun = async (
  { target: { spec, judges }, digest }: Finished,
  env: StageEnv,
  view: () => Promise<RecordView>,
): Promise<JudgedRun | undefined> => {
  const { jury } = spec.benchmark
  if (jury === undefined) return undefined
  return storedJudgedRun(digest, env.store, async () =>
    judgeRun((await view()).states(), {
      benchmark: spec.benchmark.runName,
      model: spec.adapter.modelDeployment,
      jury: await juryScoring({ spec, judges }, jury, env.profile),
    }),
  )
}

const siteRun = (facts: SiteRun['facts'], target: Target, view: () => Promise<RecordView>): SiteRun =>
  isShown(target.spec.benchmark)
    ? {
        facts,
        instances: () => instanceViews(target, view),
        prompt: async () => {
          for (const { request } of (await view()).states()) return request.prompt
          return undefined
        },
      }
    : { facts }

async function* instanceViews(
  target: Target,
  view: () => Promise<RecordView>,
): AsyncGenerator<InstanceView<string>> {
  const record = await view()
  const values = new MetricValues()
  for (const stats of record.perInstanceStats()) values.add(stats)
  for (const state of record.states())
    yield makeInstanceView(
      state,
      values.of(state.instance.id, state.trainTrialIndex),
      target.spec.adapter.outputMappingPattern,
    )
}
