import { createHash } from 'node:crypto'
import type { Digest } from '../../../cache/values/digest.ts'
import type { JsonObject } from '../../../cache/values/json.ts'
import { discreetFailures } from '../../access/discreet-texts.ts'
import type { RunFailure } from '../../record/record.ts'
import type { Target } from '../../record/target.ts'
import type { StageEnv } from '../../env/env.ts'
import { buildMode, countingMode } from '../build.ts'
import { placedFailure, type RequestAt, type RequestResult, walkAll } from '../walk.ts'
import { withRun, openStages, type OpenRequests } from '../run.ts'

/** What the stages up to the completions gave. */
export interface Completions {
  /** Over instances, prompts, replies and their latencies, in order: unless declarations change, a score changes only with it. */
  readonly digest: Digest<'completion'>
  readonly requests: number
  /** Requests without an answer; a rerun asks these again. */
  readonly failures: readonly RunFailure[]
}

/**
 * The walk that ends after the completions. Undefined when it was stopped half-way.
 *
 * @param key of the instances
 */
export const generateCompletions = (
  target: Target,
  key: JsonObject,
  env: StageEnv,
): Promise<Completions | undefined> => withRun(target, key, env, (run) => generateAll(run, target, env))

const generateAll = async (
  run: OpenRequests,
  target: Target,
  env: StageEnv,
): Promise<Completions | undefined> => {
  const { benchmark, name } = target.spec
  const { evaluated, requests } = run
  env.listener({
    type: 'target-started',
    target: name,
    instances: evaluated.length,
    work: requests,
    judgements: 0,
  })
  const stages = await openStages(target, env)
  const { prompt, completion } = countingMode(buildMode(stages, run), name, env.listener)
  const hash = createHash('sha256')
  const failures: RunFailure[] = []
  const walked = { count: requests, at: run.at, stages, mode: { prompt, completion } }
  const isWhole = await walkAll(walked, env, (result, at) => {
    const line = digestLine(at, result)
    if (line !== undefined) hash.update(`${line}\n`)
    // A reply that the profile can't read is a matter of the judging, not of the asking.
    const unanswered = result.failures.filter(({ retriable }) => retriable)
    failures.push(...unanswered.map((failure) => placedFailure(at, failure)))
  })
  if (!isWhole) return undefined
  return {
    digest: hash.digest('hex') as Digest<'completion'>,
    requests,
    failures: discreetFailures(failures, benchmark.access, evaluated),
  }
}

const digestLine = ({ ref, trial }: RequestAt, { prompt, completion }: RequestResult): string | undefined =>
  completion && JSON.stringify([ref.id, ref.split, ref.digest, trial, prompt.digest, completion.content])
