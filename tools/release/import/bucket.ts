import { request } from 'undici'
import { z } from 'zod'
import { percentDecoded } from '../../../cache/network/percent-decoded.ts'
import { isLoopback } from '../../../cache/network/proxy.ts'
import { retried } from '../../../cache/network/retried.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'

/** A part of a public bucket that speaks the storage JSON API. */
export interface Bucket {
  /** E.g. `https://storage.googleapis.com`. */
  readonly origin: string
  readonly name: string
  /** Start of the object names, without a slash at its end. */
  readonly prefix: string
}

/** An object as the listing shows it. */
export interface BucketObject {
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Both in base64; a composed object has no md5. */
  readonly md5Hash?: string | undefined
  readonly crc32c?: string | undefined
}

export interface FetchOptions {
  readonly signal: AbortSignal
  /** `WAITS` unless given. */
  readonly waits?: readonly number[]
}

/** Milliseconds before the second, third, … attempt. */
export const WAITS: readonly number[] = [500, 2000, 8000, 20_000]

const PUBLIC = 'https://storage.googleapis.com'

/**
 * Reads `gs://bucket/prefix` and `https://host/bucket/prefix`; undefined for what is no URL.
 * @throws ProblemError `release/bad-url` for another scheme: results may not come over a line that anyone can alter
 */
export const parseBucket = (text: string): Bucket | undefined => {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isGs = url?.protocol === 'gs:'
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  const path = percentDecoded(url?.pathname ?? '')
    ?.split('/')
    .filter(Boolean)
  const [name, ...prefix] = path === undefined ? [] : isGs ? [url.hostname, ...path] : path
  if (url === undefined || name === undefined || name === '' || !(isGs || isSafe))
    throw new ProblemError({
      code: 'release/bad-url',
      message: `${text} names no bucket`,
      remedy: 'Write gs://bucket/folder, or https://host/bucket/folder.',
    })
  return { origin: isGs ? PUBLIC : url.origin, name, prefix: prefix.join('/') }
}

const Page = z.object({
  items: z
    .array(
      z.object({
        name: z.string(),
        size: z.coerce.number().int().nonnegative(),
        md5Hash: z.string().optional(),
        crc32c: z.string().optional(),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
})

/** Pages of a listing, a thousand objects each, and bytes of a page: one that goes on tells nothing that can be used. */
const MOST_PAGES = 2000
const LONGEST_PAGE = 64_000_000

/** Every object below the bucket's prefix, page by page. @throws ProblemError `release/listing` */
export const listObjects = async function* (
  bucket: Bucket,
  options: FetchOptions,
): AsyncGenerator<BucketObject> {
  let token: string | undefined
  const seen = new Set<string>()
  do {
    const page = await fetchPage(bucket, token, options)
    for (const item of page.items) {
      // A name becomes a path.
      if (/[\p{Cc}\\]/u.test(item.name))
        throw listingProblem(bucket, `it names an object ${JSON.stringify(item.name.slice(0, 200))}`)
      yield item
    }
    token = page.nextPageToken
    if (token !== undefined && seen.has(token)) throw listingProblem(bucket, `it repeats the page ${token}`)
    if (token !== undefined) seen.add(token)
    if (seen.size >= MOST_PAGES) throw listingProblem(bucket, `it has more than ${MOST_PAGES} pages`)
  } while (token !== undefined)
}

/** Where an object's bytes are. */
export const objectUrl = ({ origin, name }: Bucket, object: string): string =>
  `${origin}/storage/v1/b/${encodeURIComponent(name)}/o/${encodeURIComponent(object)}?alt=media`

const fetchPage = async (
  bucket: Bucket,
  token: string | undefined,
  options: FetchOptions,
): Promise<z.output<typeof Page>> => {
  const { origin, name, prefix } = bucket
  const query = new URLSearchParams({
    prefix: prefix === '' ? '' : `${prefix}/`,
    fields: 'items(name,size,md5Hash,crc32c),nextPageToken',
    ...(token === undefined ? {} : { pageToken: token }),
  })
  const url = `${origin}/storage/v1/b/${encodeURIComponent(name)}/o?${query.toString()}`
  const body = await retried(
    async () => {
      const response = await request(url, { signal: options.signal })
      if (response.statusCode === 200) return JSON.parse(await boundedText(response.body, bucket)) as unknown
      await response.body.dump()
      const status = `the server answered ${response.statusCode}`
      throw response.statusCode === 429 || response.statusCode >= 500
        ? new Error(status)
        : listingProblem(bucket, status)
    },
    { waits: WAITS, ...options, url, isPublic: false },
    (reason, cause) => listingProblem(bucket, reason, cause),
  )
  const page = Page.safeParse(body)
  if (page.success) return page.data
  throw listingProblem(bucket, 'it is not what the storage JSON API gives', page.error)
}

const boundedText = async (body: AsyncIterable<Uint8Array>, bucket: Bucket): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > LONGEST_PAGE)
      throw listingProblem(bucket, `a page of it is longer than ${LONGEST_PAGE / 1e6} MB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString()
}

const listingProblem = ({ origin, name, prefix }: Bucket, reason: string, cause?: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'release/listing',
      message: `the listing of ${name}/${prefix} at ${origin} can't be read: ${reason}`,
      remedy: 'Check the URL and the network, then import again: what has arrived is kept.',
    },
    { cause, exitCode: 1 },
  )
