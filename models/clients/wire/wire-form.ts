import type { JsonObject, Json } from '../../../cache/values/json.ts'
import { defined } from '../../../cache/values/defined.ts'
import { ClientError, type CompletionRequest, type Reply, type Choice } from '../../calls/client.ts'
import { toldWords } from './error-body.ts'
import type { CallSettings } from '../chat/call-settings.ts'

/** One of the interfaces of OpenAI-compatible servers. */
export interface WireForm {
  /** Behind the base URL. */
  readonly path: string
  /** Only what the request and the deployment ask for: the rest is left to the server's default, as HELM leaves it. */
  body(request: CompletionRequest, modelString: string, settings: CallSettings): JsonObject
  /**
   * Trusts the server's types: `readReply` looks at all that comes out.
   * @throws ClientError `reply/…`; TypeError for what is not there
   */
  reply(body: unknown): Reply
  /** Whether one request can ask for several answers. */
  readonly several: boolean
}

export const malformed = (detail: string, cause?: unknown): ClientError =>
  new ClientError('reply/malformed', `the server sent a reply that can't be read: ${detail}`, {
    retriable: true,
    cause,
  })

export const otherCount = (sent: number, asked: number): ClientError =>
  new ClientError('reply/other-count', `${sent} answers came to a request for ${asked}`, {
    retriable: false,
  })

export const noChoices = (): ClientError =>
  new ClientError('reply/no-choices', 'the server sent a reply without choices', { retriable: true })

/**
 * Routers put what went wrong behind them beside an answer, or in its place, under status 200. Where they say that the
 * request was refused, by a status of HTTP, it is as if it had been.
 * @param hasAnswer - something of an answer came with it, which may be charged
 * @throws ClientError `reply/error`
 */
export const refuseToldError = (told: unknown, hasAnswer = false): void => {
  if (!told) return
  const words = toldWords(told)
  const status = Number((told as { readonly code?: unknown }).code)
  const isRefused = Number.isInteger(status) && status >= 400 && status < 500
  throw new ClientError(
    'reply/error',
    `the server could not answer${words === undefined ? '' : `: ${toldText(words)}`}`,
    {
      retriable: !isRefused || RETRIABLE_STATUS.has(status),
      ...(isRefused ? { status } : {}),
      ...(hasAnswer ? { billed: true } : {}),
      cause: told,
    },
  )
}

/** Refusals after which the same request may succeed. */
export const RETRIABLE_STATUS: ReadonlySet<number> = new Set([408, 409, 429])

/** More tells nobody anything. */
const LONGEST = 500

/** Controls, and marks that turn the direction of a line or end it: they steer terminals and hide what is written. */
const STEERING = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/gu

/** What a server says of itself, in an error or as a name, as one line that a terminal, a log and a page can show. */
export const toldText = (text: string): string => {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
  return shown.toWellFormed().replaceAll(STEERING, escaped)
}

const NAMES: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
}

const escaped = (character: string): string =>
  NAMES[character] ?? String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0')

/** Only an escape can bring half a surrogate pair: bytes are decoded with U+FFFD where they are no text. */
const HALF = /\\u[dD][89a-fA-F]/

/**
 * A server's JSON with every text well-formed: half a surrogate pair, which an emoji that was cut leaves, becomes U+FFFD.
 * @throws SyntaxError
 */
export const parseBody = (text: string): Json => {
  const value = JSON.parse(text) as Json
  return HALF.test(text) ? wellFormed(value) : value
}

/** Every text of it with U+FFFD in the place of half a surrogate pair. */
export const wellFormed = (value: Json): Json => {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return (value as readonly Json[]).map(wellFormed)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]),
  )
}

/**
 * A server's reply, whatever it put where: what has not its type is left out, and names are fit to be shown.
 * @param n answers that were asked for; scores over fewer, or over others, would be scores of something else
 * @throws ClientError `reply/…`
 */
export const readReply = (form: Pick<WireForm, 'reply'>, body: Json, n?: number): Reply => {
  const { choices, model, systemFingerprint, ...rest } = withPossibleUsage(formed(form, body))
  if (n !== undefined && choices.length !== n) throw otherCount(choices.length, n)
  return {
    ...rest,
    choices: choices.map(readChoice),
    ...defined({ model: name(model), systemFingerprint: name(systemFingerprint) }),
  }
}

/** No prompt and no text are of no tokens: servers that don't count tell zeros. */
const withPossibleUsage = ({ usage, ...reply }: Reply): Reply => {
  if (usage === undefined) return reply
  const isSilent = usage.outputTokens === 0 && reply.choices.some(({ text }) => text !== '')
  return usage.inputTokens === 0 || isSilent ? { ...reply, impossibleUsage: true } : { ...reply, usage }
}

const formed = (form: Pick<WireForm, 'reply'>, body: Json): Reply => {
  try {
    return form.reply(body)
  } catch (error) {
    if (error instanceof ClientError || !(error instanceof TypeError)) throw error
    throw malformed('it is not of the form that was asked for', error)
  }
}

/** Why an answer ended, in a word, or two such as `content_filter: SAFETY`: files that hold no texts hold it. */
const REASON = /^[\w.-]{0,40}(?:: ?[\w.-]{1,40})?$/

/** The forms trust the server's types. */
type Unchecked<T> = { readonly [Key in keyof T]: unknown }

const readChoice = (choice: Choice): Choice => {
  const { finishReason, tokens, thinking, refusal }: Unchecked<Choice> = choice
  return {
    text: choice.text,
    finishReason: typeof finishReason === 'string' && REASON.test(finishReason) ? finishReason : null,
    ...defined({
      tokens: areTokens(tokens) ? tokens : undefined,
      thinking: text(thinking),
      refusal: text(refusal),
    }),
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const name = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? toldText(value) : undefined

/** A log probability beyond all numbers makes all of them useless. */
const areTokens = (value: unknown): value is NonNullable<Choice['tokens']> =>
  Array.isArray(value) &&
  (value as readonly Unchecked<NonNullable<Choice['tokens']>[number]>[]).every(
    (token) => typeof token?.text === 'string' && Number.isFinite(token.logprob),
  )
