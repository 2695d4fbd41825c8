import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelRegistry } from '../../models/registry/registry.ts'
import type { Coverage } from '../../targets/record/coverage.ts'
import { once } from '../../cache/once.ts'
import type { Profile } from '../../targets/profile.ts'
import type { BoardBenchmark } from '../../targets/runs/board-run.ts'
import { juryStat } from '../../targets/metrics/llm-jury.ts'
import { SampleCollector, summarized, type Sampled } from '../../targets/runs/board-sample.ts'
import type { InstanceGroups } from '../../targets/runs/instance-vector.ts'
import { describeModel, type Measured, type Requests, type Run } from '../../targets/runs/run.ts'
import { nothingKnown } from '../../targets/statistics/intervals/mean-interval.ts'
import type { DeclaredFacts } from './declared-run.ts'
import { loads } from '../../benchmarks/python/json.ts'
import { askedAt, plainInstance } from './asked-questions.ts'
import { QuestionDigests } from './question-digests.ts'
import { instanceForm } from './forms/request-state.ts'
import { answerKey, juryOf, readJudgements, type ReadJudgements } from './judgements.ts'
import { readInstanceValues, readPageStates, readRequestStates } from './read-run.ts'
import type { HelmFolder } from './read-suite.ts'
import { RUN_FILES } from './write/write-run.ts'

export interface HelmContext {
  readonly suite: string
  readonly benchmark: BoardBenchmark
  readonly registry: Pick<ModelRegistry, 'model'>
  readonly declared: DeclaredFacts | undefined
  readonly profile?: Profile
}

/** A run as a folder of HELM's files tells it. */
export const helmRun = (run: HelmFolder, context: HelmContext): Run => {
  const { benchmark, suite, registry, declared } = context
  const { name, groups, scenario, metrics, adapter, stats, spec, path } = run
  const hasStates = existsSync(join(path, RUN_FILES.scenarioState))
  const read = once(() => valuesOf(run, context, hasStates))
  return {
    suite,
    name,
    groups,
    scenario,
    metrics,
    adapter,
    ...(spec.annotators && { annotators: spec.annotators }),
    model: describeModel(
      adapter.model,
      adapter.modelDeployment === '' ? adapter.model : adapter.modelDeployment,
      registry.model(adapter.model),
    ),
    benchmark,
    ...(declared?.jury && { scale: declared.jury.scale }),
    stats,
    ownStats: [],
    causes: {},
    failures: [],
    source: path,
    ...(declared?.cluster === undefined ? {} : { unnamedSources: declared.cluster }),
    coverage: async () => (await read()).coverage,
    measured: async () => (await read()).measured,
    instanceGroups: async () => ({ attributes: [], groups: (await read()).groups }),
    ...(hasStates
      ? {
          requests: () => Promise.resolve(requestsAt(path)),
          asked: () => askedAt(path, { unread: async () => (await read()).judged?.unread ?? new Set() }),
        }
      : {}),
  }
}

interface ReadValues {
  readonly coverage: Coverage
  readonly measured: Measured
  readonly groups: InstanceGroups
  /** Absent without judges whose scores are in the files. */
  readonly judged?: ReadJudgements
}

interface ReadSample extends Sampled {
  readonly groups: InstanceGroups
  /** Requests with a value for lack of any judge's score. */
  readonly defaults: number
}

