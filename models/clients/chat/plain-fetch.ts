import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { remembered } from '../../../cache/once.ts'
import { createAgent } from '../../../cache/network/proxy.ts'
import { ClientError } from '../../calls/client.ts'
import { unreached } from '../call-error.ts'
import { errorBody } from '../wire/error-body.ts'
import { fieldOf } from '../../../cache/problems/problem.ts'
import { malformed, parseBody } from '../wire/wire-form.ts'

/** What of a fetch Response the openai package reads of a reply that is no stream. */
interface PlainResponse {
  readonly ok: boolean
  readonly status: number
  readonly url: string
  readonly headers: ReplyHeaders
  readonly body: null
  text(): Promise<string>
  json(): Promise<unknown>
}

/** By lower-case name; the package asks for single ones and lists all. */
type ReplyHeaders = Pick<ReadonlyMap<string, string>, 'get' | 'entries'>

export interface PlainFetch {
  readonly fetch: typeof globalThis.fetch
  close(): Promise<void>
}

interface PlainFetchOptions {
  /** Milliseconds until a silent server is given up. */
  readonly timeout: number
  readonly connections: number
  /** Bytes of a reply; one with more is given up. */
  readonly longestReply: number
  /** Kept out of every reply: some servers repeat it in their errors. */
  readonly apiKey: string
  /** Kept out of errors: headers and parts of the URL that may be secrets, or words that an answer may hold by chance. */
  readonly sent?: readonly string[]
  /** Sees the headers of every reply. */
  readonly onHeaders?: (headers: ReplyHeaders) => void
}

/**
 * A fetch for JSON calls over undici's dispatcher: no streams, a fifth of fetch's CPU time per call.
 * The reply is read whole before it is handed on.
 */
export const createPlainFetch = ({
  timeout,
  connections,
  longestReply,
  apiKey,
  sent: told = [],
  onHeaders,
}: PlainFetchOptions): PlainFetch => {
  const hideKey = keyHider(apiKey)
  const hideAll = keyHider(apiKey, ...told.flatMap((each) => each.split(/[\s;,=]+/)))
  const agent = createAgent({ connections, headersTimeout: timeout, bodyTimeout: timeout, pipelining: 1 })
  const places = new Map<string, Place>()
  const placeOf = (url: string): Place => {
    const place = places.get(url) ?? placeIn(url)
    // Looks for batches have a URL each.
    if (places.size < PLACES) places.set(url, place)
    return place
  }
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<PlainResponse> => {
    const url = input instanceof Request ? input.url : input.toString()
    const request = requestOf(placeOf(url), init)
    const reply = await receive(agent, request, init.signal, { longestReply, onHeaders })
    const ok = reply.status >= 200 && reply.status < 300
    const sent = unpacked(reply, longestReply)
    const isReply = ok && request.method === 'POST'
    const words = ok ? utf8Of(sent, isReply) : errorBody(LENIENT.decode(sent))
    const text = !ok || (isReply && TOLD_ERROR.test(words)) ? hideAll(words) : hideKey(words)
    return {
      ok,
      status: reply.status,
      url,
      headers: reply.headers,
      body: null,
      text: () => Promise.resolve(text),
      json: async () => parseBody(text),
    }
  }
  // The package asks for fetch's type; it reads no more of a reply than PlainResponse has.
  return { fetch: fetch as unknown as typeof globalThis.fetch, close: () => agent.destroy() }
}

interface Received extends Pick<PlainResponse, 'status' | 'headers'> {
  readonly chunks: readonly Buffer[]
}

type Receiving = Pick<PlainFetchOptions, 'longestReply'> & {
  readonly onHeaders: PlainFetchOptions['onHeaders'] | undefined
}

/**
 * Sends one request.
 * @throws ClientError `reply/too-large`, `call/unreached`; what the signal was aborted with; undici's errors
 */
const receive = (
  agent: Dispatcher,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal | null | undefined,
  { longestReply, onHeaders }: Receiving,
): Promise<Received> =>
  new Promise((resolve, reject) => {
    let sent: Dispatcher.DispatchController | undefined
    const giveUp = (reason: Error): void => {
      sent?.abort(reason)
      reject(reason)
    }
    const onAbort = (): void => giveUp(signal?.reason as Error)
    if (signal?.aborted === true) return onAbort()
    signal?.addEventListener('abort', onAbort)
    let status = 0
    let headers: ReplyHeaders = new Map()
    const chunks: Buffer[] = []
    let size = 0
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => {
        sent = controller
        // Given up while it waited for a connection.
        if (signal?.aborted === true) onAbort()
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
        signal?.removeEventListener('abort', onAbort)
        resolve({ status, headers, chunks })
      },
      onResponseError: (_, error) => {
        signal?.removeEventListener('abort', onAbort)
        reject(sent === undefined ? unreached(error, String(request.origin)) : error)
      },
    }
    try {
      agent.dispatch(request, handler)
    } catch (error) {
      reject(unreached(error, String(request.origin)))
    }
  })

