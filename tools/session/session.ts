import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readFile } from '../../cache/files/read.ts'
import type { BenchmarkContext, CsvTypes, FileDigests } from '../../benchmarks/context/context.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import type { DiskStore } from '../../cache/disk-store.ts'
import { memoryStore } from '../../cache/memory-store.ts'
import { limitCode, tellAwaited } from '../../cache/user-code/bounded-call.ts'
import { openStore, tellIfOlder } from '../../cache/open-store.ts'
import type { ProblemError } from '../../cache/problems/problem.ts'
import type { Store } from '../../cache/store.ts'
import type { Prices } from '../../models/prices/price.ts'
import { readCredentials } from '../../models/deployment/credentials.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import type { ModelRegistry } from '../../models/registry/registry.ts'
import { limitsFolder } from '../../models/limits/limits-folder.ts'
import { DEFAULT_RETRY } from '../../models/retry.ts'
import { loadTokenizer } from '../../models/tokenizers/tokenizer.ts'
import type { Batches } from '../../targets/batch/batches.ts'
import type { Listener } from '../../targets/event.ts'
import type { EntryMemory } from '../../targets/entries/run-entry.ts'
import type { Keeping, SharedEnv } from '../../targets/env/env.ts'
import type { Profile } from '../../targets/profile.ts'
import { createSqlBox, type SqlBox } from '../../targets/sql/box.ts'
import type { BertScoreSetup } from './bert-score.ts'
import { benchmarksOf, declaredModels } from './declarations.ts'
import type { Config } from './workspace/config.ts'
import {
  lazyStore,
  createSessionVault,
  storeNotes,
  type SessionVault,
  createMemo,
} from './session-keeping.ts'
import { createLocateModel, type LocateModel } from './local-models.ts'
import { growHeapLeast } from '../../cache/processes/engine-flags.ts'
import { accessMoves, type FollowAccess, type SealOpen } from './follow-access.ts'
import { createConnections } from './connections.ts'
import { remembered } from '../../cache/once.ts'
import { SessionTier, type TierUse } from './tier/session-tier.ts'
import { openSpending } from './spending/session-spending.ts'
import type { SessionSpending } from '../../targets/spend/capped-spending.ts'
import type { Stopper } from './stopper.ts'
import { storePathOf, type Workspace, configuredLocalPath } from './workspace/workspace.ts'

/** Flags that win over medmake.yaml; paths as the user wrote them, relative to `cwd`. */
export interface FlagOptions {
  readonly storePath?: string
  readonly localPath?: string
  readonly mirror?: string
  readonly concurrency?: number
  readonly profile?: Profile
  /** US dollars that the run may cost at most. */
  readonly maxUsd?: number
  /** Requests are gathered and sent by the providers' batch interfaces. */
  readonly batch?: boolean
  /** Deployments that no file declares. */
  readonly deployments?: readonly ModelDeployment[]
  readonly errata?: 'reproduced' | 'corrected'
  readonly skipBadRows?: boolean
}

export interface SessionOptions extends FlagOptions {
  readonly workspace: Workspace
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly listener: Listener
  readonly stopper: Stopper
  /** How configurable benchmarks that do not say it have their cells read; as written if absent. */
  readonly csvTypes?: CsvTypes
  /** Opens the store for reading only: `--dry-run`, `explain`. */
  readonly readOnly?: boolean
  /** What other machines share with this one, and the part of the work that is this one's. */
  readonly tier?: TierUse
  /** Asks no server: what is not in the store is missing. */
  readonly storedOnly?: boolean
}

/** Everything one invocation shares: registry, store, clients, limiters. */
export interface Session {
  readonly workspace: Workspace
  readonly registry: ModelRegistry
  /** What deployments charge; part of no key. */
  readonly prices: Prices
  readonly store: Store
  readonly storePath: string
  readonly vault: SessionVault
  readonly spending: SessionSpending
  readonly batches: Batches
  readonly tier?: SessionTier
  readonly env: SharedEnv
  readonly benchmarks: BenchmarkContext
  /** Suite files that were parsed before. */
  readonly entries: EntryMemory
  /** What this workspace computes BERTScore with; undefined: it computes none. */
  readonly bertScore?: JsonObject
  /** Absent where nothing is written. */
  readonly followAccess?: FollowAccess
  readonly sealOpen?: SealOpen
  /** Absent where targets are only listed. */
  readonly locateModel?: LocateModel
  close(): Promise<void>
}

/** @throws ProblemError from the workspace's declarations or the store; nothing is then left open */
export const openSession = async (options: SessionOptions): Promise<Session> => {
  const opened: Closable[] = []
  try {
    return await assemble(options, opened)
  } catch (error) {
    await closeAll(opened.toReversed())
    throw error
  }
}

/** Each, also where one before it failed, as on a full disk: what stays open keeps others from it. @throws the first failure */
const closeAll = async (parts: Iterable<Closable | undefined>): Promise<void> => {
  const failures: unknown[] = []
  for (const part of parts)
    try {
      await part?.close()
    } catch (error) {
      failures.push(error)
    }
  if (failures.length > 0) throw failures[0]
}

interface Closable {
  readonly close: () => unknown
}

