import type OpenAI from 'openai'
import { defined } from '../../cache/values/defined.ts'
import { connectionWords } from '../../cache/network/connection-words.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { ClientError, isOutOfQuota, isUnread, isUnreached, refusedSetting } from '../calls/client.ts'
import { toldText, malformed, RETRIABLE_STATUS } from './wire/wire-form.ts'
import { namesProxy } from '../../cache/network/proxy.ts'
import { hostKey } from '../deployment/credentials.ts'
import { serverTime } from '../limits/learned-rate.ts'
import type { ModelDeployment } from '../deployment/model.ts'

/** What the openai package threw, in our terms. */
export const clientErrorOf = (
  error: unknown,
  { APIError, APIUserAbortError, APIConnectionTimeoutError }: typeof OpenAI,
): ClientError => {
  const own = ownError(error)
  if (own !== undefined) return own
  if (error instanceof APIUserAbortError)
    return new ClientError('call/aborted', 'the call was given up', { retriable: false, cause: error })
  if (error instanceof APIConnectionTimeoutError)
    return new ClientError('call/timeout', 'no answer in time', { retriable: true, cause: error })
  if (error instanceof APIError) {
    const status = error.status as number | undefined
    if (status === undefined)
      return new ClientError('call/connection', rootMessage(error), { retriable: true, cause: error })
    const wait = retryAfterOf(error.headers as Headers | undefined)
    const words =
      status < 400
        ? 'the server redirects, and nothing is sent after it: base_url must name where calls end'
        : error.message
    return new ClientError(`http/${status}`, toldText(words), {
      retriable: isRetriable(status, error),
      status,
      ...defined({ retryAfter: wait }),
      // Azure charges for the prompt that its filter has read.
      ...(error.code === 'content_filter' ? { billed: true } : {}),
      cause: error,
    })
  }
  if (error instanceof SyntaxError) return malformed(toldText(error.message), error)
  // Nested deeper than can be walked.
  if (error instanceof RangeError) return malformed('it is nested too deep')
  return new ClientError('call/connection', rootMessage(error), { retriable: true, cause: error })
}

/**
 * An account without money is told by 429, too: no wait brings any. Neither does a wait let pass a request that by itself
 * has more tokens than a minute may have.
 */
const isRetriable = (status: number, { code, message }: InstanceType<typeof OpenAI.APIError>): boolean =>
  (RETRIABLE_STATUS.has(status) || status >= 500) &&
  code !== 'insufficient_quota' &&
  !/^429 Request too large\b/.test(message)

/**
 * What ended a request before it was sent. The openai package takes an error whose words or cause speak of time for a
 * server that is slow to answer: a provider may charge for such a call, and for none that reached nobody.
 */
export const unreached = (error: unknown, url: string): ClientError => {
  if (lacksSpace(error))
    return new ClientError('call/unreached', 'this process may take no more address space for a connection', {
      retriable: true,
      cause: error,
    })
  const root = rootMessage(error)
  const words = /timed? ?out/i.test(root) ? 'nobody takes connections at this address' : root
  return new ClientError('call/unreached', connectionWords(error, words, { url, isPublic: false }), {
    retriable: true,
    ...(error instanceof ProblemError ? { cause: error } : {}),
  })
}

/** undici reads replies by WebAssembly, which reserves more than a limit may leave. */
const lacksSpace = (error: unknown): boolean =>
  error instanceof RangeError && /WebAssembly|Wasm/.test(error.message)

/** `fetch failed` says nothing: the reason sits in the innermost cause. Nothing of it is the server's text. */
const rootMessage = (error: unknown): string => {
  let current: unknown = error
  while (current instanceof Error && current.cause !== undefined) current = current.cause
  if (!(current instanceof Error)) return 'the connection failed'
  const code = 'code' in current && typeof current.code === 'string' ? current.code : current.name
  // Node's own words for what the system said; other texts may come from the server, such as a certificate's names.
  return /^E[A-Z]+$/.test(code) && current.message !== ''
    ? current.message
    : `the connection failed (${code})`
}

/** The openai package wraps what is thrown beneath it. */
const ownError = (error: unknown): ClientError | undefined => {
  let current: unknown = error
  while (current instanceof Error && !(current instanceof ClientError)) current = current.cause
  return current instanceof ClientError ? current : undefined
}

/** Milliseconds from retry-after-ms or Retry-After (seconds or a date); a time that has passed is none to wait. */
const retryAfterOf = (headers: Headers | undefined): number | undefined => {
  const wait = statedWait(headers)
  return wait === undefined || Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

const statedWait = (headers: Headers | undefined): number | undefined => {
  const milliseconds = Number(headers?.get('retry-after-ms') || Number.NaN)
  if (Number.isFinite(milliseconds)) return milliseconds
  const text = headers?.get('retry-after')
  if (!text) return undefined
  const seconds = Number(text)
  return Number.isFinite(seconds)
    ? seconds * 1000
    : Date.parse(text) - serverTime(headers?.get('date'), Date.now())
}

/** What lets a deployment do without what its server refuses. */
const INSTEAD = {
  sampling: '`reasoning: true` (max_completion_tokens, no temperature, no top_p)',
  top_p: '`body: { top_p: null }` (no top_p)',
} as const

/** What to do about a call that failed. */
export const callRemedy = (
  error: Pick<ClientError, 'code' | 'status' | 'message'> & { readonly cause?: unknown },
  { name, file }: Pick<ModelDeployment, 'name' | 'file'>,
): string => {
  const { code, status } = error
  if (error.cause instanceof ProblemError) return error.cause.problems.map(({ remedy }) => remedy).join(' ')
  if (lacksSpace(error.cause))
    return 'Raise the limit (`ulimit -v`, or what the scheduler sets it by) or lift it: this is address space, not memory.'
  const refused = refusedSetting(error)
  if (refused !== undefined) return `Give it ${INSTEAD[refused]} among its args in ${file}.`
  if (isOutOfQuota(error)) return 'Top up the account of this key, raise its limit, or use another key.'
  if (status === 401 || status === 403)
    return `Check the key in ${hostKey(name).variable} or prod_env/credentials.conf, and what it may ask.`
  if (status === 404) return `Check base_url and model in ${file}: the server knows no such path or model.`
  if (status === 429) return 'Wait, or ask for a higher limit; limits in the deployment keep runs below it.'
  if (status !== undefined && status >= 500) return 'The fault is the server’s: try again, or read its log.'
  if (status !== undefined) return `The server refuses the request: check model and class_name in ${file}.`
  if (isUnreached(error) || code === 'call/connection')
    return `See that the server runs and its certificate is trusted, and check base_url in ${file}.${namesProxy() ? '' : ' Where a proxy alone leads out, set HTTPS_PROXY.'}`
  if (code === 'reply/client-form')
    return `Mend the code that ${file} names: ClientReply of 'medmake' is what it has to give.`
  if (isUnread(error))
    return `See that base_url in ${file} is the interface’s own, which mostly ends in /v1: who answers speaks another.`
  if (code === 'call/timeout') return 'See that the server answers at all, or raise timeout in medmake.yaml.'
  return `Check the deployment in ${file}.`
}
