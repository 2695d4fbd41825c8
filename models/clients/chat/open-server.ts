import OpenAI from 'openai'
import { underNodesFlags } from '../../../cache/processes/engine-flags.ts'
import { readRateHeaders } from '../../limits/learned-rate.ts'
import { createPlainFetch, type PlainFetch } from './plain-fetch.ts'
import type { ServerOptions } from './server.ts'

type Made = Awaited<ReturnType<OpenAI['buildRequest']>>
type Options = Parameters<OpenAI['buildRequest']>

/** What our calls are made of; anything else may alter URL or headers. */
const OURS: ReadonlySet<string> = new Set(['method', 'path', 'body', 'signal'])

const isOurs = ([options]: Options): boolean =>
  Object.keys(options).every((key) => OURS.has(key)) &&
  options.method === 'post' &&
  typeof options.body === 'object' &&
  options.body !== null &&
  Object.getPrototypeOf(options.body) === Object.prototype

/** The package, but URL and headers of a path are made once: calls differ in nothing but their body. */
class SameHeadersOpenAI extends OpenAI {
  readonly #same = new Map<string, Made>()

  override async buildRequest(...given: Options): Promise<Made> {
    if (!isOurs(given)) return super.buildRequest(...given)
    const [{ path, body, signal }] = given
    const same = this.#same.get(path)
    if (same === undefined) {
      const made = await super.buildRequest(...given)
      const { body: _, signal: __, ...req } = made.req
      this.#same.set(path, { ...made, req })
      return made
    }
    const { req, url, timeout } = same
    return { req: { ...req, body: JSON.stringify(body), ...(signal ? { signal } : {}) }, url, timeout }
  }
}

interface OpenServer {
  readonly api: OpenAI
  readonly http: PlainFetch
  readonly OpenAIClient: typeof OpenAI
}

/** The openai package, set up for a server. */
export const openServer = (options: ServerOptions): OpenServer => {
  const { apiKey, keyHeader } = options
  // Node brings these with its fetch when they are first named.
  underNodesFlags(() => globalThis.Headers)
  const http = createPlainFetch({
    ...options,
    // Dates are versions of an interface, which errors are about.
    sent: [
      ...Object.values(options.headers),
      ...Object.values(options.query),
      options.organization ?? '',
    ].filter((value) => !/^\d{4}-\d\d-\d\d/.test(value)),
    onHeaders: (headers) => options.onRateHeaders(readRateHeaders((name) => headers.get(name), Date.now())),
  })
  const api = new SameHeadersOpenAI({
    baseURL: options.baseUrl,
    apiKey,
    organization: options.organization ?? null,
    // It would send whoever is asked OPENAI_PROJECT_ID; headers of a deployment can name a project.
    project: null,
    maxRetries: 0,
    // It would print requests, for whoever sets OPENAI_LOG.
    logLevel: 'off',
    timeout: options.timeout,
    fetch: http.fetch,
    defaultQuery: { ...options.query },
    defaultHeaders: {
      'User-Agent': 'medmake',
      ...(keyHeader === undefined ? {} : { Authorization: null, [keyHeader]: apiKey }),
      ...options.headers,
    },
  })
  return { api, http, OpenAIClient: OpenAI }
}