type Unpack = (sent: Buffer, options: { readonly maxOutputLength: number }) => Buffer

/** Many servers send what the name `deflate` says, without the header that its standard asks for. */
const inflate: Unpack = (sent, options) =>
  ((sent[0] ?? 0) & 0x0f) === 8 ? inflateSync(sent, options) : inflateRawSync(sent, options)

const PACKED: ReadonlyMap<string, Unpack> = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflate],
  ['br', brotliDecompressSync],
])

/** Some gateways pack what nobody asked them to. @throws ClientError `reply/too-large`, `reply/malformed` */
const unpacked = ({ chunks, headers }: Received, longest: number): Buffer => {
  const sent = Buffer.concat(chunks)
  // The last one was put on last; what is none of these is looked at as it came. Nobody means a dozen.
  const codings = (headers.get('content-encoding') ?? '').toLowerCase().split(/[\s,]+/, 4)
  try {
    return codings.reduceRight<Buffer>(
      (bytes, coding) => PACKED.get(coding)?.(bytes, { maxOutputLength: longest }) ?? bytes,
      sent,
    )
  } catch (error) {
    throw fieldOf(error, 'code') === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge(longest)
      : malformed('it is packed otherwise than it says', error)
  }
}

/** Without the mark that some servers begin with. One for all: making it takes longer than a reply's text. */
const STRICT = new TextDecoder('utf-8', { fatal: true })
const LENIENT = new TextDecoder()

/**
 * Nobody wrote what would stand in the place of other bytes, and it would be scored.
 * @param isWhole else a line that is none, as in a batch's file, is left out, and leaves the others
 * @throws ClientError `reply/malformed`
 */
const utf8Of = (sent: Buffer, isWhole: boolean): string => {
  try {
    return STRICT.decode(sent)
  } catch (error) {
    if (isWhole) throw malformed('it is not UTF-8', error)
    const lines = sent.toString('latin1').split('\n')
    return lines
      .map((line) => Buffer.from(line, 'latin1'))
      .flatMap((line) => (isUtf8(line) ? [STRICT.decode(line)] : []))
      .join('\n')
  }
}

/** Routers tell errors under status 200, and empty ones beside answers; within an answer's text these quotes are escaped. */
const TOLD_ERROR = /"error"\s*:\s*(?:[{[]|"[^"])/

type Place = Pick<Dispatcher.DispatchOptions, 'origin' | 'path'>

const PLACES = 100

const placeIn = (url: string): Place => {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname + search }
}

/** Of lists that were sent before; most calls send the same one. */
const plainHeaders = new WeakMap<Headers, Record<string, string>>()

const plainOf = (headers: Headers): Record<string, string> =>
  remembered(plainHeaders, headers, () => Object.fromEntries(headers))

const requestOf = (
  place: Place,
  { method = 'GET', headers, body }: RequestInit,
): Dispatcher.DispatchOptions => ({
  ...place,
  method: method.toUpperCase(),
  headers: plainOf(headers instanceof Headers ? headers : new Headers(headers)),
  ...(typeof body === 'string' ? { body } : {}),
})

export const tooLarge = (longest: number): ClientError =>
  new ClientError(
    'reply/too-large',
    `the server sent more than ${(longest / 1e6).toLocaleString('en')} MB; max_reply_mb of medmake.yaml allows more`,
    { retriable: false },
  )

const headersOf = (raw: Readonly<Record<string, string | string[] | undefined>>): ReplyHeaders =>
  new Map(
    Object.entries(raw).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )

/** Shorter ones stand for no key at all, such as `EMPTY`, or would turn up in texts by chance. */
const SHORTEST = 8

/** A character as it is, and as JSON, URLs and HTML may have it: many servers escape `/` and `+`. */
const written = (character: string): string => {
  const code = character.charCodeAt(0)
  const [short, long] = [2, 4].map((digits) =>
    code
      .toString(16)
      .padStart(digits, '0')
      .replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`),
  )
  const itself = String.raw`\u${code.toString(16).padStart(4, '0')}`
  return String.raw`(?:\\?${itself}|\\u${long}|%${short}|&#(?:[xX]${short}|${code});)`
}

/** Longer ones, such as private keys, V8 takes for no pattern: its stack overflows. */
const LONGEST = 500

const inPieces = (key: string): readonly string[] => {
  const size = Math.ceil(key.length / Math.ceil(key.length / LONGEST))
  return Array.from({ length: Math.ceil(key.length / size) }, (_, at) =>
    key.slice(at * size, (at + 1) * size),
  )
}

/** Takes keys out of a text, wherever a server repeats them. */
export const keyHider = (...keys: readonly string[]): ((text: string) => string) => {
  const long = keys.filter(({ length }) => length >= SHORTEST)
  if (long.length === 0) return (text) => text
  const pieces = long.flatMap(inPieces).toSorted((a, b) => b.length - a.length)
  const one = pieces.map((key) => key.split('').map(written).join(''))
  const pattern = new RegExp(one.join('|'), 'g')
  return (text) => text.replaceAll(pattern, '[key]')
}
