import { join } from 'node:path'
import { memoryStore } from '../../../cache/memory-store.ts'
import type { Store } from '../../../cache/store.ts'
import { type SharedEnv, type StageEnv, envFor, layered } from '../../../targets/env/env.ts'
import type { Target } from '../../../targets/record/target.ts'
import { replayRun, type Replayed } from '../../../targets/walk/modes/replay.ts'
import { openRunFolder, writeRun } from '../../helm/write/write-run.ts'
import { loadReplies } from '../replies.ts'
import { repliesPath, type RunCard } from '../run-card.ts'
import { releasedRequests } from './released-requests.ts'

interface Replaying {
  readonly env: SharedEnv
  /** Tokens of a request's prompt by the target's tokenizer; null where unknown. */
  readonly promptTokens: (prompt: string, index: number) => number | null
  /** In place of the environment's. */
  readonly client?: StageEnv['client']
}

/**
 * Asks a target the requests of a released run, as the release was asked: from its replies, else from the cache.
 * @returns undefined when it was stopped half-way
 */
export const replayCard = async (
  bundle: string,
  card: RunCard,
  target: Target,
  { env, promptTokens, client }: Replaying,
): Promise<Replayed | undefined> => {
  const replies = memoryStore()
  await loadReplies(join(bundle, repliesPath(card.suite, card.name)), replies)
  const own = await envFor(target.spec.benchmark, env)
  return replayRun(target, await releasedRequests(bundle, card, promptTokens), {
    ...layered(own, (store) => replayStore(replies, store)),
    profile: card.profile,
    ...(client && { client }),
  })
}

export const writeReplayed = async (
  directory: string,
  { spec }: Target,
  { record, states, perInstanceStats }: Replayed,
): Promise<void> => {
  const folder = await openRunFolder(directory, spec.benchmark)
  await writeRun(folder, { runSpec: spec, states, stats: record.stats, perInstanceStats })
}

/**
 * A store for scoring runs of a release: what is computed on the way stays in memory, replies that are paid for go to
 * `base`, and both are read from the release's own replies first.
 */
export const replayStore = (replies: Store, base: Store): Store => {
  const computed = memoryStore()
  return {
    get: (table, id) =>
      table === 'completions' ? (replies.get(table, id) ?? base.get(table, id)) : computed.get(table, id),
    has: (table, id) =>
      table === 'completions' ? replies.has(table, id) || base.has(table, id) : computed.has(table, id),
    requireRoom: () => base.requireRoom(),
    put: (table, id, value) => (table === 'completions' ? base : computed).put(table, id, value),
    remove: (table, id) => computed.remove(table, id),
    entries: (table) => computed.entries(table),
    claim: (digest) => base.claim(digest),
    close: () => computed.close(),
  }
}
