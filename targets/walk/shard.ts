import type { JsonObject } from '../../cache/values/json.ts'
import { storeOver, type Store, type StoreTable } from '../../cache/store.ts'
import { discreetFailures } from '../access/discreet-texts.ts'
import { type StageEnv, layered } from '../env/env.ts'
import { shardOf, type Shard } from '../keys/shard.ts'
import type { RunFailure } from '../record/record.ts'
import type { Target } from '../record/target.ts'
import { buildMode, countingMode } from './build.ts'
import { placedFailure, type RequestAt, walkAll } from './walk.ts'
import { withRun, openStages, type OpenRequests } from './run.ts'

/** What became of a shard's part of a target. */
export interface ShardPart {
  /** Requests of the shard. */
  readonly owned: number
  /** Those with an answer; its judges' failures are among the failures. */
  readonly answered: number
  readonly failures: readonly RunFailure[]
}

/**
 * The walk that asks what falls to a shard, models and judges, and measures nothing. Undefined when it was stopped half-way.
 * @param key of the instances
 */
export const askShard = (
  target: Target,
  key: JsonObject,
  shard: Shard,
  env: StageEnv,
): Promise<ShardPart | undefined> => {
  const own = layered(env, replyStore)
  return withRun(target, key, own, (run) => walkShard(run, target, shard, own))
}

/** Whoever merges the replies makes these again: a task writes none of them. */
const MADE_AGAIN: ReadonlySet<StoreTable> = new Set<StoreTable>(['prompts', 'annotations'])

const replyStore = (store: Store): Store =>
  storeOver(store, {
    put: async (table, id, value) => {
      if (!MADE_AGAIN.has(table)) await store.put(table, id, value)
    },
  })

const walkShard = async (
  run: OpenRequests,
  target: Target,
  shard: Shard,
  env: StageEnv,
): Promise<ShardPart | undefined> => {
  const { benchmark, name } = target.spec
  const stages = await openStages(target, env)
  const made = buildMode(stages, run)
  const rows: RequestAt[] = []
  for (let row = 0; row < run.requests && !env.stop.aborted; row += 1) {
    const at = run.at(row)
    const { prompt } = await made.prompt(at)
    if (shardOf(stages.request(prompt), shard.count) === shard.index) rows.push(at)
  }
  env.listener({
    type: 'target-started',
    target: name,
    instances: run.evaluated.length,
    work: rows.length,
    judgements: rows.length * target.judges.length,
  })
  const { prompt, completion, judgements } = countingMode(made, name, env.listener)
  const failures: RunFailure[] = []
  let answered = 0
  const walked = {
    count: rows.length,
    at: (index: number) => rows[index] as RequestAt,
    stages,
    mode: { prompt, completion, judgements },
  }
  const isWhole = await walkAll(walked, env, (result, at) => {
    if (result.completion !== undefined) answered += 1
    const left = result.failures.filter(({ retriable }) => retriable)
    failures.push(...left.map((failure) => placedFailure(at, failure)))
  })
  if (!isWhole) return undefined
  return {
    owned: rows.length,
    answered,
    failures: discreetFailures(failures, benchmark.access, run.evaluated),
  }
}
