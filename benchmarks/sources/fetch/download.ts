import { open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { interceptors, request } from 'undici'
import { readFile } from '../../../cache/files/read.ts'
import { makeFolder } from '../../../cache/files/folders.ts'
import { isLeftBehind, named } from '../../../cache/files/write.ts'
import { createAgent } from '../../../cache/network/proxy.ts'
import { retried } from '../../../cache/network/retried.ts'
import { formatIdentity, identifyProcess, parseIdentity } from '../../../cache/processes/process-identity.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { SourceEvent } from '../../context/context.ts'
import { mirrorPath } from './remote-file.ts'

/** Milliseconds before the second, third and fourth attempt. */
const WAITS = [1000, 4000, 16_000]
/** Bytes between two progress events. */
const PROGRESS_STEP = 1 << 20
/** Bytes of a file whose server tells no size, and of a page that may lead to one. */
const LONGEST = 16_000_000_000
const LONGEST_PAGE = 16_000_000
/** A part whose writer can't be asked for is taken for left behind after this, milliseconds. */
const LEFT_BEHIND = 3_600_000

interface DownloadOptions {
  readonly signal: AbortSignal
  readonly onEvent: (event: SourceEvent) => void
  readonly waits?: readonly number[]
  /** Bytes at which a file of untold size is given up. */
  readonly longest?: number
}

/**
 * Fetches a URL into a file that appears only when it is whole. What an earlier attempt or a killed process left is
 * continued when the server still has the same version of the file (its ETag), else thrown away.
 *
 * @throws ProblemError `benchmarks/not-found` when the server has no such file, `benchmarks/download` when it refuses or
 * every attempt fails
 */
export const download = async (url: string, target: string, options: DownloadOptions): Promise<void> => {
  makeFolder(dirname(target))
  const part = await adoptPart(target)
  const { signal, onEvent, waits = WAITS } = options
  await retried(
    () => fetchInto(url, part, options),
    {
      url,
      isPublic: true,
      signal,
      waits,
      progress: () => sizeOf(part),
      onRetry: (attempt, reason) => onEvent({ type: 'source-retry', url, attempt, reason }),
    },
    (reason, cause) => downloadProblem(url, reason, cause),
  )
  // Before the file is there: nobody looks for what lies beside it then.
  for (const left of [tagOf(part), ...(await leftParts(target))]) await rm(left, { force: true })
  await rename(part, target)
}

const TAG = '.etag'
const tagOf = (part: string): string => part + TAG

/**
 * Every process writes a part of its own name; a dead process's part is taken over by renaming it. One of an earlier boot
 * is not: what a power cut kept from the disk reads as zeros.
 */
const adoptPart = async (target: string): Promise<string> => {
  const self = identifyProcess()
  const mine = join(dirname(target), prefixOf(target) + formatIdentity(self))
  for (const left of await leftParts(target)) {
    if (left.endsWith(TAG)) continue
    if (parseIdentity(basename(left).slice(prefixOf(target).length))?.boot !== self.boot) continue
    // By the tag of another part, bytes of two versions would be put together.
    await rm(tagOf(mine), { force: true })
    const adopted = await rename(left, mine).then(
      () => true,
      () => false,
    )
    if (adopted) await rename(tagOf(left), tagOf(mine)).catch(() => undefined)
  }
  return mine
}

// Some URLs make names that leave no room for more.
const prefixOf = (target: string): string => `${basename(target).slice(0, 150)}.part-`

/** Parts, and tags, of processes that have ended. */
const leftParts = async (target: string): Promise<readonly string[]> => {
  const folder = dirname(target)
  const prefix = prefixOf(target)
  return (await readdir(folder))
    .filter((name) => {
      const part = name.endsWith(TAG) ? name.slice(0, -TAG.length) : name
      return (
        part.startsWith(prefix) && isLeftBehind(join(folder, part), part.slice(prefix.length), LEFT_BEHIND)
      )
    })
    .map((name) => join(folder, name))
}

const redirecting = createAgent({}, true).compose(interceptors.redirect({ maxRedirections: 10 }))

/** @param asked the address of the file, where `url` is one that it led to */
const fetchInto = async (
  url: string,
  part: string,
  options: DownloadOptions,
  asked: string = url,
): Promise<void> => {
  const here = await sizeOf(part)
  const tag = here > 0 ? await readFile(tagOf(part), 'utf8').catch(() => '') : ''
  const range = tag === '' ? {} : { range: `bytes=${here}-`, 'if-range': tag }
  const headers = { ...requestHeaders(url), ...range }
  const response = await request(url, { dispatcher: redirecting, headers, signal: options.signal })
  const { etag, 'content-range': contentRange, 'content-length': length } = response.headers
  // Some servers pass over `if-range`, and give the rest of another version.
  const resumed = response.statusCode === 206 && etag === tag && startsAt(contentRange, here)
  if (!resumed && response.statusCode !== 200) {
    await response.body.dump()
    // Rate limits and faults of the server may pass; anything else won't.
    if (response.statusCode === 429 || response.statusCode >= 500 || tag !== '') {
      await rm(tagOf(part), { force: true })
      throw new Error(`the server answered ${response.statusCode}`)
    }
    throw refusal(asked, response.statusCode)
  }
  // Whenever it is killed, no bytes of one version lie by the tag of another.
  if (!resumed) for (const old of [tagOf(part), part]) await rm(old, { force: true })
  if (!resumed && url === asked && (response.headers['content-type'] ?? '').includes('text/html')) {
    const page = await pageOf(response.body, asked)
    const confirmed = confirmedAddress(page.toString(), url)
    if (confirmed !== undefined) return fetchInto(confirmed, part, options, asked)
    if (isDrive(url)) throw downloadProblem(url, 'Google Drive answered with a page instead of the file')
    return save(asked, Readable.from([page]), part, 0, page.length, options)
  }
  // A weak tag does not promise equal bytes.
  if (!resumed && typeof etag === 'string' && !etag.startsWith('W/')) await writeFile(tagOf(part), etag)
  const size = resumed ? (wholeSize(contentRange) ?? here + Number(length)) : Number(length)
  await save(asked, response.body, part, resumed ? here : 0, size, options)
}

const pageOf = async (body: Readable, url: string): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LONGEST_PAGE) throw downloadProblem(url, 'the server answered with a page that does not end')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

