import { ProblemError } from '../../cache/problem.ts'
import { environmentName, type Credentials } from '../registry/credentials.ts'
import type { ModelDeployment } from '../registry/model.ts'
import { CHAT_CLASSES, supportedClasses, type ChatClass } from './classes.ts'
import type { Client } from './client.ts'

/** What of a deployment can alter an answer, and so is part of every completion key. Never its URL, key or limits. */
export interface DeploymentIdentity {
  readonly deployment: string
  /** Model string sent to the server; for embedded models their name. */
  readonly modelString: string
  readonly protocol: 'chat' | 'baseline' | 'simple'
}

/** @throws ProblemError `models/unknown-client` for a client class we have no counterpart for */
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

const chatClass = (deployment: ModelDeployment): ChatClass => {
  const found = CHAT_CLASSES[deployment.client.className]
  if (found) return found
  throw new ProblemError({
    code: 'models/unknown-client',
    message: `deployment ${deployment.name} wants the client ${deployment.client.className}, which has no counterpart here`,
    where: { file: deployment.file, field: 'client_spec.class_name' },
    remedy: `Use one of: ${supportedClasses().join(', ')}. Any OpenAI-compatible server works with medmake.chat and args base_url, model.`,
  })
}

const text = (args: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = args[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const modelStringOf = (deployment: ModelDeployment, kind: ChatClass): string => {
  for (const name of kind.modelArgs) {
    const value = text(deployment.client.args, name)
    if (value !== undefined) return value
  }
  return deployment.modelName.split('/').at(-1) ?? deployment.modelName
}

const baseUrlOf = (deployment: ModelDeployment, kind: ChatClass, credentials: Credentials): string => {
  const url =
    text(deployment.client.args, 'base_url') ??
    (kind.urlCredential ? credentials.lookup(deployment.name, kind.urlCredential) : undefined) ??
    kind.baseUrl
  if (url !== undefined && URL.canParse(url)) return url
  throw new ProblemError({
    code: 'models/no-url',
    message: url === undefined ? `deployment ${deployment.name} names no server` : `${url} is no URL`,
    where: { file: deployment.file, field: 'client_spec.args.base_url' },
    remedy: 'Add args: {base_url: "http://127.0.0.1:8000/v1"} to its client_spec.',
  })
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

const apiKeyOf = (
  deployment: ModelDeployment,
  kind: ChatClass,
  credentials: Credentials,
  baseUrl: string,
): string => {
  const key = text(deployment.client.args, 'api_key') ?? credentials.lookup(deployment.name, 'ApiKey')
  if (key !== undefined) return key
  if (kind.keyOptional || LOOPBACK.test(new URL(baseUrl).hostname)) return 'EMPTY'
  const host = deployment.name.split('/')[0] ?? deployment.name
  throw new ProblemError({
    code: 'models/no-key',
    message: `there is no API key for ${deployment.name}`,
    where: { file: 'credentials.conf', field: `${host}ApiKey` },
    remedy: `Set the environment variable ${environmentName(host, 'ApiKey')}, or write ${host}ApiKey: "…" into prod_env/credentials.conf.`,
  })
}
