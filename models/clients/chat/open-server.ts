import type { Json } from '../../../cache/values/json.ts'
import { readRateHeaders } from '../../calls/rate-headers.ts'
import { refusedBy } from '../call-error.ts'
import { parseBody } from '../wire/parse-body.ts'
import { createSender, type SentRequest } from './sender.ts'
import type { ServerOptions } from './server.ts'

/** An OpenAI-compatible server; paths stand behind its base URL. Calls throw what `clientErrorOf` reads. */
export interface OpenServer {
  /** Sends JSON. What comes is parsed whatever type the server states: some state none. */
  post(path: string, body: Json, signal?: AbortSignal): Promise<Json>
  /** Sends a body of another type. */
  upload(path: string, body: string, type: string): Promise<Json>
  /** Sends nothing, and reads nothing of the answer. */
  command(path: string): Promise<void>
  get(path: string, query?: Query): Promise<Json>
  /** A file's text. */
  text(path: string): Promise<string>
  close(): Promise<void>
}

type Query = Readonly<Record<string, string | number>>

const JSON_TYPE = 'application/json'

export const openServer = (options: ServerOptions): OpenServer => {
  const sender = createSender({
    ...options,
    onHeaders: (headers) => options.onRateHeaders(readRateHeaders((name) => headers.get(name), Date.now())),
  })
  const headers = headersOf(options)
  const jsonHeaders = { 'content-type': JSON_TYPE, ...headers }
  // Calls differ in nothing but their body.
  const urls = new Map<string, string>()
  const postUrl = (path: string): string => {
    const url = urls.get(path) ?? urlOf(options, path)
    urls.set(path, url)
    return url
  }
  const answer = async (request: SentRequest): Promise<string> => {
    const answered = await sender.send(request)
    if (answered.status < 200 || answered.status >= 300) throw refusedBy(answered)
    return answered.text
  }
  return {
    post: async (path, body, signal) =>
      parseBody(
        await answer({
          method: 'POST',
          url: postUrl(path),
          headers: jsonHeaders,
          body: JSON.stringify(body),
          signal,
        }),
      ),
    upload: async (path, body, type) =>
      parseBody(
        await answer({
          method: 'POST',
          url: urlOf(options, path),
          headers: { ...headers, 'content-type': type },
          body,
        }),
      ),
    command: async (path) => void (await answer({ method: 'POST', url: urlOf(options, path), headers })),
    get: async (path, query) =>
      parseBody(await answer({ method: 'GET', url: urlOf(options, path, query), headers })),
    text: (path) => answer({ method: 'GET', url: urlOf(options, path), headers }),
    close: () => sender.close(),
  }
}

const urlOf = ({ baseUrl, query }: ServerOptions, path: string, more: Query = {}): string => {
  const url = new URL(baseUrl.replace(/\/$/, '') + path)
  url.search = Object.entries({ ...query, ...more })
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&')
  return url.href
}

/** By lower-case name: what a deployment names stands for ours. Keys from files may end with a line. */
const headersOf = ({ apiKey, keyHeader, organization, headers }: ServerOptions): Record<string, string> => {
  const all = {
    accept: JSON_TYPE,
    'user-agent': 'medmake',
    ...(organization === undefined ? {} : { 'openai-organization': organization }),
    ...(keyHeader === undefined ? { authorization: `Bearer ${apiKey}` } : { [keyHeader]: apiKey }),
  }
  return Object.fromEntries(
    [all, headers].flatMap((each) =>
      Object.entries(each).map(([name, value]) => [
        name.toLowerCase(),
        value.replaceAll(/^[\t\n\r ]+|[\t\n\r ]+$/g, ''),
      ]),
    ),
  )
}
