import type { JsonObject } from '../../../cache/values/json.ts'
import { ClientError, type CompletionRequest, type Reply } from '../../calls/client.ts'
import type { CallSettings } from '../chat/call-settings.ts'
import { toldText } from '../told-text.ts'

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
 * Routers put what went wrong behind them beside an answer, or in its place, under status 200.
 * @throws ClientError `reply/error`
 */
export const refuseToldError = (told: unknown): void => {
  if (!told) return
  const message = typeof told === 'string' ? told : (told as { readonly message?: unknown }).message
  const words = typeof message === 'string' ? `: ${toldText(message)}` : ''
  throw new ClientError('reply/error', `the server could not answer${words}`, {
    retriable: true,
    cause: told,
  })
}

/** The property, or none where there is no value. */
export const optional = <Key extends string, Value>(
  key: Key,
  value: Value | null | undefined,
): { [K in Key]?: Value } =>
  (value === undefined || value === null ? {} : { [key]: value }) as { [K in Key]?: Value }
