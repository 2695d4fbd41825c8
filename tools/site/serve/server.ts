import { realpath, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join, relative, sep } from 'node:path'
import type { OneTimeToken } from './one-time-token.ts'
import { ALWAYS, isAskedByLoopback, isLoopback, refuse } from './respond.ts'
import { staticPath, contentType } from './static-path.ts'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'

/** A folder that addresses beginning with `prefix` are looked up in; both prefix and address begin with `/`. */
export interface Mount {
  readonly prefix: string
  readonly folder: string
  /** First segments that may be asked for; all when undefined. */
  readonly only?: readonly string[]
  /** Sent with every file. */
  readonly policy: string
  /** Seconds after which a browser asks for its pages anew. */
  readonly refresh?: number
  /** The file to send in place of a found one; undefined for one that is not handed out. */
  readonly instead?: (path: string) => Promise<string | undefined>
  /** Awaited before a file of the folder is looked for; its path has no leading `/`. */
  readonly prepare?: (path: string) => Promise<void>
}

/** Files of runs are data: a page among them may run nothing. */
export const DATA_POLICY = "sandbox; default-src 'none'"

/**
 * A server of files, for reading only. On a loopback address it answers only to loopback names, so that no page of
 * another site can read results by a name that points here.
 *
 * @param mounts the longest prefixes first
 * @param token without it nothing is shown; undefined where all is for everyone who asks
 */
export const createSiteServer = (mounts: readonly Mount[], host: string, token?: OneTimeToken): Server => {
  const server = createServer((request, response) => {
    respond(request, response, mounts, host, token).catch(() => response.destroy())
  })
  return server.setTimeout(IDLE)
}

/** Milliseconds after which a connection is closed that neither asks nor reads on; pages may be made meanwhile. */
const IDLE = 300_000

const respond = async (
  request: IncomingMessage,
  response: ServerResponse,
  mounts: readonly Mount[],
  host: string,
  token: OneTimeToken | undefined,
): Promise<void> => {
  if (isLoopback(host) && !isAskedByLoopback(request))
    return refuse(response, 403, 'Ask by the name localhost.', HEADERS)
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD')
    return refuse(response, 405, 'These files can only be read.', HEADERS)
  }
  const [pathname = '/'] = (request.url ?? '/').split('?')
  const admission = token?.admit(request)
  if (admission?.kind === 'out')
    return refuse(response, 403, 'Open the address that was printed; its token opens it once.', HEADERS)
  if (admission?.kind === 'welcome') {
    response.setHeader('Set-Cookie', admission.cookie)
    return redirect(response, pathname, 303)
  }
  for (const mount of mounts) {
    if (!pathname.startsWith(mount.prefix)) continue
    const path = pathname.slice(mount.prefix.length)
    await mount.prepare?.(path)
    const found = await findFile(mount, `/${path}`)
    if (found === 'folder') return redirect(response, `${pathname}/`)
    return found === undefined
      ? refuse(response, 404, 'Not found.', HEADERS)
      : sendFile(request, response, found, {
          'Content-Security-Policy': mount.policy,
          ...(mount.refresh === undefined ? {} : { Refresh: String(mount.refresh) }),
          ...HEADERS,
        })
  }
  return refuse(response, 404, 'Not found.', HEADERS)
}

const findFile = async (mount: Mount, pathname: string): Promise<FoundFile | 'folder' | undefined> => {
  const segments = staticPath(pathname)
  if (segments === undefined) return undefined
  if (!isHandedOut(mount, segments)) return undefined
  const wanted = segments.at(-1) === '' ? [...segments.slice(0, -1), 'index.html'] : segments
  try {
    const root = await realpath(mount.folder)
    const path = await realpath(join(root, ...wanted))
    // A link may lead neither out of the folder nor to what could not be asked for by its own name.
    if (path !== root && !path.startsWith(root + sep)) return undefined
    if (!isHandedOut(mount, relative(root, path).split(sep))) return undefined
    if ((await stat(path)).isDirectory()) return 'folder'
    const sent = mount.instead === undefined ? path : await mount.instead(relative(root, path))
    const found = sent === undefined ? undefined : await stat(sent)
    return sent !== undefined && found?.isFile() === true
      ? { path: sent, size: found.size, modified: found.mtimeMs }
      : undefined
  } catch {
    // Whatever keeps it from being read, there is nothing to show.
    return undefined
  }
}

