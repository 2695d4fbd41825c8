import { createHash } from 'node:crypto'
import { digestJson, type Digest } from '../../cache/digest.ts'
import type { Json, JsonObject } from '../../cache/json.ts'
import { completionRequest, helmRequest } from '../adapters/request.ts'
import type { Completion } from '../record/completion.ts'
import type { RunFailure } from '../record/record.ts'
import { requireAgreements } from '../access/agreements.ts'
import { discreetFailures } from '../access/discreet-failure.ts'
import { envFor } from '../access/restricted-env.ts'
import { createAsker, type Asked } from '../stages/ask.ts'
import type { StageEnv } from '../stages/env.ts'
import {
  chooseInstances,
  loadInstance,
  withInstances,
  type InstanceList,
  type InstanceRef,
} from '../stages/instances.ts'
import { createPromptStage, type PromptResult, type PromptStage } from '../stages/prompts.ts'
import { inOrder } from '../walk/in-order.ts'
import { inLanes } from './lanes.ts'
import type { Target } from '../record/target.ts'
import { targetKey, type TargetKey } from '../keys/target-key.ts'
import { trainSet } from '../walk/train-set.ts'

/** What the stages up to the completions gave. */
export interface Generated {
  readonly target: Target
  /**
   * Over instances, prompts, replies and their latencies, in order, and over data that only the judging reads:
   * unless the declarations change, a score changes only with it.
   */
  readonly digest: Digest<'completion'>
  readonly requests: number
  /** Requests without an answer; a rerun asks these again. */
  readonly failures: readonly RunFailure[]
}

/**
 * Runs instances, prompts and completions of targets, and no more: the judges are asked and the metrics measured by
 * `runTargets`, which finds all this in the store. A target whose completions are all there costs one look-up.
 *
 * @throws ProblemError `models/data-agreement` before anything runs
 */
export const generateTargets = async (
  targets: readonly Target[],
  env: StageEnv,
  hooks: {
    readonly onResult: (result: Generated) => Promise<void>
    readonly onProblem: (target: Target, error: unknown) => void
  },
): Promise<void> => {
  requireAgreements(targets, env.endpoint)
  env.listener({ type: 'plan', targets: targets.length })
  const generateOne = async (target: Target): Promise<void> => {
    const result = await generateTarget(target, env)
    if (result !== undefined) await hooks.onResult(result)
  }
  await inLanes(targets, env, generateOne, hooks.onProblem)
}

/**
 * The fields of a target's key that reach as far as the completions: other metrics or judges, or another reading of
 * what was answered, ask the model nothing.
 */
const generatedId = ({ key }: TargetKey): string => {
  const { annotations: _, metrics: __, profile: ___, errata: ____, ...own } = key
  return `generated:${digestJson<'target'>(own)}`
}

const generateTarget = async (target: Target, env: StageEnv): Promise<Generated | undefined> => {
  const key = await targetKey(target, env.profile)
  const id = generatedId(key)
  const known = env.store.get('traces', id) as Pick<Generated, 'digest' | 'requests'> | undefined
  if (known !== undefined) {
    env.listener({ type: 'target-finished', target: target.spec.name, outcome: 'fresh', failures: 0 })
    return { target, ...known, digest: withDatabase(known.digest, key), failures: [] }
  }
  const own = await envFor(target.spec.benchmark, env)
  const instances = key.key['instances'] as JsonObject
  const made = await withInstances(target.spec.benchmark, instances, own, (list) =>
    makeCompletions(target, list, own),
  )
  if (made === undefined) return undefined
  const { name } = target.spec
  for (const failure of made.failures) env.listener({ type: 'instance-failed', target: name, ...failure })
  const outcome = made.failures.length === 0 ? 'built' : 'incomplete'
  env.listener({ type: 'target-finished', target: name, outcome, failures: made.failures.length })
  const { digest, requests } = made
  if (outcome === 'built')
    await env.store.put('traces', id, { digest, requests } satisfies Record<string, Json>)
  return { ...made, digest: withDatabase(digest, key) }
}

/** Answers that are queries are judged on a database, whose digest no prompt holds. */
const withDatabase = (completions: Digest<'completion'>, { key }: TargetKey): Digest<'completion'> => {
  const database = (key['annotations'] as JsonObject | null)?.['database']
  return database === undefined ? completions : digestJson([completions, database])
}

interface Request {
  readonly ref: InstanceRef
  readonly prompts: PromptStage
  readonly trial: number
}

const makeCompletions = async (
  target: Target,
  list: InstanceList,
  env: StageEnv,
): Promise<Generated | undefined> => {
  const { benchmark, adapter, name } = target.spec
  const { train, evaluated } = chooseInstances(list.refs, adapter.maxEvalInstances, adapter.evalSplits)
  const requests = Array.from({ length: adapter.numTrainTrials }, (_, trial) => {
    const examples = trainSet(target, train, trial, env)
    const prompts = createPromptStage(adapter, target.deployment, examples, env)
    return evaluated.map((ref): Request => ({ ref, prompts, trial }))
  }).flat()
  env.listener({
    type: 'target-started',
    target: name,
    instances: evaluated.length,
    work: requests.length,
  })
  const hash = createHash('sha256')
  const failures: RunFailure[] = []
  const asker = createAsker(target.deployment, target.spec, env)
  const taken = await inOrder(
    requests.length,
    env.limiter(target.deployment).concurrency,
    async (index) => {
      const request = requests[index]
      if (request === undefined) throw new RangeError(`no request ${index}`)
      const prompt = await promptOf(request, env)
      const asked = await asker.ask(completionRequest(helmRequest(adapter, prompt.prompt.text)))
      countStages(name, prompt, asked, env)
      return { request, prompt, asked }
    },
    ({ request, prompt, asked }) => {
      const { outcome } = asked
      if (outcome.kind === 'done') hash.update(`${digestLine(request, prompt, outcome.value)}\n`)
      else failures.push(failureOf(request, outcome))
    },
    () => env.stop.aborted,
  )
  if (taken < requests.length || env.stop.aborted) return undefined
  return {
    target,
    digest: hash.digest('hex') as Digest<'completion'>,
    requests: requests.length,
    failures: discreetFailures(failures, benchmark.access, evaluated),
  }
}

const digestLine = ({ ref, trial }: Request, { digest }: PromptResult, { content }: Completion): string =>
  JSON.stringify([ref.id, ref.split, ref.digest, trial, digest, content])

const promptOf = ({ ref, prompts }: Request, env: StageEnv): Promise<PromptResult> =>
  prompts.run({ digest: ref.digest, load: () => loadInstance(ref, env.store) })

const countStages = (target: string, prompt: PromptResult, asked: Asked, { listener }: StageEnv): void => {
  const event = (stage: 'prompts' | 'completions', cached: boolean): void =>
    listener({
      type: 'stage-results',
      target,
      stage,
      executed: cached ? 0 : 1,
      cached: cached ? 1 : 0,
    })
  event('prompts', prompt.cached)
  if (asked.outcome.kind === 'done') event('completions', asked.cached)
}

const failureOf = (
  { ref, trial }: Request,
  outcome: Exclude<Asked['outcome'], { readonly kind: 'done' }>,
): RunFailure => {
  const { code, detail } =
    outcome.kind === 'failed' ? outcome.cause : { code: 'absent', detail: outcome.reason }
  return { instance: String(ref.id), trial, stage: 'completions', code, detail, retriable: true }
}