/** @param opened whatever has to be closed again, as it is opened */
const assemble = async (options: SessionOptions, opened: Closable[]): Promise<Session> => {
  const { env, listener, readOnly = false, stopper, workspace } = options
  const { config } = workspace
  limitCode(config.code_timeout)
  tellAwaited(listener)
  const localPath = options.localPath ?? configuredLocalPath(workspace)
  const storePath = options.storePath ?? storePathOf(workspace, env)
  const tier = options.tier && new SessionTier(options.tier, listener, join(limitsFolder(env), 'tiers'))
  const opening = openSessionStore(storePath, options, tier)
  opened.push({ close: async () => (await opening.catch(() => undefined))?.close() })
  const declared = [declaredModels(options, localPath), readCredentials(localPath, env)] as const
  const [registry, credentials, store] = await Promise.all([...declared, opening])
  const vault = createSessionVault(storePath, store, options, tier)
  const connectionOptions = connectionsOf(options, tier)
  const { close: closeConnections, ...connections } = createConnections(connectionOptions, credentials)
  opened.push(vault, { close: closeConnections })
  const [sqlBoxes, memo, profile] = [createSqlBoxes(), createMemo(store), options.profile ?? config.profile]
  const fileDigests = tightForLarge(memo.fileDigests)
  const lookups = { fileDigests, onEvent: listener, signal: stopper.stop }
  const benchmarks = { readOnly, ...benchmarksOf(options, profile), ...lookups }
  const bertScore = await bertScoreOf(config, benchmarks)
  const { prices } = registry
  const spending = openSpending(options, { storePath, store, vault, prices, tier })
  const flush = async (): Promise<unknown> =>
    !readOnly && (hasResults(store) || vault.exists()) && memo.flush()
  return {
    workspace,
    registry,
    prices,
    store,
    storePath,
    vault,
    spending,
    batches: connections.batches,
    ...(tier === undefined ? {} : { tier }),
    benchmarks,
    entries: memo.entries,
    ...(bertScore === undefined ? {} : { bertScore: bertScore.identity }),
    ...(readOnly ? {} : accessMoves(store, vault, listener)),
    locateModel: createLocateModel(benchmarks),
    env: {
      ...keepings(bertScore, store, vault),
      profile,
      listener,
      ...connections,
      tokenizer: loadTokenizer,
      sqlBox: sqlBoxes.open,
      spending,
      storedOnly: options.storedOnly ?? false,
      retry: { ...DEFAULT_RETRY, attempts: config.attempts, rejections: config.rejections },
      stop: stopper.stop,
      abort: stopper.abort,
      random: Math.random,
      now: Date.now,
      clock: () => Math.round(performance.now()),
    },
    close: () =>
      closeAll([sqlBoxes, bertScore, { close: closeConnections }, { close: flush }, tier, vault, store]),
  }
}

/** What keeps a target's results, an encoder's embeddings among them, in the open and in the vault. */
const keepings = (
  bertScore: BertScoreSetup | undefined,
  records: Store,
  vault: SessionVault,
): Pick<SharedEnv, 'records' | 'open' | 'restricted'> => {
  const keeping = (store: Store): Keeping => ({
    store,
    ...(bertScore === undefined ? {} : { bertScorer: () => bertScore.scorer(store) }),
  })
  return { records, open: keeping(records), restricted: async () => keeping(await vault.guarded()) }
}

/** A box a database, opened with its first query. */
const createSqlBoxes = (): { readonly open: SharedEnv['sqlBox']; readonly close: () => Promise<void> } => {
  const boxes = new Map<string, SqlBox>()
  return {
    open: ({ path, digest }) =>
      remembered(boxes, digest, () => createSqlBox(async () => new Uint8Array(await readFile(path)))),
    close: async () => {
      await Promise.all([...boxes.values()].map(async (box) => box.close()))
    },
  }
}

/** Loaded late: nearly no workspace has an encoder. */
const bertScoreOf = async (
  { bert_score: config }: Config,
  benchmarks: BenchmarkContext,
): Promise<BertScoreSetup | undefined> =>
  config === undefined ? undefined : (await import('./bert-score.ts')).setUpBertScore(config, benchmarks)

/** Bytes of a data file whose rows alone fill the heap when they are read for the first time. */
const LARGE = 8_000_000

const tightForLarge = (digests: FileDigests): FileDigests => ({
  get: (path, stat) => digests.get(path, stat),
  put: (path, stat, digest) => {
    if (stat.size >= LARGE) growHeapLeast()
    return digests.put(path, stat, digest)
  },
})

/** Where there is no store yet, a session that only reads sees an empty one; another makes it with its first write. */
const openSessionStore = async (
  path: string,
  options: SessionOptions,
  tier: SessionTier | undefined,
): Promise<Store> => {
  const readOnly = options.readOnly ?? false
  const place = { path, readOnly, onEvent: options.listener }
  if (tier !== undefined) return tier.through(await openStore(place), path)
  const noted = { ...place, notes: storeNotes(options.env) }
  const open = (): Promise<DiskStore> => openStore(noted)
  if (existsSync(path)) return open()
  if (!readOnly) return lazyStore(open)
  tellIfOlder(noted)
  return memoryStore()
}

const connectionsOf = (
  options: SessionOptions,
  tier: SessionTier | undefined,
): Parameters<typeof createConnections>[0] => {
  let isTold = false
  const onAlone = (problem: ProblemError): void => {
    if (!isTold) options.listener({ type: 'limits-alone', problem })
    isTold = true
  }
  if (tier?.shard === undefined) return { ...options, onAlone }
  return {
    ...options,
    onAlone,
    shard: tier.shard,
    isResumed: () => tier.isResumed(),
    onAwaited: (deployment, wait) => options.listener({ type: 'deployment-awaited', deployment, wait }),
  }
}

/** True once any run was begun on its data. */
const hasResults = (store: Store): boolean => {
  for (const _ of store.entries('instances')) return true
  return false
}