const isHandedOut = ({ only }: Mount, segments: readonly string[]): boolean =>
  (only === undefined || only.includes(segments[0] ?? '')) && !segments.some((each) => each.startsWith('.'))

/** Never to another host: `//x/` would be one. */
const redirect = (response: ServerResponse, location: string, status = 308): void => {
  response.writeHead(status, { Location: location.replace(/^\/+/, '/'), ...HEADERS })
  response.end()
}

const HEADERS = { 'Cache-Control': 'no-cache', ...ALWAYS }

/** A file to send. */
interface FoundFile {
  readonly path: string
  readonly size: number
  /** When it was written, in milliseconds. */
  readonly modified: number
}

/** Types that get smaller; pictures and archives are compressed already. */
const SHRINKS = /^(?:text\/|application\/json|image\/svg)/
/** Below it the headers cost more than they save. */
const LEAST_BYTES = 1024
/** The most that pays at the time of asking. */
const BROTLI_QUALITY = 5

/** Sends a file, compressed where that is asked for; only that it is the same where the asker has it. */
const sendFile = async (
  request: IncomingMessage,
  response: ServerResponse,
  { path, size, modified }: FoundFile,
  headers: Readonly<Record<string, string>>,
): Promise<void> => {
  const type = contentType(path)
  // Weak: the same for the file and what it is compressed to.
  const tag = `W/"${size.toString(36)}-${Math.floor(modified * 1000).toString(36)}"`
  const shrinks = SHRINKS.test(type) && size >= LEAST_BYTES
  const always = { ...headers, ETag: tag, ...(shrinks ? { Vary: 'Accept-Encoding' } : {}) }
  if (matches(request.headers['if-none-match'], tag)) {
    response.writeHead(304, always)
    response.end()
    return
  }
  const encoding = shrinks ? encodingOf(request.headers['accept-encoding']) : undefined
  response.writeHead(200, {
    'Content-Type': type,
    ...(encoding === undefined ? { 'Content-Length': size } : { 'Content-Encoding': encoding }),
    ...always,
  })
  if (request.method === 'HEAD' || size === 0) {
    response.end()
    return
  }
  // `end`: a file that grows meanwhile must not outgrow the length that was announced.
  const file = createReadStream(path, { end: size - 1 })
  if (encoding === undefined) await pipeline(file, response)
  else await pipeline(file, compressor(encoding), response)
}

/** Whether a list of tags, or `*`, names the file as it is. */
const matches = (given: string | undefined, tag: string): boolean =>
  given !== undefined &&
  given.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === tag.slice(2))

type Encoding = 'br' | 'gzip'

/** What is wanted most, of what is wanted alike the smaller; `br;q=0` is not wanted. */
const encodingOf = (accepted: string | undefined): Encoding | undefined => {
  const wanted = new Map(
    (accepted ?? '').split(',').map((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((part) => part.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2))] as const
    }),
  )
  const weightOf = (encoding: Encoding): number => (wanted.get(encoding) ?? wanted.get('*')) || 0
  const [best = 'br'] = (['br', 'gzip'] as const).toSorted((a, b) => weightOf(b) - weightOf(a))
  return weightOf(best) > 0 ? best : undefined
}

const compressor = (
  encoding: Encoding,
): ReturnType<typeof createGzip> | ReturnType<typeof createBrotliCompress> =>
  encoding === 'gzip'
    ? createGzip()
    : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
