import type { JsonObject } from '../../cache/values/json.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { localIdentity, type LocalIdentity } from '../local/identity.ts'
import { isLocalModel, localSettings } from '../local/settings.ts'
import type { Credentials } from '../deployment/credentials.ts'
import { clientPlace, type ModelDeployment } from '../deployment/model.ts'
import { textArgument as text, callsOf, serverOf, baseUrlOf } from './chat/server-of.ts'
import { settingsIdentity, type FormName, createPatience } from './chat/call-settings.ts'
import type { Client } from '../calls/client.ts'
import { clientName, codeModel, codeUrl } from './code/client-file.ts'
import type { ServerOptions } from './chat/server.ts'
import { serverPlace, type Endpoint } from '../agreement/data-agreement.ts'

/** What of a deployment can alter an answer, and so is part of every completion key. Never its URL, key or limits. */
export interface DeploymentIdentity {
  readonly deployment: string
  /** Model string sent to the server; for embedded models their name. */
  readonly modelString: string
  /** `chat`: any server that speaks one of OpenAI's interfaces. */
  readonly protocol: 'chat' | 'code' | 'baseline' | 'simple' | 'local'
  /** Absent for chat completions. */
  readonly form?: FormName
  /** What the deployment says of reasoning, and what it puts into every request. */
  readonly arguments?: JsonObject
  readonly local?: LocalIdentity
  /** Of a client of the workspace: digest of its code. */
  readonly code?: string
}

/** @throws ProblemError `models/unknown-client` for a client class that has no counterpart here, `models/client-args`, `models/local-args` */
export const identityOf = (deployment: ModelDeployment): DeploymentIdentity => ({
  deployment: deployment.name,
  ...clientIdentity(deployment),
})

const clientIdentity = (deployment: ModelDeployment): Omit<DeploymentIdentity, 'deployment'> => {
  const { className, args } = deployment.client
  if (className === 'medmake.baseline')
    return { modelString: text(args, 'name') ?? deployment.name, protocol: 'baseline' }
  if (className === 'medmake.simple' || className === 'helm.clients.simple_client.SimpleClient')
    return { modelString: 'simple', protocol: 'simple' }
  if (isLocalModel(deployment)) return localIdentity(deployment)
  if (clientName(className) !== undefined) {
    const { base_url: _, api_key: __, ...own } = args
    const { digest: code } = codeOf(deployment)
    return { modelString: codeModel(deployment), protocol: 'code', arguments: own as JsonObject, code }
  }
  const { model, settings } = callsOf(deployment)
  return { modelString: model, protocol: 'chat', ...settingsIdentity(deployment.client, settings) }
}

/** @throws ProblemError `models/unknown-client` where the workspace has no such client; those of reading it */
const codeOf = (deployment: ModelDeployment): NonNullable<ModelDeployment['code']> => {
  const { code, codeFault, client, name } = deployment
  if (code !== undefined) return code
  if (codeFault !== undefined) throw codeFault
  const own = clientName(client.className) ?? ''
  throw new ProblemError({
    code: 'models/unknown-client',
    message: `deployment ${name} wants the client ${own} of the workspace, which has none of that name`,
    where: clientPlace(deployment, 'class_name'),
    remedy: `Write it into models/clients/${own}.ts, or name another class.`,
  })
}

interface ClientOptions extends Pick<
  ServerOptions,
  'timeout' | 'connections' | 'longestReply' | 'onRateHeaders'
> {
  /** Milliseconds before which no attempt is given up, however fast others were answered. */
  readonly shortestTimeout: number
}

/** Opens the client of a deployment. Loads the openai package only for deployments that need it. */
export const createClient = async (
  deployment: ModelDeployment,
  credentials: Credentials,
  options: ClientOptions,
): Promise<Client> => {
  const { protocol, modelString } = identityOf(deployment)
  if (protocol === 'baseline') return (await import('./baseline/client.ts')).createBaselineClient(modelString)
  if (protocol === 'simple') return (await import('./simple.ts')).createSimpleClient()
  if (protocol === 'local') return openLocal(deployment)
  if (protocol === 'code')
    return (await import('./code/code-client.ts')).createCodeClient(deployment, credentials, options)
  return openServerClient(deployment, credentials, options)
}

const openServerClient = async (
  deployment: ModelDeployment,
  credentials: Credentials,
  options: ClientOptions,
): Promise<Client> => {
  const { createServerClient } = await import('./chat/server.ts')
  return createServerClient({
    ...serverOf(deployment, credentials),
    ...callsOf(deployment),
    ...options,
    patience: createPatience({ longest: options.timeout, shortest: options.shortestTimeout }),
  })
}

const openLocal = async (deployment: ModelDeployment): Promise<Client> => {
  const { weights } = deployment
  if (weights === undefined)
    throw new TypeError(`${deployment.name} is asked before its files were looked for`)
  return (await import('./local.ts')).createLocalClient(weights.files, localSettings(deployment))
}

/** Whether a deployment's answers come from a server, and so may cost money; embedded models answer in this process. */
export const isRemote = (deployment: ModelDeployment): boolean => {
  const { protocol } = identityOf(deployment)
  return protocol === 'chat' || protocol === 'code'
}

/**
 * Where the client of a deployment would send a request, by the rule by which it is opened.
 * @throws ProblemError `models/unknown-client`
 */
export const endpointOf = (deployment: ModelDeployment, credentials: Credentials): Endpoint => {
  if (!isRemote(deployment)) return { kind: 'process' }
  try {
    const place = serverPlace(urlOf(deployment, credentials))
    return place === undefined ? { kind: 'nowhere' } : { kind: 'server', ...place }
  } catch (error) {
    if (error instanceof ProblemError && error.problems[0]?.code === 'models/no-url')
      return { kind: 'nowhere' }
    throw error
  }
}

/** Base URL of a deployment that is asked over a network. @throws ProblemError `models/no-url` */
export const urlOf = (deployment: ModelDeployment, credentials: Credentials): string =>
  clientName(deployment.client.className) === undefined
    ? baseUrlOf(deployment, credentials)
    : codeUrl(deployment)
