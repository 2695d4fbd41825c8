import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { BenchmarkContext, FileDigests } from '../../benchmarks/context.ts'
import type { Digest } from '../../cache/digest.ts'
import type { JsonObject } from '../../cache/json.ts'
import { memoryStore } from '../../cache/memory-store.ts'
import { openStore } from '../../cache/open-store.ts'
import { packageRoot } from '../../cache/package-root.ts'
import type { Store } from '../../cache/store.ts'
import { createClient } from '../../models/clients/create-client.ts'
import type { Client } from '../../models/clients/client.ts'
import { createLimiter, type Limiter } from '../../models/limits/limiter.ts'
import { readCredentials } from '../../models/registry/credentials.ts'
import { loadRegistry } from '../../models/registry/load.ts'
import type { ModelDeployment } from '../../models/registry/model.ts'
import type { ModelRegistry } from '../../models/registry/registry.ts'
import { DEFAULT_RETRY } from '../../models/retry.ts'
import { loadTokenizer } from '../../models/tokenizers/tokenizer.ts'
import type { Listener } from '../../targets/event.ts'
import type { StageEnv } from '../../targets/stages/env.ts'
import { dialectOf, type Profile } from '../../targets/profile.ts'
import { createSqlBox, type SqlBox } from '../../targets/sql/box.ts'
import type { BertScoreSetup } from './bert-score.ts'
import type { Config } from './config.ts'
import { lazyStore } from './lazy-store.ts'
import type { Stopper } from './stopper.ts'
import type { Workspace } from './workspace.ts'

export interface SessionOptions {
  readonly workspace: Workspace
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly listener: Listener
  readonly stopper: Stopper
  /** Flags that win over medmake.yaml; paths as the user wrote them, relative to `cwd`. */
  readonly storePath?: string
  readonly localPath?: string
  readonly mirror?: string
  readonly concurrency?: number
  readonly profile?: Profile
  readonly errata?: 'reproduced' | 'corrected'
  /** Opens the store for reading only: `--dry-run`, `explain`. */
  readonly readOnly?: boolean
}

/** Everything one invocation shares: registry, store, clients, limiters. */
export interface Session {
  readonly workspace: Workspace
  readonly registry: ModelRegistry
  readonly store: Store
  readonly env: StageEnv
  readonly benchmarks: BenchmarkContext
  /** What this workspace computes BERTScore with; undefined: it computes none. */
  readonly bertScore?: JsonObject
  close(): Promise<void>
}

/** @throws ProblemError from the workspace's declarations or the store */
export const openSession = async (options: SessionOptions): Promise<Session> => {
  const { workspace, env, stopper } = options
  const listener = tightHeap(options.listener)
  const { config } = workspace
  const localPath = options.localPath ?? workspace.path(config.local_path)
  const [registry, credentials, store] = await Promise.all([
    loadRegistry({ catalog: join(packageRoot(), 'models/catalog'), workspace: workspace.root, localPath }),
    readCredentials(localPath, env),
    openSessionStore(options.storePath ?? env['MEDMAKE_STORE'] ?? workspace.path(config.store), options),
  ])
  const clients = new Map<string, Promise<Client>>()
  const limiters = new Map<string, Limiter>()
  const sqlBoxes = new Map<string, SqlBox>()
  const limiterOf = (deployment: ModelDeployment): Limiter =>
    remembered(limiters, deployment.name, () => createLimiter(limitsOf(deployment, options)))
  const fileDigests = storedFileDigests(store)
  const profile = options.profile ?? config.profile
  const benchmarks = {
    ...benchmarksOf(options, profile),
    fileDigests,
    onEvent: listener,
    signal: stopper.stop,
  }
  const bertScore = await bertScoreOf(config, benchmarks, store)
  return {
    workspace,
    registry,
    store,
    benchmarks,
    ...(bertScore === undefined ? {} : { bertScore: bertScore.identity }),
    env: {
      store,
      profile,
      listener,
      client: (deployment) =>
        remembered(clients, deployment.name, () =>
          createClient(deployment, credentials, {
            timeout: config.timeout * 1000,
            connections: limiterOf(deployment).concurrency,
          }),
        ),
      limiter: limiterOf,
      tokenizer: loadTokenizer,
      sqlBox: ({ path, digest }) =>
        remembered(sqlBoxes, digest, () => createSqlBox(async () => new Uint8Array(await readFile(path)))),
      ...(bertScore === undefined ? {} : { bertScorer: bertScore.scorer }),
      retry: DEFAULT_RETRY,
      stop: stopper.stop,
      abort: stopper.abort,
      random: Math.random,
      now: Date.now,
    },
    close: async () => {
      await Promise.all([...sqlBoxes.values()].map((box) => box.close()))
      await bertScore?.close()
      await Promise.all([...clients.values()].map(async (client) => (await client).close?.()))
      if (options.readOnly !== true && hasResults(store)) await fileDigests.flush()
      await store.close()
    },
  }
}

