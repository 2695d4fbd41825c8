import { Agent, request } from 'undici'
import { hideKey } from './hide-key.ts'

/** What of a fetch Response the openai package reads of a reply that is no stream. */
interface PlainResponse {
  readonly ok: boolean
  readonly status: number
  readonly url: string
  readonly headers: Headers
  readonly body: null
  text(): Promise<string>
  json(): Promise<unknown>
}

export interface PlainFetch {
  readonly fetch: typeof globalThis.fetch
  close(): Promise<void>
}

export interface PlainFetchOptions {
  /** Milliseconds until a silent server is given up. */
  readonly timeout: number
  readonly connections: number
  /** Kept out of every reply: some servers repeat it in their errors. */
  readonly apiKey: string
  /** Sees the headers of every reply. */
  readonly onHeaders?: (headers: Headers) => void
}

/**
 * A fetch for JSON calls over undici's plain requests: no web streams, a third of fetch's CPU time per call.
 * The reply is read whole before it is handed on.
 */
export const createPlainFetch = ({
  timeout,
  connections,
  apiKey,
  onHeaders,
}: PlainFetchOptions): PlainFetch => {
  const dispatcher = new Agent({ connections, headersTimeout: timeout, bodyTimeout: timeout, pipelining: 1 })
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<PlainResponse> => {
    const url = input instanceof Request ? input.url : input.toString()
    const reply = await request(url, {
      dispatcher,
      method: init.method === undefined ? 'GET' : (init.method.toUpperCase() as 'GET' | 'POST'),
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === 'string' ? { body: init.body } : {}),
      ...(init.signal ? { signal: init.signal } : {}),
    })
    const headers = headersOf(reply.headers)
    onHeaders?.(headers)
    const text = hideKey(await reply.body.text(), apiKey)
    return {
      ok: reply.statusCode >= 200 && reply.statusCode < 300,
      status: reply.statusCode,
      url,
      headers,
      body: null,
      text: () => Promise.resolve(text),
      json: async () => JSON.parse(text) as unknown,
    }
  }
  // The package asks for fetch's type; it reads no more of a reply than PlainResponse has.
  return { fetch: fetch as unknown as typeof globalThis.fetch, close: () => dispatcher.destroy() }
}

const headersOf = (raw: Readonly<Record<string, string | string[] | undefined>>): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  return headers
}
