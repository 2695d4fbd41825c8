import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import { isMapping, type JsonObject } from '../../../cache/values/json.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { ModelDeployment } from '../../deployment/model.ts'
import type { ChatClass } from './classes.ts'

export const FORM_NAMES = ['chat', 'responses', 'completions'] as const
export type FormName = (typeof FORM_NAMES)[number]

/** What of a deployment's arguments shapes its requests. */
export interface CallSettings {
  readonly form: FormName
  /** Takes no sampling parameters, and `max_completion_tokens` in place of `max_tokens`. */
  readonly reasoning: boolean
  readonly reasoningEffort?: string
  /** Put into every request, over what is there. */
  readonly body?: JsonObject
}

/** Of every class; each class adds the names by which it knows a model. */
const ARGUMENTS = [
  'base_url',
  'api_key',
  'org_id',
  'api',
  'reasoning',
  'reasoning_effort',
  'body',
  'key_header',
  'headers',
  'batches',
] as const
const AZURE_ARGUMENTS = ['api_version', 'endpoint'] as const
/** We never ask for log probabilities; so there are none to switch off. */
const WITHOUT_EFFECT = ['disable_logprobs'] as const

/** OpenAI's o-series and gpt-5, by name, where no argument says it. */
const REASONING = /^(?:o\d|gpt-5)/

/** @throws ProblemError `models/client-args` for an argument that is unknown or has no such value */
export const callSettings = (
  deployment: ModelDeployment,
  kind: ChatClass,
  modelString: string,
): CallSettings => {
  const { args } = deployment.client
  const known = [
    ...ARGUMENTS,
    ...kind.modelArgs,
    ...(kind.azure === undefined ? [] : AZURE_ARGUMENTS),
    ...WITHOUT_EFFECT,
  ]
  for (const [name, value] of Object.entries(args))
    if (!known.includes(name) && value !== null && value !== false)
      throw unknownArgument(deployment, name, known)
  const form = oneOf(deployment, 'api', FORM_NAMES) ?? kind.form ?? 'chat'
  const effort = args['reasoning_effort']
  if (effort !== undefined && effort !== null && typeof effort !== 'string')
    throw badArgument(deployment, 'reasoning_effort', 'a text such as low')
  const reasoning = args['reasoning']
  if (reasoning !== undefined && typeof reasoning !== 'boolean')
    throw badArgument(deployment, 'reasoning', 'true or false')
  const body = { ...kind.body, ...objectArgument(deployment, 'body') }
  return {
    form,
    reasoning: reasoning ?? REASONING.test(modelString.split('/').at(-1) ?? modelString),
    ...(typeof effort === 'string' ? { reasoningEffort: effort } : {}),
    ...(Object.keys(body).length === 0 ? {} : { body }),
  }
}

/** What of the settings the model's name does not say: part of every key. */
export const settingsIdentity = (
  { args }: ModelDeployment['client'],
  { form, reasoning, reasoningEffort, body }: CallSettings,
): { readonly form?: FormName; readonly arguments?: JsonObject } => {
  const own = {
    ...(typeof args['reasoning'] === 'boolean' ? { reasoning } : {}),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    ...(body === undefined ? {} : { body }),
  }
  return {
    ...(form === 'chat' ? {} : { form }),
    ...(Object.keys(own).length === 0 ? {} : { arguments: own }),
  }
}

/** Arguments of `medmake.chat` that have that identity. */
export const settingsArguments = (identity: {
  readonly form?: FormName
  readonly arguments?: JsonObject
}): Readonly<Record<string, unknown>> => {
  const { reasoning, reasoningEffort, body } = identity.arguments ?? {}
  return {
    ...(identity.form === undefined ? {} : { api: identity.form }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort }),
    ...(body === undefined ? {} : { body }),
  }
}

/** Headers beside those of the interface. Their values may be secrets. */
export const headerArguments = (deployment: ModelDeployment): Readonly<Record<string, string>> => {
  const headers = objectArgument(deployment, 'headers')
  for (const [name, value] of Object.entries(headers))
    if (typeof value !== 'string') throw badArgument(deployment, `headers.${name}`, 'a text')
  return headers as Readonly<Record<string, string>>
}

const objectArgument = (deployment: ModelDeployment, name: string): JsonObject => {
  const value = deployment.client.args[name]
  if (value === undefined || value === null) return {}
  if (isMapping(value)) return value as JsonObject
  throw badArgument(deployment, name, 'a mapping')
}

const oneOf = <Name extends string>(
  deployment: ModelDeployment,
  argument: string,
  names: readonly Name[],
): Name | undefined => {
  const value = deployment.client.args[argument]
  if (value === undefined || value === null) return undefined
  const found = names.find((name) => name === value)
  if (found === undefined) throw badArgument(deployment, argument, `one of ${names.join(', ')}`)
  return found
}

const badArgument = ({ name, file }: ModelDeployment, argument: string, wanted: string): ProblemError =>
  new ProblemError({
    code: 'models/client-args',
    message: `the argument ${argument} of deployment ${name} is not ${wanted}`,
    where: { file, field: `client_spec.args.${argument}` },
    remedy: `Make it ${wanted}, or leave it out.`,
  })

/** Arguments of HELM's that would change the answers, and what else does it. */
const INSTEAD: Readonly<Record<string, string>> = {
  output_processor: 'names a Python function, which is not run here: let the server shape its answers.',
  parse_thinking:
    'cuts thoughts out of the text: let the server tell them apart (vLLM: --reasoning-parser), or set it to false to keep the text whole.',
}

const unknownArgument = (
  { name, file }: ModelDeployment,
  argument: string,
  known: readonly string[],
): ProblemError => {
  const reason = INSTEAD[argument]
  return new ProblemError({
    code: 'models/client-args',
    message:
      reason === undefined
        ? `deployment ${name} has the argument ${argument}, which its client does not know`
        : `the argument ${argument} of deployment ${name} ${reason.split(':')[0] ?? ''}`,
    where: { file, field: `client_spec.args.${argument}` },
    remedy:
      reason === undefined
        ? `${suggestion(argument, known)}It knows ${known.join(', ')}; what the server takes beyond that goes into body.`
        : capital(reason.slice(reason.indexOf(':') + 2)),
  })
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