/** Where benchmarks look for declarations and data, and which version of them is wanted. */
const benchmarksOf = (
  {
    workspace: { root, path, config },
    cwd,
    env,
    mirror = env['MEDMAKE_MIRROR'] ?? config.mirror,
    errata,
  }: SessionOptions,
  profile: Profile,
): Omit<BenchmarkContext, 'fileDigests' | 'onEvent' | 'signal'> => ({
  protocol: dialectOf(profile).protocol,
  errata: errata ?? config.errata,
  workspace: root,
  cwd,
  dataPath: path(config.data),
  ...(mirror === undefined ? {} : { mirror: path(mirror) }),
})

/** Loaded late: nearly no workspace has an encoder. */
const bertScoreOf = async (
  { bert_score: config }: Config,
  benchmarks: BenchmarkContext,
  store: Store,
): Promise<BertScoreSetup | undefined> =>
  config === undefined
    ? undefined
    : (await import('./bert-score.ts')).setUpBertScore(config, benchmarks, store)

/**
 * Most of what a long run makes is garbage at once; left alone, V8 lets the heap grow to a multiple of what lives.
 * Only once there is something to build: a run that finds everything done is over before it pays.
 */
const tightHeap = (listener: Listener): Listener => {
  let tight = false
  return (event) => {
    if (!tight && event.type === 'target-started') {
      tight = true
      setFlagsFromString('--heap-growing-percent=20')
    }
    listener(event)
  }
}

/** Where there is no store yet, a session that only reads sees an empty one; another makes it with its first write. */
const openSessionStore = async (path: string, options: SessionOptions): Promise<Store> => {
  const readOnly = options.readOnly ?? false
  const open = (): Promise<Store> => openStore({ path, readOnly, onEvent: options.listener })
  if (existsSync(path)) return open()
  return readOnly ? memoryStore() : lazyStore(open)
}

/** True once any run was begun on its data. */
const hasResults = (store: Store): boolean => {
  for (const _ of store.entries('instances')) return true
  return false
}

const remembered = <T>(known: Map<string, T>, name: string, make: () => T): T => {
  const found = known.get(name)
  if (found !== undefined) return found
  const made = make()
  known.set(name, made)
  return made
}

/** `-n` caps every deployment; a deployment's own limit stands where it is lower. */
const limitsOf = (deployment: ModelDeployment, options: SessionOptions): ModelDeployment['limits'] => {
  const wanted = options.concurrency ?? options.workspace.config.concurrency
  if (wanted === undefined) return deployment.limits
  return { ...deployment.limits, concurrency: Math.min(wanted, deployment.limits.concurrency ?? wanted) }
}

/**
 * Digests of unchanged files cost one stat: kept in the store beside size, change time and inode.
 * Written at the session's end and only beside results: a digest alone is no reason to make a store.
 */
const storedFileDigests = (store: Store): FileDigests & { flush(): Promise<void> } => {
  const fresh = new Map<string, { readonly stat: string; readonly digest: Digest<'file'> }>()
  return {
    get: (path, stat) => {
      const known = (fresh.get(path) ?? store.get('files', path)) as
        | { stat: string; digest: Digest<'file'> }
        | undefined
      return known?.stat === statText(stat) ? known.digest : undefined
    },
    put: (path, stat, digest) => {
      fresh.set(path, { stat: statText(stat), digest })
      return Promise.resolve()
    },
    flush: async () => {
      await Promise.all([...fresh].map(([path, value]) => store.put('files', path, value)))
    },
  }
}

const statText = (stat: Parameters<FileDigests['get']>[1]): string =>
  `${stat.size}:${stat.mtimeNs}:${stat.inode}`
