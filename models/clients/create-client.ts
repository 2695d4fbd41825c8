import { ProblemError } from '../../cache/problem.ts'
import { isLoopback } from '../agreement/data-agreement.ts'
import { localIdentity, type LocalIdentity } from '../local/identity.ts'
import { isLocalModel, localSettings } from '../local/settings.ts'
import { environmentName, type Credentials } from '../registry/credentials.ts'
import type { ModelDeployment } from '../registry/model.ts'
import { baseUrlOf, chatClass, textArgument as text } from './base-url.ts'
import type { ChatClass } from './classes.ts'
import type { Client } from './client.ts'

/** What of a deployment can alter an answer, and so is part of every completion key. Never its URL, key or limits. */
export interface DeploymentIdentity {
  readonly deployment: string
  /** Model string sent to the server; for embedded models their name. */
  readonly modelString: string
  readonly protocol: 'chat' | 'baseline' | 'simple' | 'local'
  readonly local?: LocalIdentity
}

/** @throws ProblemError `models/unknown-client` for a client class that has no counterpart here, `models/local-args` */
export const identityOf = (deployment: ModelDeployment): DeploymentIdentity => {
  const { className, args } = deployment.client
  if (className === 'medmake.baseline')
    return {
      deployment: deployment.name,
      modelString: text(args, 'name') ?? deployment.name,
      protocol: 'baseline',
    }
  if (className === 'medmake.simple' || className === 'helm.clients.simple_client.SimpleClient')
    return { deployment: deployment.name, modelString: 'simple', protocol: 'simple' }
  if (isLocalModel(deployment)) return localIdentity(deployment)
  return {
    deployment: deployment.name,
    modelString: modelStringOf(deployment, chatClass(deployment)),
    protocol: 'chat',
  }
}

/** Opens the client of a deployment. Loads the openai package only for deployments that need it. */
export const createClient = async (
  deployment: ModelDeployment,
  credentials: Credentials,
  options: { readonly timeout: number; readonly connections: number },
): Promise<Client> => {
  const { protocol, modelString } = identityOf(deployment)
  if (protocol === 'baseline') return (await import('./baseline/client.ts')).createBaselineClient(modelString)
  if (protocol === 'simple') return (await import('./simple.ts')).createSimpleClient()
  if (protocol === 'local') return openLocal(deployment)
  const kind = chatClass(deployment)
  const baseUrl = baseUrlOf(deployment, kind, credentials)
  const { createChatClient } = await import('./chat.ts')
  const organization = credentials.lookup(deployment.name, 'OrgId')
  return createChatClient({
    baseUrl,
    model: modelString,
    apiKey: apiKeyOf(deployment, kind, credentials, baseUrl),
    ...(organization === undefined ? {} : { organization }),
    timeout: options.timeout,
    connections: options.connections,
    reasoning: /^(?:o\d|gpt-5)/.test(modelString),
  })
}

const openLocal = async (deployment: ModelDeployment): Promise<Client> => {
  const { weights } = deployment
  if (weights === undefined)
    throw new TypeError(`${deployment.name} is asked before its files were looked for`)
  return (await import('./local.ts')).createLocalClient(weights.files, localSettings(deployment))
}

const modelStringOf = (deployment: ModelDeployment, kind: ChatClass): string => {
  for (const name of kind.modelArgs) {
    const value = text(deployment.client.args, name)
    if (value !== undefined) return value
  }
  return deployment.modelName.split('/').at(-1) ?? deployment.modelName
}

const apiKeyOf = (
  deployment: ModelDeployment,
  kind: ChatClass,
  credentials: Credentials,
  baseUrl: string,
): string => {
  const key = text(deployment.client.args, 'api_key') ?? credentials.lookup(deployment.name, 'ApiKey')
  if (key !== undefined) return key
  if (kind.keyOptional || isLoopback(new URL(baseUrl).hostname)) return 'EMPTY'
  const host = deployment.name.split('/')[0] ?? deployment.name
  throw new ProblemError({
    code: 'models/no-key',
    message: `there is no API key for ${deployment.name}`,
    where: { file: 'credentials.conf', field: `${host}ApiKey` },
    remedy: `Set the environment variable ${environmentName(host, 'ApiKey')}, or write ${host}ApiKey: "…" into prod_env/credentials.conf.`,
  })
}
