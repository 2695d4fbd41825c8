import type { JsonObject } from '../../cache/values/json.ts'
import type { Digest } from '../../cache/values/digest.ts'
import { putRecord, type RunRecord } from '../record/record.ts'
import type { TargetKey } from '../keys/keys.ts'
import type { Target } from '../record/target.ts'
import type { StageEnv } from '../env/env.ts'
import { createCollector } from './collect/collector.ts'
import { withRun, openStages, type OpenRequests, type OpenStages } from './run.ts'
import { walkAll, type Mode } from './walk.ts'
import type { Listener, StageName } from '../event.ts'

export interface BuildResult {
  readonly record: RunRecord
  readonly digest: Digest<'record'>
}

export interface Building {
  readonly target: Target
  readonly key: TargetKey
  /** This very target was built before: it may be built again because something of it was lost. */
  readonly wasBuilt: boolean
  /** Its data was read just now, when it was checked: what the store has of it was executed. */
  readonly isListedNow: boolean
}

/**
 * Runs every stage of a target and stores its record.
 * Undefined when the run was stopped half-way: what was done is in the store, and a rerun goes on from there.
 *
 * @throws ProblemError from data, prompts or the store
 */
export const buildRecord = (building: Building, env: StageEnv): Promise<BuildResult | undefined> =>
  withRun(building.target, building.key.key['instances'] as JsonObject, env, (run) =>
    buildAll(run, building, env),
  )

const buildAll = async (
  run: OpenRequests,
  { target, key, wasBuilt, isListedNow }: Building,
  env: StageEnv,
): Promise<BuildResult | undefined> => {
  const { name } = target.spec
  const { evaluated, list, requests } = run
  // Where all later results are at hand nothing would ask for an instance.
  if (list.cached && wasBuilt) run.requireInstances()
  env.listener({
    type: 'target-started',
    target: name,
    instances: evaluated.length,
    work: requests,
    judgements: requests * target.judges.length,
  })
  const [executed, cached] = list.cached && !isListedNow ? [0, evaluated.length] : [evaluated.length, 0]
  env.listener({ type: 'stage-results', target: name, stage: 'instances', executed, cached })
  const stages = await openStages(target, env)
  const mode = countingMode(buildMode(stages, run), name, env.listener)
  const collector = createCollector(target, requests, evaluated, env.profile)
  const isWhole = await walkAll({ count: requests, at: run.at, stages, mode }, env, (result, at) =>
    collector.take(result, at),
  )
  if (!isWhole) return undefined
  const record = collector.record({
    target: key.digest,
    instances: list.digest,
    ...(list.skipped === undefined ? {} : { skippedRows: list.skipped }),
  })
  for (const failure of record.failures) env.listener({ type: 'instance-failed', target: name, ...failure })
  return {
    record,
    digest: await putRecord(record, collector.rows, {
      store: env.store,
      access: target.spec.benchmark.access,
    }),
  }
}

/** Runs what the store lacks. */
export const buildMode = (
  { asker, annotator, metrics, request }: OpenStages,
  run: Pick<OpenRequests, 'prompts'>,
): Required<Mode> => ({
  prompt: ({ trial, ref, instance }) => run.prompts(trial).run({ digest: ref.digest, load: instance }),
  completion: (_, { prompt }) => asker.ask(request(prompt)),
  judgements: async ({ instance }, answer) => (await annotator?.run(instance(), answer)) ?? [],
  metrics: (_, digests, state) => Promise.all(metrics.map((metric) => metric.run(digests, state))),
})

/** The same mode, which says of every stage's result whether the store had it. */
export const countingMode = (mode: Required<Mode>, target: string, listener: Listener): Required<Mode> => {
  const count = (stage: StageName, cached: boolean): void =>
    listener({
      type: 'stage-results',
      target,
      stage,
      executed: cached ? 0 : 1,
      cached: cached ? 1 : 0,
    })
  return {
    prompt: async (at) => {
      const prompt = await mode.prompt(at)
      count('prompts', prompt.cached)
      return prompt
    },
    completion: async (at, prompt) => {
      const answered = await mode.completion(at, prompt)
      if (answered.outcome.kind === 'done') count('completions', answered.cached)
      return answered
    },
    judgements: async (at, answer) => {
      const judgements = await mode.judgements(at, answer)
      for (const { digest, cached } of judgements) if (digest !== undefined) count('annotations', cached)
      return judgements
    },
    metrics: async (at, digests, state) => {
      const measured = await mode.metrics(at, digests, state)
      for (const { cached } of measured) count('metrics', cached)
      return measured
    },
  }
}
