import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll } from 'vitest'

/** What a request gets in place of an answer; undefined: the answer. `lost`: it is done, and its answer never arrives. */
export type Fault =
  | { readonly status: number; readonly body?: string; readonly location?: string; readonly region?: string }
  | 'lost'
  | undefined

export interface S3Server {
  /** What a client needs. */
  readonly env: Readonly<Record<string, string>>
  readonly objects: Map<string, Buffer>
  fault: (request: { readonly method: string; readonly path: string; readonly count: number }) => Fault
}

const PAGE = 3

/** A bucket `evals` as S3 has it, in memory: objects that are written only if there is none, listings by small pages. */
export const s3Server = async (): Promise<S3Server> => {
  const objects = new Map<string, Buffer>()
  const counts = new Map<string, number>()
  const state = { env: {}, objects, fault: () => undefined } as {
    -readonly [Key in keyof S3Server]: S3Server[Key]
  }
  const server = createServer((request, response) => {
    void serve(request, response, state, counts)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  state.env = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'testsecret',
  }
  return state
}

const serve = async (
  request: IncomingMessage,
  response: ServerResponse,
  state: S3Server,
  counts: Map<string, number>,
): Promise<void> => {
  const body = await buffer(request)
  const url = new URL(request.url ?? '', 'http://server')
  const path = decodeURIComponent(url.pathname)
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
  if (request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=test/') !== true)
    return void response.writeHead(403).end()
  const [status, answer] = answerOf(
    { method, path, body, url, isNew: request.headers['if-none-match'] === '*' },
    state,
  )
  if (fault === 'lost') return void request.socket.destroy()
  response.writeHead(status).end(answer)
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
  { objects }: S3Server,
): readonly [status: number, body?: Buffer | string | undefined] => {
  if (!/^\/evals(?:\/|$)/.test(path)) return [404]
  const key = path.slice('/evals/'.length)
  if (method === 'PUT') {
    if (isNew && objects.has(key)) return [412]
    objects.set(key, body)
    return [200]
  }
  if (key !== '') return objects.has(key) ? [200, objects.get(key)] : [404]
  const prefix = url.searchParams.get('prefix') ?? ''
  const from = Number(url.searchParams.get('continuation-token') ?? 0)
  const names = [...objects.keys()].filter((name) => name.startsWith(prefix)).sort()
  const contents = names
    .slice(from, from + PAGE)
    .map(
      (name) =>
        `<Contents><Key>${encodeURIComponent(name)}</Key><Size>${objects.get(name)?.length}</Size></Contents>`,
    )
  const next =
    from + PAGE < names.length
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${from + PAGE}</NextContinuationToken>`
      : ''
  return [200, `<?xml version="1.0"?><ListBucketResult>${contents.join('')}${next}</ListBucketResult>`]
}
