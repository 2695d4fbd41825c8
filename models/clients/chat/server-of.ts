import { ProblemError } from '../../../cache/problems/problem.ts'
import { defined } from '../../../cache/values/defined.ts'
import { isLoopback } from '../../../cache/network/proxy.ts'
import { hostKey, type Credentials } from '../../deployment/credentials.ts'
import { clientPlace, type ModelDeployment } from '../../deployment/model.ts'
import { callSettings, headerArguments, type CallSettings } from './call-settings.ts'
import { type ChatClass, CHAT_CLASSES, supportedClasses, otherClass } from './classes.ts'
import type { ServerOptions } from './server.ts'
import { suggestion } from '../../../cache/problems/did-you-mean.ts'

/** What the server calls the model. */
const modelStringOf = ({ client, modelName }: ModelDeployment, kind: ChatClass): string => {
  for (const name of kind.modelArgs) {
    const value = textArgument(client.args, name)
    if (value !== undefined) return value
  }
  return kind.wholeName === true ? modelName : (modelName.split('/').at(-1) ?? modelName)
}

/**
 * What a chat deployment's requests are made of: the model string, and what its arguments say.
 * @throws ProblemError `models/unknown-client`, `models/client-args`
 */
export const callsOf = (
  deployment: ModelDeployment,
): { readonly model: string; readonly settings: CallSettings } => {
  const kind = chatClass(deployment)
  const model = modelStringOf(deployment, kind)
  return { model, settings: callSettings(deployment, kind, model) }
}

/**
 * Where a deployment's server is and how it lets us in.
 * @throws ProblemError `models/no-url`, `models/no-key`, `models/client-args`
 */
export const serverOf = (
  deployment: ModelDeployment,
  credentials: Credentials,
): Pick<ServerOptions, 'baseUrl' | 'apiKey' | 'keyHeader' | 'headers' | 'query' | 'organization'> => {
  const kind = chatClass(deployment)
  const { args } = deployment.client
  const { url, query } = withoutQuery(baseUrlOf(deployment, credentials))
  const keyHeader = textArgument(args, 'key_header') ?? kind.keyHeader ?? (kind.azure && 'api-key')
  const organization = textArgument(args, 'org_id') ?? credentials.lookup(deployment.name, 'OrgId')
  return defined({
    baseUrl: kind.azure === undefined ? url : azureUrl(url, modelStringOf(deployment, kind)),
    apiKey: apiKeyOf(deployment, kind, credentials, url),
    keyHeader,
    headers: headerArguments(deployment),
    query: {
      ...query,
      ...(kind.azure && {
        'api-version': textArgument(args, 'api_version') ?? query['api-version'] ?? kind.azure.apiVersion,
      }),
    },
    organization,
  })
}

/** Paths are put behind the one, and the other behind each path. */
const withoutQuery = (
  url: string,
): { readonly url: string; readonly query: Readonly<Record<string, string>> } => {
  const [base = url] = url.split('?')
  return { url: base, query: Object.fromEntries(new URL(url).searchParams) }
}

/** A resource's endpoint becomes the deployment's URL; one that names a deployment stays. */
const azureUrl = (url: string, model: string): string => {
  const base = url.replace(/\/+$/, '')
  if (base.includes('/deployments/')) return base
  const resource = base.endsWith('/openai') ? base : `${base}/openai`
  return `${resource}/deployments/${encodeURIComponent(model)}`
}

const apiKeyOf = (
  deployment: ModelDeployment,
  kind: ChatClass,
  credentials: Credentials,
  baseUrl: string,
): string => {
  const key = textArgument(deployment.client.args, 'api_key') ?? credentials.lookup(deployment.name, 'ApiKey')
  if (key !== undefined) return key
  if (kind.keyOptional || isLoopback(new URL(baseUrl).hostname)) return 'EMPTY'
  const { field, variable } = hostKey(deployment.name)
  throw new ProblemError({
    code: 'models/no-key',
    message: `there is no API key for ${deployment.name}`,
    where: { file: 'credentials.conf', field },
    remedy: `Set the environment variable ${variable}, or write ${field}: "…" into prod_env/credentials.conf.`,
  })
}

/** @throws ProblemError `models/unknown-client` */
export const chatClass = (deployment: ModelDeployment): ChatClass => {
  const { className } = deployment.client
  const found = CHAT_CLASSES[className]
  if (found) return found
  const other = otherClass(className)
  throw new ProblemError({
    code: 'models/unknown-client',
    message: `deployment ${deployment.name} wants the client ${className}, which ${other?.reason ?? 'has no counterpart here'}`,
    where: clientPlace(deployment, 'class_name'),
    remedy:
      other?.instead ??
      `${suggestion(className, supportedClasses())}Any OpenAI-compatible server works with medmake.chat and args base_url, model.`,
  })
}

/** A text among a client's arguments; undefined where it is absent or empty. */
export const textArgument = (args: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = args[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * The server of a chat deployment: its declaration's, else the credentials', else the provider's own.
 * @throws ProblemError `models/no-url`
 */
export const baseUrlOf = (deployment: ModelDeployment, credentials: Credentials): string => {
  const kind = chatClass(deployment)
  const { args } = deployment.client
  const credential =
    kind.urlCredential === undefined ? undefined : credentials.lookup(deployment.name, kind.urlCredential)
  const own = textArgument(args, 'base_url') ?? (kind.azure && textArgument(args, 'endpoint'))
  const url = own?.replace('{endpoint}', credential ?? '{endpoint}') ?? credential ?? kind.baseUrl
  if (url !== undefined && isOfServer(url)) return url
  throw noUrl(
    deployment,
    url,
    'Add args: {base_url: "http://127.0.0.1:8000/v1"} to its client_spec; one that is built in is declared anew in prod_env/model_deployments.yaml, which wins.',
  )
}

/** `localhost:8000` has the protocol `localhost:`; what a user or a `#` would lead to, nobody is sent. */
export const isOfServer = (url: string): boolean => {
  if (!URL.canParse(url) || url.includes('#')) return false
  const { protocol, username, password } = new URL(url)
  return /^https?:$/.test(protocol) && username + password === ''
}

/** @param url what stands in its place, if anything does */
export const noUrl = (deployment: ModelDeployment, url: string | undefined, remedy: string): ProblemError =>
  new ProblemError({
    code: 'models/no-url',
    // A password may stand in it.
    message:
      url === undefined
        ? `deployment ${deployment.name} names no server`
        : `${/[@#]/.test(url) ? 'what has a user or a # in it' : url} is no URL of a server`,
    where: clientPlace(deployment, 'args', 'base_url'),
    remedy,
  })
