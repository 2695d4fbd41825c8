import type { Json } from '../../cache/values/json.ts'
import { connectionWords } from '../../cache/network/connection-words.ts'
import { ClientError } from '../calls/client.ts'
import { toldText } from './told-text.ts'
import type { Answer, ReplyHeaders } from './chat/sender.ts'
import { parseBody } from './wire/parse-body.ts'
import { malformed, optional } from './wire/wire-form.ts'

const RETRIABLE_STATUS = new Set([408, 409, 429])

/** What ended a call that was sent, in our terms: ours as it is, undici's, or what could not be read. */
export const clientErrorOf = (error: unknown): ClientError => {
  if (error instanceof ClientError) return error
  if (error instanceof SyntaxError) return malformed(toldText(error.message), error)
  // Nested deeper than can be walked.
  if (error instanceof RangeError) return malformed('it is nested too deep')
  return isTimeout(error)
    ? new ClientError('call/timeout', 'no answer in time', { retriable: true, cause: error })
    : new ClientError('call/connection', rootMessage(error), { retriable: true, cause: error })
}

/** By the words of the system. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && /timed? ?out/i.test(`${String(error)} ${String(error.cause)}`)

/**
 * What a server said in place of a reply.
 * @throws RangeError where it is nested deeper than can be walked
 */
export const refusedBy = ({ status, headers, text }: Answer): ClientError => {
  const told = toldError(text)
  const words =
    status < 400
      ? 'the server redirects, and nothing is sent after it: base_url must name where calls end'
      : `${status} ${wordsOf(told) || 'status code (no body)'}`
  return new ClientError(`http/${status}`, toldText(words), {
    retriable: isRetriable(status, told?.code),
    status,
    ...optional('retryAfter', retryAfterOf(headers)),
  })
}

/** What stands beside `error` in a server's JSON; a text that is none tells itself. */
type ToldError = { readonly message?: Json; readonly code?: Json } | null | undefined

const toldError = (text: string): ToldError => {
  try {
    const body = parseBody(text) as { readonly error?: ToldError } | null
    return body ? body.error : { message: text }
  } catch (error) {
    if (error instanceof SyntaxError) return text === '' ? undefined : { message: text }
    throw error
  }
}

const wordsOf = (told: ToldError): string => {
  const { message } = told ?? {}
  if (typeof message === 'string' && message !== '') return message
  if (message || told) return JSON.stringify(message || told)
  return ''
}

/** An account without money is told by 429, too: no wait brings any. */
const isRetriable = (status: number, code: Json | undefined): boolean =>
  (RETRIABLE_STATUS.has(status) || status >= 500) && code !== 'insufficient_quota'

/**
 * What ended a request before it was sent. Words that speak of time don't make it a server that is slow to answer: a
 * provider may charge for such a call, and for none that reached nobody.
 */
export const unreached = (error: unknown, url: string): ClientError => {
  const root = rootMessage(error)
  const words = /timed? ?out/i.test(root) ? 'nobody takes connections at this address' : root
  return new ClientError('call/unreached', connectionWords(error, words, { url, isPublic: false }), {
    retriable: true,
  })
}

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

/** Milliseconds from retry-after-ms or Retry-After (seconds or a date); a time that has passed is none to wait. */
const retryAfterOf = (headers: ReplyHeaders): number | undefined => {
  const wait = statedWait(headers)
  return wait === undefined || Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

const statedWait = (headers: ReplyHeaders): number | undefined => {
  const milliseconds = Number(headers.get('retry-after-ms') || Number.NaN)
  if (Number.isFinite(milliseconds)) return milliseconds
  const text = headers.get('retry-after')
  if (!text) return undefined
  const seconds = Number(text)
  return Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - Date.now()
}
