import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll } from 'vitest'
import { signatureFault } from './sigv4.ts'

/**
 * What a request gets in place of an answer; undefined: the answer. `lost`: it is done, and its answer never arrives; `cut`:
 * it ends in the middle, `short`: so that nobody sees it.
 */
export type Fault =
  | { readonly status: number; readonly body?: string; readonly location?: string; readonly region?: string }
  | 'lost'
  | 'cut'
  | 'short'
  | undefined

export interface S3Server {
  /** What a client needs. */
  readonly env: Readonly<Record<string, string>>
  readonly objects: Map<string, Buffer>
  fault: (request: { readonly method: string; readonly path: string; readonly count: number }) => Fault
  /** False for a server that writes over what is there, whatever is asked. */
  heedsConditions: boolean
  /** Listings in which an object is not named yet after it was made. */
  lateListings: number
  /** Requests for a path are answered once this resolves. */
  gate: (path: string) => Promise<void>
  /** Those whose signature was wrong, by S3's word for it. */
  readonly refused: readonly string[]
}

const PAGE = 3
const KEYS = { id: 'test', secret: 'testsecret' }

interface State extends S3Server {
  env: Readonly<Record<string, string>>
  readonly refused: string[]
  readonly counts: Map<string, number>
  readonly listed: Map<string, number>
}

/**
 * A bucket `evals` as S3 has it, in memory: signatures are verified, objects written only if there is none, listings by
 * small pages.
 */
export const s3Server = async (): Promise<S3Server> => {
  const state: State = {
    env: {},
    objects: new Map(),
    fault: () => undefined,
    heedsConditions: true,
    lateListings: 0,
    gate: () => Promise.resolve(),
    refused: [],
    counts: new Map(),
    listed: new Map(),
  }
  const server = createServer((request, response) => {
    void serve(request, response, state)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  state.env = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: KEYS.id,
    AWS_SECRET_ACCESS_KEY: KEYS.secret,
  }
  return state
}

const serve = async (request: IncomingMessage, response: ServerResponse, state: State): Promise<void> => {
  const { counts, refused } = state
  const body = await buffer(request)
  const target = request.url ?? ''
  const url = new URL(target, 'http://server')
  const path = decodeURIComponent(url.pathname)
  await state.gate(path)
  const method = request.method ?? ''
  const count = (counts.get(`${method} ${path}`) ?? 0) + 1
  counts.set(`${method} ${path}`, count)
  const fault = state.fault({ method, path, count })
  if (typeof fault === 'object') {
    response.writeHead(fault.status, {
      ...(fault.location === undefined ? {} : { location: fault.location }),
      ...(fault.region === undefined ? {} : { 'x-amz-bucket-region': fault.region }),
    })
    return void response.end(fault.body)
  }
  const bodyDigest = createHash('sha256').update(body).digest('hex')
  const signed = { method, target, headers: request.headers, bodyDigest }
  const wrong = signatureFault(signed, KEYS, { region: 'us-east-1', now: new Date() })
  if (wrong !== undefined) {
    refused.push(wrong)
    return void response.writeHead(403).end(`<Error><Code>${wrong}</Code></Error>`)
  }
  const isNew = request.headers['if-none-match'] === '*' && state.heedsConditions
  const [status, answer = ''] = answerOf({ method, path, body, url, isNew }, state)
  if (fault === 'lost') return void request.socket.destroy()
  const whole = Buffer.from(answer)
  const shown = fault === 'short' ? whole.subarray(0, whole.length >> 1) : whole
  response.writeHead(status, status === 204 ? {} : { 'content-length': shown.length })
  if (fault !== 'cut') return void response.end(status === 204 ? undefined : shown)
  response.write(shown.subarray(0, shown.length >> 1), () => request.socket.destroy())
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly body: Buffer
  readonly url: URL
  readonly isNew: boolean
}

const answerOf = (
  { method, path, body, url, isNew }: Asked,
  state: State,
): readonly [status: number, body?: Buffer | string | undefined] => {
  const { objects } = state
  if (!/^\/evals(?:\/|$)/.test(path)) return [404]
  const key = path.slice('/evals/'.length)
  if (method === 'DELETE') {
    objects.delete(key)
    return [204]
  }
  if (method === 'PUT') {
    if (isNew && objects.has(key)) return [412]
    objects.set(key, body)
    return [200]
  }
  if (key !== '') return objects.has(key) ? [200, objects.get(key)] : [404]
  return [200, listingOf(url.searchParams, state)]
}

const listingOf = (query: URLSearchParams, { objects, listed, lateListings }: State): string => {
  const prefix = query.get('prefix') ?? ''
  const from = Number(query.get('continuation-token') ?? 0)
  const names = [...objects.keys()].filter((name) => name.startsWith(prefix)).sort()
  for (const name of names) listed.set(name, (listed.get(name) ?? 0) + 1)
  const shown = names.filter((name) => (listed.get(name) ?? 0) > lateListings)
  const contents = shown
    .slice(from, from + PAGE)
    .map(
      (name) =>
        `<Contents><Key>${encodeURIComponent(name)}</Key><Size>${objects.get(name)?.length}</Size></Contents>`,
    )
  const next =
    from + PAGE < shown.length
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${from + PAGE}</NextContinuationToken>`
      : ''
  return `<?xml version="1.0"?><ListBucketResult>${contents.join('')}${next}</ListBucketResult>`
}
