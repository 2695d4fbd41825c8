import type { Endpoint } from '../../models/agreement/data-agreement.ts'
import { endpointOf } from '../../models/agreement/endpoint.ts'
import { createClient } from '../../models/clients/create-client.ts'
import type { Client } from '../../models/clients/client.ts'
import { createLimiter, type Limiter } from '../../models/limits/limiter.ts'
import type { Credentials } from '../../models/registry/credentials.ts'
import type { ModelDeployment } from '../../models/registry/model.ts'
import { remembered } from './remembered.ts'
import type { Workspace } from './workspace.ts'

interface ReachOptions {
  readonly workspace: Workspace
  readonly concurrency?: number
}

/** One client and one limiter a deployment, opened when the first call wants them. */
export interface Reach {
  readonly client: (deployment: ModelDeployment) => Promise<Client>
  readonly limiter: (deployment: ModelDeployment) => Limiter
  readonly endpoint: (deployment: ModelDeployment) => Endpoint
  readonly close: () => Promise<void>
}

export const createReach = (options: ReachOptions, credentials: Credentials): Reach => {
  const clients = new Map<string, Promise<Client>>()
  const limiters = new Map<string, Limiter>()
  const limiter = (deployment: ModelDeployment): Limiter =>
    remembered(limiters, deployment.name, () => createLimiter(limitsOf(deployment, options)))
  return {
    limiter,
    endpoint: (deployment) => endpointOf(deployment, credentials),
    client: (deployment) =>
      remembered(clients, deployment.name, () =>
        createClient(deployment, credentials, {
          timeout: options.workspace.config.timeout * 1000,
          connections: limiter(deployment).concurrency,
        }),
      ),
    close: async () => {
      // Whoever asked for a client that could not be opened knows why.
      const opened = [...clients.values()].map((client) => client.catch(() => undefined))
      await Promise.all(opened.map(async (client) => (await client)?.close?.()))
    },
  }
}

/** `-n` caps every deployment; a deployment's own limit stands where it is lower. */
const limitsOf = (deployment: ModelDeployment, options: ReachOptions): ModelDeployment['limits'] => {
  const wanted = options.concurrency ?? options.workspace.config.concurrency
  if (wanted === undefined) return deployment.limits
  return { ...deployment.limits, concurrency: Math.min(wanted, deployment.limits.concurrency ?? wanted) }
}
