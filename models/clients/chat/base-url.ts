import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { Credentials } from '../../deployment/credentials.ts'
import type { ModelDeployment } from '../../deployment/model.ts'
import { CHAT_CLASSES, supportedClasses, type ChatClass } from './classes.ts'
import { otherClass } from './other-classes.ts'

/** @throws ProblemError `models/unknown-client` */
export const chatClass = (deployment: ModelDeployment): ChatClass => {
  const { className } = deployment.client
  const found = CHAT_CLASSES[className]
  if (found) return found
  const other = otherClass(className)
  throw new ProblemError({
    code: 'models/unknown-client',
    message: `deployment ${deployment.name} wants the client ${className}, which ${other?.reason ?? 'has no counterpart here'}`,
    where: { file: deployment.file, field: 'client_spec.class_name' },
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
  if (url !== undefined && URL.canParse(url)) return url
  throw noUrl(deployment, url, 'Add args: {base_url: "http://127.0.0.1:8000/v1"} to its client_spec.')
}

/** @param url what stands in its place, if anything does */
export const noUrl = (
  { name, file }: ModelDeployment,
  url: string | undefined,
  remedy: string,
): ProblemError =>
  new ProblemError({
    code: 'models/no-url',
    message: url === undefined ? `deployment ${name} names no server` : `${url} is no URL`,
    where: { file, field: 'client_spec.args.base_url' },
    remedy,
  })
