import type { SharedEnv } from '../../targets/env/env.ts'
import { Availability } from '../../models/retry.ts'
import { endpointOf, urlOf, createClient } from '../../models/clients/create-client.ts'
import { openBatchApi } from '../../models/clients/chat/batch-api.ts'
import type { Client } from '../../models/calls/client.ts'
import { DEFAULT_CONCURRENCY, Limiter, unshared, type Sharing } from '../../models/limits/limiter.ts'
import { limitsFolder } from '../../models/limits/limits-folder.ts'
import { shareOnMachine, type OnAlone } from '../../models/limits/machine-sharing.ts'
import { firstPause, splitLimits } from '../../models/limits/split-limits.ts'
import type { Credentials } from '../../models/deployment/credentials.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import { createBatches, type Batches } from '../../targets/batch/batches.ts'
import type { Shard } from '../../targets/keys/shard.ts'
import { remembered } from '../../cache/once.ts'
import type { Workspace } from './workspace/workspace.ts'

interface ConnectionsOptions {
  readonly workspace: Workspace
  readonly env: NodeJS.ProcessEnv
  readonly concurrency?: number
  readonly batch?: boolean
  readonly shard?: Shard
  /** Whether the shard was tried before. */
  readonly isResumed?: () => boolean
  readonly onAwaited?: (deployment: string, wait: number) => void
  readonly onAlone?: OnAlone
}

/** One client and one limiter a deployment, opened when the first call wants them. */
interface Connections extends Pick<SharedEnv, 'client' | 'limiter' | 'availability' | 'endpoint'> {
  readonly batches: Batches
  readonly close: () => Promise<void>
}

export const createConnections = (options: ConnectionsOptions, credentials: Credentials): Connections => {
  const clients = new Map<string, Promise<Client>>()
  const limiters = new Map<string, Limiter>()
  const limiter = (deployment: ModelDeployment): Limiter =>
    remembered(limiters, deployment.name, () => {
      const limits = limitsOf(deployment, options)
      const { shard, isResumed = () => false, onAwaited } = options
      // A task has its part for itself, whatever else this machine runs.
      if (shard === undefined || limits.perMachine === true)
        return new Limiter(limits, undefined, sharingOf(deployment, limits, { ...options, credentials }))
      const pause = firstPause(limits, isResumed())
      if (pause >= TOLD) onAwaited?.(deployment.name, pause)
      return new Limiter(limits, undefined, unshared(), pause)
    })
  const batches = createBatches({
    gather: options.batch ?? false,
    open: (deployment) => openBatchApi(deployment, credentials),
  })
  const { timeout, shortest_timeout: shortestTimeout, max_reply_mb: maxReply } = options.workspace.config
  const availabilities = new Map<string, Availability>()
  return {
    limiter,
    availability: ({ name }) => remembered(availabilities, name, () => new Availability()),
    batches,
    endpoint: (deployment) => endpointOf(deployment, credentials),
    client: (deployment) =>
      remembered(clients, deployment.name, () =>
        createClient(deployment, credentials, {
          timeout: timeout * 1000,
          shortestTimeout: shortestTimeout * 1000,
          longestReply: maxReply * 1e6,
          connections: limiter(deployment).concurrency,
          onRateHeaders: (headers) => limiter(deployment).told(headers),
        }),
      ),
    close: async () => {
      // Whoever asked for a client that could not be opened knows why.
      const open = [...clients.values()].map((client) => client.catch(() => undefined))
      await Promise.all(open.map(async (client) => (await client)?.close?.()))
      for (const each of limiters.values()) each.close()
      await batches.close()
    },
  }
}

/** Milliseconds of a pause that is worth a line. */
const TOLD = 5000

/** `-n` caps every deployment; a deployment's own limit stands where it is lower. */
const limitsOf = (
  { limits }: ModelDeployment,
  { concurrency, workspace, shard }: ConnectionsOptions,
): ModelDeployment['limits'] => {
  const own = shard === undefined ? limits : splitLimits(limits, shard)
  const wanted = concurrency ?? workspace.config.concurrency
  return wanted === undefined ? own : { ...own, concurrency: Math.min(wanted, own.concurrency ?? wanted) }
}

/** What goes to a server is limited together with the other processes of this machine. */
const sharingOf = (
  deployment: ModelDeployment,
  { concurrency = DEFAULT_CONCURRENCY }: ModelDeployment['limits'],
  {
    credentials,
    env,
    onAlone,
  }: Pick<ConnectionsOptions, 'env' | 'onAlone'> & { readonly credentials: Credentials },
): Sharing => {
  if (endpointOf(deployment, credentials).kind !== 'server') return unshared()
  const url = urlOf(deployment, credentials)
  // One that was named is to be used: others may meet there.
  const alone = env['MEDMAKE_LIMITS'] ? undefined : onAlone
  return shareOnMachine(limitsFolder(env), `${deployment.name} ${url}`, concurrency, alone)
}