/** HELM itself writes no run in which a request failed; ours, where that was allowed, hold such requests without an answer. */
const valuesOf = async (
  { path, metrics, stats, adapter: { numTrainTrials: trials } }: HelmFolder,
  { benchmark: { mainMetric }, declared, profile }: HelmContext,
  hasStates: boolean,
): Promise<ReadValues> => {
  const { name, split } = mainMetric
  const evaluated = stats.find((stat) => stat.name.name === 'num_instances' && stat.name.split === split)?.sum
  const ofMain = juryOf(metrics, name, declared?.jury)
  const jury = ofMain ?? metrics.flatMap((spec) => juryOf(metrics, juryStat(spec) ?? '') ?? [])[0]
  const judged =
    hasStates && jury
      ? await readJudgements(readRequestStates(path), { ...jury, ...(profile && { profile }) }, split)
      : undefined
  const byMain = ofMain && judged
  const { lost, questions } = hasStates ? await questionsAt(path, split) : NO_QUESTIONS
  const sampled = await sampledAt(path, mainMetric, { ids: lost, trials, judged: byMain })
  const requests = sampled?.requests ?? evaluated ?? 0
  const unusable = sampled?.unusable ?? 0
  return {
    coverage: {
      evaluated: (evaluated ?? requests + unusable) + lost.length,
      measured: requests - (sampled?.defaults ?? 0),
      ...(byMain && { judgements: byMain.judgements }),
    },
    measured:
      sampled === undefined
        ? { sample: { requests, found: nothingKnown('no values by instance') } }
        : withQuestions(summarized(sampled, mainMetric, trials), questions),
    groups: sampled?.groups ?? new Map(),
    ...(judged && { judged }),
  }
}

interface Questions {
  /** Ids of the instances that lack an answer, once a trial. */
  readonly lost: readonly string[]
  /** Digests of what was asked, by id. */
  readonly questions: ReadonlyMap<string, string>
}

const NO_QUESTIONS: Questions = { lost: [], questions: new Map() }

const questionsAt = async (path: string, split: string): Promise<Questions> => {
  const lost = new Map<string, string>()
  const questions = new QuestionDigests()
  for await (const state of readPageStates(path)) {
    const instance = 'answer' in state ? instanceForm.read(loads(state.instance), '') : state.instance
    if (instance.split !== split || instance.perturbation !== undefined) continue
    const id = String(instance.id)
    questions.add(id, plainInstance(instance))
    if (!('answer' in state) && state.result === undefined) lost.set(`${state.trainTrialIndex} ${id}`, id)
  }
  return { lost: [...lost.values()], questions: questions.all() }
}

/** Runs of a folder may have been asked at several times, of data that moved in between. */
const withQuestions = (measured: Measured, questions: Questions['questions']): Measured => {
  const { vector } = measured
  const digests = vector?.ids.flatMap((id) => questions.get(id) ?? []) ?? []
  return vector === undefined || digests.length < vector.ids.length
    ? measured
    : { ...measured, vector: { ...vector, questions: digests } }
}

/**
 * Undefined for a folder without values by instance. `ids` lack an answer; a default, or what is left of a jury, is no
 * measurement.
 */
const sampledAt = async (
  path: string,
  metric: BoardBenchmark['mainMetric'],
  {
    ids,
    trials,
    judged,
  }: {
    readonly ids: readonly string[]
    readonly trials: number
    readonly judged: ReadJudgements | undefined
  },
): Promise<ReadSample | undefined> => {
  if (!existsSync(join(path, RUN_FILES.perInstanceStats))) return undefined
  const [collector, defaults] = [new SampleCollector(metric), new SampleCollector(metric)]
  for await (const stats of readInstanceValues(path)) {
    collector.add(stats)
    if (judged?.byDefault.has(answerKey(stats.instanceId, stats.trainTrialIndex)) === true)
      defaults.add(stats)
  }
  const asked = { ids, trials, unread: new Set([...(judged?.unread ?? []), ...ids]) }
  return {
    ...collector.result(asked),
    groups: collector.groups(),
    defaults: defaults.result().requests,
  }
}

export const requestsAt = (path: string): Requests => ({
  states: () => readRequestStates(path),
  values: () => valuesAt(path),
  sources: new Map(),
})

async function* valuesAt(path: string): ReturnType<typeof readInstanceValues> {
  if (existsSync(join(path, RUN_FILES.perInstanceStats))) yield* readInstanceValues(path)
}
