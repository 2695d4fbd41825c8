import { didYouMean, suggestion } from '../../../cache/problems/did-you-mean.ts'
import { defined } from '../../../cache/values/defined.ts'
import { isMapping, type JsonObject } from '../../../cache/values/json.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { capital } from '../../../cache/problems/zod-problems.ts'
import { clientPlace, type ModelDeployment } from '../../deployment/model.ts'
import type { ChatClass } from './classes.ts'
import type { CompletionRequest } from '../../calls/client.ts'

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
    // What is off holds for nobody, unless it was to switch off what is on by itself.
    if (
      !known.includes(name) &&
      ((value !== null && value !== false) || didYouMean(name, known) !== undefined)
    )
      throw unknownArgument(deployment, name, known)
  const form = oneOf(deployment, 'api', FORM_NAMES) ?? kind.form ?? 'chat'
  const effort = args['reasoning_effort']
  if (effort !== undefined && effort !== null && typeof effort !== 'string')
    throw badArgument(deployment, 'reasoning_effort', 'a text such as low')
  const reasoning = args['reasoning']
  if (reasoning !== undefined && typeof reasoning !== 'boolean')
    throw badArgument(deployment, 'reasoning', 'true or false')
  const body = objectArgument(deployment, 'body')
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
  const own = defined({
    ...(typeof args['reasoning'] === 'boolean' ? { reasoning } : {}),
    reasoningEffort,
    body,
  })
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
  return defined({ api: identity.form, reasoning, reasoning_effort: reasoningEffort, body })
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

const badArgument = (deployment: ModelDeployment, argument: string, wanted: string): ProblemError =>
  new ProblemError({
    code: 'models/client-args',
    message: `the argument ${argument} of deployment ${deployment.name} is not ${wanted}`,
    where: clientPlace(deployment, 'args', ...argument.split('.')),
    remedy: `Make it ${wanted}, or leave it out.`,
  })

/** Arguments of HELM's that would change the answers, and what else does it. */
const INSTEAD: Readonly<Record<string, string>> = {
  output_processor: 'names a Python function, which is not run here: let the server shape its answers.',
  parse_thinking:
    'cuts thoughts out of the text: let the server tell them apart (vLLM: --reasoning-parser), or set it to false to keep the text whole.',
}

const unknownArgument = (
  deployment: ModelDeployment,
  argument: string,
  known: readonly string[],
): ProblemError => {
  const { name } = deployment
  const reason = INSTEAD[argument]
  return new ProblemError({
    code: 'models/client-args',
    message:
      reason === undefined
        ? `deployment ${name} has the argument ${argument}, which its client does not know`
        : `the argument ${argument} of deployment ${name} ${reason.split(':')[0] ?? ''}`,
    where: clientPlace(deployment, 'args', argument),
    remedy:
      reason === undefined
        ? `${suggestion(argument, known)}It knows ${known.join(', ')}; what the server takes beyond that goes into body.`
        : capital(reason.slice(reason.indexOf(':') + 2)),
  })
}

interface PatienceOptions {
  /** Milliseconds after which any attempt is given up. */
  readonly longest: number
  /** Milliseconds before which none is, however fast the others were. */
  readonly shortest: number
  readonly now?: () => number
}

/** An attempt that is waited for. */
interface Waiting {
  /** Tells that it was answered. */
  answered(): void
  end(): void
}

export interface CallPatience {
  /** @param giveUp - called once when the attempt has taken longer than an answer would */
  begin(request: CompletionRequest, giveUp: () => void): Waiting
  /** Milliseconds that an attempt at this request may take by now. */
  limit(request: CompletionRequest): number
}

/** Answers to learn from before any attempt is given up early. */
const ENOUGH = 30
const REMEMBERED = 200
/** So many times the slowest answer of late. */
const FACTOR = 8
/** So many times longer for each attempt at the same request that was given up. */
const ESCALATION = 4
/** Milliseconds between looks. */
const LOOK = 250

interface Attempt {
  readonly request: CompletionRequest
  readonly started: number
  readonly giveUp: () => void
}

/**
 * How long to wait for an answer, learned from those that came to requests of the same size: a server that loses one
 * call in a hundred would else hold up a run for the full timeout each time. The provider may bill a call that is given
 * up, so the limit is far above what answers take, and the next attempt waits much longer.
 */
export const createPatience = ({
  longest,
  shortest,
  now = () => performance.now(),
}: PatienceOptions): CallPatience => {
  const answers = new Map<number, number[]>()
  const givenUp = new WeakMap<CompletionRequest, number>()
  const waiting = new Set<Attempt>()
  let timer: NodeJS.Timeout | undefined

  const limit = (request: CompletionRequest): number => {
    const times = answers.get(sizeOf(request)) ?? []
    if (times.length < ENOUGH) return longest
    const learned = Math.max(shortest, FACTOR * Math.max(...times))
    return Math.min(longest, learned * ESCALATION ** (givenUp.get(request) ?? 0))
  }

  const look = (): void => {
    for (const attempt of waiting) {
      if (now() - attempt.started < limit(attempt.request)) continue
      stopWaiting(attempt)
      givenUp.set(attempt.request, (givenUp.get(attempt.request) ?? 0) + 1)
      attempt.giveUp()
    }
  }

  const stopWaiting = (attempt: Attempt): void => {
    waiting.delete(attempt)
    if (waiting.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  const remember = (request: CompletionRequest, time: number): void => {
    const size = sizeOf(request)
    const times = answers.get(size)
    if (times === undefined) return void answers.set(size, [time])
    times.push(time)
    if (times.length > REMEMBERED) times.shift()
  }

  return {
    limit,
    begin: (request, giveUp) => {
      const attempt = { request, started: now(), giveUp }
      waiting.add(attempt)
      timer ??= setInterval(look, LOOK).unref()
      return {
        answered: () => remember(request, now() - attempt.started),
        end: () => stopWaiting(attempt),
      }
    },
  }
}

/** Requests that may answer at about the same length: an answer of one token says nothing of one of a thousand. */
const sizeOf = ({ maxTokens, n }: CompletionRequest): number =>
  Math.ceil(Math.log2(Math.max(1, maxTokens * n)))
