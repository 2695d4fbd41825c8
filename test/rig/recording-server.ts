import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterFile } from './after-file.ts'

/** What a server was sent. */
export interface Received {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The parsed JSON; a text where it is none. */
  readonly body: unknown
}

export interface Sent {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** A text is sent as it stands, and so are bytes. */
  readonly body: unknown
}

/** A server that keeps what it is sent and answers as it is told. */
export const recordingServer = async (
  answer: (received: Received) => Sent,
): Promise<{ readonly url: string; readonly received: readonly Received[] }> => {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const reply = (body: string): void => {
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: parsed(body),
      }
      received.push(one)
      const { status = 200, headers = {}, body: sent } = answer(one)
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(typeof sent === 'string' || Buffer.isBuffer(sent) ? sent : JSON.stringify(sent))
    }
    text(request).then(reply, () => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterFile(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return body
  }
}
