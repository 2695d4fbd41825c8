import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterFile } from '../../rig/after-file.ts'
import { Crc32c } from '../../../tools/release/import/crc32c.ts'

/** How the bucket misbehaves. */
export interface BucketFaults {
  /** How many bytes from a position on a connection brings before it breaks; undefined: all. */
  readonly breaks?: (name: string, from: number) => number | undefined
  /** Objects that the listing gives a wrong md5. */
  readonly wrongMd5?: (name: string) => boolean
  /** Answers the first so many listings with 503. */
  readonly busyListings?: number
}

export interface FakeBucket {
  /** URL of the bucket. */
  readonly url: string
  /** Pages listed, and byte ranges asked for by object. */
  readonly pages: readonly string[]
  readonly ranges: readonly (readonly [name: string, range: string | undefined])[]
}

const PAGE = 4

/** A storage JSON API on the loopback interface: listings of four objects a page, downloads by range. */
export const fakeBucket = async (
  objects: ReadonlyMap<string, Buffer>,
  faults: BucketFaults = {},
): Promise<FakeBucket> => {
  const pages: string[] = []
  const ranges: (readonly [string, string | undefined])[] = []
  let busy = faults.busyListings ?? 0
  const list = (query: URLSearchParams, response: ServerResponse): void => {
    if (busy > 0) {
      busy -= 1
      response.writeHead(503).end()
      return
    }
    const names = [...objects.keys()].filter((name) => name.startsWith(query.get('prefix') ?? '')).sort()
    const from = Number(query.get('pageToken') ?? 0)
    pages.push(String(from))
    const items = names.slice(from, from + PAGE).map((name) => itemOf(name, objects.get(name), faults))
    const more = from + PAGE < names.length ? { nextPageToken: String(from + PAGE) } : {}
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ items, ...more }))
  }
  const send = (name: string, request: IncomingMessage, response: ServerResponse): void => {
    const bytes = objects.get(name)
    const { range } = request.headers
    ranges.push([name, range])
    if (bytes === undefined) {
      response.writeHead(404).end()
      return
    }
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
    const rest = bytes.subarray(from)
    response.writeHead(range === undefined ? 200 : 206, {
      'content-length': rest.length,
      ...(range === undefined
        ? {}
        : { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    })
    const most = faults.breaks?.(name, from) ?? rest.length
    if (most >= rest.length) response.end(rest)
    // Ended, not reset: what was sent arrives before the end does.
    else response.write(rest.subarray(0, most), () => response.socket?.end())
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://bucket')
    const name = /^\/storage\/v1\/b\/published\/o\/(.+)$/.exec(url.pathname)?.[1]
    if (name === undefined) list(url.searchParams, response)
    else send(decodeURIComponent(name), request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterFile(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/published`, pages, ranges }
}

const itemOf = (name: string, bytes: Buffer | undefined, { wrongMd5 }: BucketFaults) => {
  const content = bytes ?? Buffer.alloc(0)
  const crc = new Crc32c()
  crc.update(content)
  const md5 = createHash('md5').update(wrongMd5?.(name) === true ? 'other' : content)
  return { name, size: String(content.length), md5Hash: md5.digest('base64'), crc32c: crc.base64() }
}