const save = async (
  url: string,
  body: Readable,
  part: string,
  resumedAt: number,
  whole: number,
  options: DownloadOptions,
): Promise<void> => {
  const size = Number.isFinite(whole) ? { bytes: whole } : {}
  options.onEvent({ type: 'source-download-start', url, resumedAt, ...size })
  let received = resumedAt
  let told = received
  const file = await open(part, resumedAt > 0 ? 'a' : 'w')
  try {
    // One write after the other, so that a broken connection loses nothing of what had arrived.
    for await (const chunk of body as AsyncIterable<Buffer>) {
      received += chunk.length
      if (received > (size.bytes ?? options.longest ?? LONGEST))
        throw downloadProblem(url, `it is longer than ${size.bytes ?? options.longest ?? LONGEST} bytes`)
      await file.writeFile(chunk).catch((error: unknown) => {
        throw named(error, part)
      })
      if (received - told < PROGRESS_STEP) continue
      told = received
      options.onEvent({ type: 'source-download-progress', url, received, ...size })
    }
    // Once it has its name, nobody asks again whether it is whole.
    await file.sync()
  } finally {
    await file.close()
  }
  if (size.bytes !== undefined && received !== size.bytes)
    throw new Error(`got ${received} of ${size.bytes} bytes`)
  options.onEvent({ type: 'source-download-done', url, bytes: received })
}

const sizeOf = async (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

const startsAt = (range: string | string[] | undefined, offset: number): boolean =>
  typeof range === 'string' && range.startsWith(`bytes ${offset}-`)

/** Of the file that a range is of: servers may give less of it than was asked for. */
const wholeSize = (range: string | string[] | undefined): number | undefined => {
  const [, size] = /\/(\d+)$/.exec(String(range)) ?? []
  return size === undefined ? undefined : Number(size)
}

const byMirror = (url: string): string =>
  `put it at ${mirrorPath(url)} in a folder that --mirror or MEDMAKE_MIRROR names.`

const refusal = (url: string, status: number): ProblemError => {
  if (status === 404 || status === 410)
    return new ProblemError({
      code: 'benchmarks/not-found',
      message: `${url} can't be downloaded: the server has no such file (${status})`,
      remedy: `Its publisher moved or removed it. If you have the file, ${byMirror(url)}`,
    })
  return downloadProblem(url, `the server answered ${status}`, undefined, refusalRemedy(url, status))
}

const downloadProblem = (
  url: string,
  reason: string,
  cause?: unknown,
  remedy = `Check the network and try again: what has arrived is kept. Or ${byMirror(url)}`,
): ProblemError =>
  new ProblemError(
    { code: 'benchmarks/download', message: `${url} can't be downloaded: ${reason}`, remedy },
    { cause },
  )

/**
 * The address behind the button of Google Drive's page that warns of a file too large to scan; undefined for any other
 * page, such as the one that says that too many have fetched the file.
 */
const confirmedAddress = (page: string, url: string): string | undefined => {
  const form = /<form\b[^>]*\bid="download-form"[^>]*>/.exec(page)?.[0]
  const action = form && attribute(form, 'action')
  if (action === undefined) return undefined
  const address = new URL(action, url)
  for (const [input] of page.matchAll(/<input\b[^>]*>/g)) {
    const name = attribute(input, 'name')
    if (attribute(input, 'type') === 'hidden' && name !== undefined)
      address.searchParams.set(name, attribute(input, 'value') ?? '')
  }
  return address.href
}

const isDrive = (url: string): boolean => new URL(url).hostname === 'drive.google.com'

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** Hosts that take the Hub's token; a redirect to another host goes without it. */
const HUB = 'huggingface.co'

/**
 * Headers of a download. GitHub refuses requests that name no client; the Hub wants a token for gated data sets, taken
 * from HF_TOKEN; nobody is to pack a file on the way, for its digest is of the bytes as published.
 */
export const requestHeaders = (
  url: string,
  env: NodeJS.ProcessEnv = process.env,
): Readonly<Record<string, string>> => {
  const { hostname, protocol } = new URL(url)
  const token = env['HF_TOKEN'] ?? ''
  return {
    'user-agent': 'medmake',
    'accept-encoding': 'identity',
    ...(hostname === HUB && protocol === 'https:' && token !== '' && { authorization: `Bearer ${token}` }),
  }
}

/** What may help where a server refuses, e.g. a token. */
export const refusalRemedy = (url: string, status: number): string | undefined => {
  if (status !== 401 && status !== 403) return undefined
  if (new URL(url).hostname === HUB)
    return "Set HF_TOKEN to a token of an account that accepted the data set's terms on huggingface.co."
  return new URL(url).hostname === 'api.github.com'
    ? 'GitHub answers a limited number of requests an hour from one address: try again later.'
    : undefined
}
