import OpenAI from 'openai'
import { readRateHeaders } from '../../calls/rate-headers.ts'
import { SameHeadersOpenAI } from './same-headers.ts'
import { createPlainFetch, type PlainFetch } from './plain-fetch.ts'
import type { ServerOptions } from './server.ts'

export interface OpenServer {
  readonly api: OpenAI
  readonly http: PlainFetch
  readonly OpenAIClient: typeof OpenAI
}

const nothing = (): void => undefined
const SILENT = { error: nothing, warn: nothing, info: nothing, debug: nothing }

/** The openai package, set up for a server. */
export const openServer = (options: ServerOptions): OpenServer => {
  const { apiKey, keyHeader } = options
  const http = createPlainFetch({
    ...options,
    onHeaders: (headers) => options.onRateHeaders(readRateHeaders((name) => headers.get(name), Date.now())),
  })
  const api = new SameHeadersOpenAI({
    baseURL: options.baseUrl,
    apiKey,
    organization: options.organization ?? null,
    maxRetries: 0,
    // It would print requests, for whoever sets OPENAI_LOG.
    logLevel: 'off',
    logger: SILENT,
    timeout: options.timeout,
    fetch: http.fetch,
    defaultQuery: { ...options.query },
    defaultHeaders: {
      ...(keyHeader === undefined ? {} : { Authorization: null, [keyHeader]: apiKey }),
      ...options.headers,
    },
  })
  return { api, http, OpenAIClient: OpenAI }
}
