import { join } from 'node:path'
import type { BenchmarkContext, FileDigests } from '../../benchmarks/context.ts'
import type { Digest } from '../../cache/digest.ts'
import { ProblemError } from '../../cache/problem.ts'
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
import { DEFAULT_PROFILE } from '../../targets/stages/versions.ts'
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
  close(): Promise<void>
}

/** @throws ProblemError from the workspace's declarations or the store */
export const openSession = async (options: SessionOptions): Promise<Session> => {
  const { workspace, env, listener, stopper } = options
  const { config } = workspace
  const localPath = options.localPath ?? workspace.path(config.local_path)
  const [registry, credentials, store] = await Promise.all([
    loadRegistry({ catalog: join(packageRoot(), 'models/catalog'), workspace: workspace.root, localPath }),
    readCredentials(localPath, env),
    openSessionStore(options.storePath ?? env['MEDMAKE_STORE'] ?? workspace.path(config.store), options),
  ])
  const clients = new Map<string, Promise<Client>>()
  const limiters = new Map<string, Limiter>()
  const limiterOf = (deployment: ModelDeployment): Limiter =>
    remembered(limiters, deployment.name, () => createLimiter(limitsOf(deployment, options)))
  const mirror = options.mirror ?? env['MEDMAKE_MIRROR'] ?? config.mirror
  return {
    workspace,
    registry,
    store,
    benchmarks: {
      workspace: workspace.root,
      cwd: options.cwd,
      dataPath: workspace.path(config.data),
      ...(mirror === undefined ? {} : { mirror: workspace.path(mirror) }),
      fileDigests: storedFileDigests(store, options.readOnly ?? false),
      onEvent: listener,
      signal: stopper.stop,
    },
    env: {
      store,
      profile: DEFAULT_PROFILE,
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
      retry: DEFAULT_RETRY,
      stop: stopper.stop,
      abort: stopper.abort,
      random: Math.random,
      now: Date.now,
    },
    close: async () => {
      await Promise.all([...clients.values()].map(async (client) => (await client).close?.()))
      await store.close()
    },
  }
}

/** A session that only reads sees an empty store where there is none yet. */
const openSessionStore = async (path: string, { readOnly, listener }: SessionOptions): Promise<Store> => {
  try {
    return await openStore({ path, readOnly: readOnly ?? false, onEvent: listener })
  } catch (error) {
    if (readOnly === true && error instanceof ProblemError && error.problems[0]?.code === 'cache/no-store')
      return memoryStore()
    throw error
  }
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

/** Digests of unchanged files cost one stat: kept in the store beside size, change time and inode. */
const storedFileDigests = (store: Store, readOnly: boolean): FileDigests => ({
  get: (path, stat) => {
    const known = store.get('files', path) as { stat: string; digest: Digest<'file'> } | undefined
    return known?.stat === statText(stat) ? known.digest : undefined
  },
  put: async (path, stat, digest) => {
    if (!readOnly) await store.put('files', path, { stat: statText(stat), digest })
  },
})

const statText = (stat: Parameters<FileDigests['get']>[1]): string =>
  `${stat.size}:${stat.mtimeNs}:${stat.inode}`
