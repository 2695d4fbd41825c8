import { digestJson, type Digest } from '../../cache/values/digest.ts'
import type { Json, JsonObject } from '../../cache/values/json.ts'
import { envFor, type SharedEnv } from '../env/env.ts'
import { generateCompletions, type Completions } from '../walk/modes/generate.ts'
import { beginTargets, checkTargets, inLanes, tellEnd } from './lanes.ts'
import type { Target } from '../record/target.ts'
import { targetKey, type TargetKey } from '../keys/keys.ts'

/** What the stages up to the completions gave; its digest is over data that only the judging reads, too. */
interface GeneratedTarget extends Completions {
  readonly target: Target
}

/**
 * Runs instances, prompts and completions of targets, and no more: the judges are asked and the metrics measured by
 * `runTargets`, which finds all this in the store. A target whose completions are all there costs one look-up. What
 * `runTargets` would find out before the first call is found out before it here, too.
 *
 * @throws ProblemError `models/data-agreement` before anything runs
 */
export const generateTargets = async (
  targets: readonly Target[],
  env: SharedEnv,
  hooks: {
    readonly onResult: (result: GeneratedTarget) => Promise<void>
    readonly onProblem: (target: Target, error: unknown) => void
  },
): Promise<void> => {
  await beginTargets(targets, env)
  const keyOf = (target: Target): Promise<TargetKey> => targetKey(target, env.profile)
  const isDone = (key: TargetKey): boolean => knownCompletions(key, env) !== undefined
  const { problems } = await checkTargets(targets, keyOf, env, isDone)
  for (const [target, problem] of problems) hooks.onProblem(target, problem)
  const generateOne = async (target: Target): Promise<void> => {
    const result = await generateTarget(target, await keyOf(target), env)
    if (result !== undefined) await hooks.onResult(result)
  }
  const sound = targets.filter((target) => !problems.has(target))
  await inLanes(sound, env, generateOne, hooks.onProblem)
}

/**
 * The fields of a target's key that reach as far as the completions: other metrics or judges, or another reading of
 * what was answered, ask the model nothing.
 */
const generatedId = ({ key }: TargetKey): string => {
  const { annotations: _, metrics: __, profile: ___, errata: ____, ...own } = key
  return `generated:${digestJson<'target'>(own)}`
}

const knownCompletions = (
  key: TargetKey,
  { records }: SharedEnv,
): Pick<Completions, 'digest' | 'requests'> | undefined =>
  records.get('traces', generatedId(key)) as Pick<Completions, 'digest' | 'requests'> | undefined

const generateTarget = async (
  target: Target,
  key: TargetKey,
  env: SharedEnv,
): Promise<GeneratedTarget | undefined> => {
  const known = knownCompletions(key, env)
  if (known !== undefined) {
    env.listener({ type: 'target-finished', target: target.spec.name, outcome: 'fresh', failures: 0 })
    return { target, ...known, digest: withDatabase(known.digest, key), failures: [] }
  }
  const instances = key.key['instances'] as JsonObject
  const made = await generateCompletions(target, instances, await envFor(target.spec.benchmark, env))
  if (made === undefined) return undefined
  tellEnd(target, made.failures, env)
  const { digest, requests } = made
  if (made.failures.length === 0)
    await env.records.put('traces', generatedId(key), { digest, requests } satisfies Record<string, Json>)
  return { target, ...made, digest: withDatabase(digest, key) }
}

/** Answers that are queries are judged on a database, whose digest no prompt holds. */
const withDatabase = (completions: Digest<'completion'>, { key }: TargetKey): Digest<'completion'> => {
  const database = (key['annotations'] as JsonObject | null)?.['database']
  return database === undefined ? completions : digestJson([completions, database])
}
