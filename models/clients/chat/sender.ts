import type { Dispatcher } from 'undici'
import { createAgent } from '../../../cache/network/agent.ts'
import { aborted, ClientError } from '../../calls/client.ts'
import { unreached } from '../call-error.ts'
import { keyHider } from './hide-key.ts'

/** By lower-case name. */
export type ReplyHeaders = Pick<ReadonlyMap<string, string>, 'get'>

/** What a server answered, whatever its status. */
export interface Answer {
  readonly status: number
  readonly headers: ReplyHeaders
  readonly text: string
}

export interface SentRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Sender {
  /** @throws ClientError `reply/too-large`, `call/unreached`, `call/timeout`, `call/aborted`; undici's errors */
  send(request: SentRequest): Promise<Answer>
  close(): Promise<void>
}

export interface SenderOptions {
  /** Milliseconds until a call is given up. */
  readonly timeout: number
  readonly connections: number
  /** Bytes of a reply; one with more is given up. */
  readonly longestReply: number
  /** Kept out of every reply: some servers repeat it in their errors. */
  readonly apiKey: string
  /** Sees the headers of every reply. */
  readonly onHeaders?: (headers: ReplyHeaders) => void
}

/**
 * Sends requests over undici's dispatcher: no streams, a fifth of fetch's CPU time per call.
 * A reply is read whole before it is handed on; redirects are not followed.
 */
export const createSender = (options: SenderOptions): Sender => {
  const hideKey = keyHider(options.apiKey)
  const agent = createAgent({
    connections: options.connections,
    // A call has a limit of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
  })
  const places = new Map<string, Place>()
  const placeOf = (url: string): Place => {
    const place = places.get(url) ?? placeIn(url)
    // Looks for batches have a URL each.
    if (places.size < PLACES) places.set(url, place)
    return place
  }
  return {
    send: async ({ method, url, headers, body, signal }) => {
      const request = { ...placeOf(url), method, headers, ...(body === undefined ? {} : { body }) }
      const answer = await receive(agent, request, signal, options)
      return { ...answer, text: hideKey(answer.text) }
    },
    close: () => agent.destroy(),
  }
}

const receive = (
  agent: Dispatcher,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal | undefined,
  { timeout, longestReply, onHeaders }: SenderOptions,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(aborted())
    let sent: Dispatcher.DispatchController | undefined
    let status = 0
    let headers: ReplyHeaders = new Map()
    const chunks: Buffer[] = []
    let size = 0
    const onAbort = (): void => giveUp(aborted())
    const timer = setTimeout(() => giveUp(tooSlow()), timeout)
    signal?.addEventListener('abort', onAbort)
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    let givenUp: ClientError | undefined
    const giveUp = (reason: ClientError): void => {
      givenUp ??= reason
      end()
      reject(givenUp)
      sent?.abort(givenUp)
    }
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => {
        sent = controller
        // While it waited for a connection.
        if (givenUp !== undefined) controller.abort(givenUp)
      },
      onResponseStart: (_, statusCode, raw) => {
        // Before the reply there may be others that only inform.
        if (statusCode < 200) return
        status = statusCode
        headers = headersOf(raw)
        onHeaders?.(headers)
      },
      onResponseData: (_, chunk) => {
        size += chunk.length
        if (size > longestReply) giveUp(tooLarge(longestReply))
        else chunks.push(chunk)
      },
      onResponseEnd: () => {
        end()
        resolve({ status, headers, text: UTF8.decode(Buffer.concat(chunks, size)) })
      },
      onResponseError: (_, error) => {
        end()
        reject(sent === undefined ? unreached(error, String(request.origin)) : error)
      },
    }
    try {
      agent.dispatch(request, handler)
    } catch (error) {
      end()
      reject(unreached(error, String(request.origin)))
    }
  })

/** Without the mark that some servers begin with. One for all: making it takes longer than a reply's text. */
const UTF8 = new TextDecoder()

type Place = Pick<Dispatcher.DispatchOptions, 'origin' | 'path'>

const PLACES = 100

const placeIn = (url: string): Place => {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname + search }
}

export const tooLarge = (longest: number): ClientError =>
  new ClientError(
    'reply/too-large',
    `the server sent more than ${(longest / 1e6).toLocaleString('en')} MB; max_reply_mb of medmake.yaml allows more`,
    { retriable: false },
  )

const tooSlow = (): ClientError => new ClientError('call/timeout', 'no answer in time', { retriable: true })

const headersOf = (raw: Readonly<Record<string, string | string[] | undefined>>): ReplyHeaders =>
  new Map(
    Object.entries(raw).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
