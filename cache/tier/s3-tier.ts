import { createHash, randomUUID } from 'node:crypto'
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { noTier, writeProblem } from '../store-problems.ts'
import { readListing } from './s3-listing.ts'
import {
  badPlace,
  badReply,
  noBucket,
  noCredentials,
  otherBytes,
  otherRegion,
  refused,
} from './s3-problems.ts'
import { FORMAT, TIER_SEGMENT, type Tier, type TierFile, type TierWriter } from './tier.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A request that a server was asked again after, milliseconds at first; then twice as long each time. */
const FIRST_PAUSE = 200
const TRIES = 7
/** Milliseconds for one request. */
const TIMEOUT = 120_000
/** Milliseconds between two objects of a task: each is a request that is charged for. */
const GROUP = 1000

/**
 * A bucket, or what of it lies below a prefix. All rests on one thing that object stores do alike: an object that is written
 * only if there is none of its name. Nothing is appended to, so each group of records is an object of its own.
 *
 * Keys come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, the place of other servers than Amazon's
 * from AWS_ENDPOINT_URL.
 * @throws ProblemError `cache/tier-credentials`, `cache/no-tier`, `cache/tier`
 */
export const s3Tier = (place: string, env: Environment): Tier => {
  const bucket = openBucket(place, env)
  return {
    place,
    pause: GROUP,
    list: (folder) => bucket.list(folder),
    read: (name) => bucket.read(name),
    open: async (name) => {
      const bytes = await bucket.read(name)
      if (bytes === undefined) return undefined
      const [, sum] = /\.([0-9a-f]{32})\.log$/.exec(name) ?? []
      if (sum !== undefined && sum !== sumOf(bytes)) throw otherBytes(`${place}/${FORMAT}/${name}`)
      const path = join(tmpdir(), `medmake-segment-${randomUUID()}`)
      writeFileSync(path, bytes, { mode: 0o600 })
      const file = openSync(path, 'r')
      unlinkSync(path)
      return { file, close: () => closeSync(file) }
    },
    create: async (name, bytes) => (await bucket.create(name, Buffer.from(bytes))) === 'made',
    // Whoever looks lists: where that is answered, so is what is written.
    beat: () => Promise.resolve(),
    writer: (base) => new ObjectWriter(bucket, base),
  }
}

/** A part of an object's name, by which a reader knows whether it got what was written. */
const sumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32)

class ObjectWriter implements TierWriter {
  readonly #bucket: Bucket
  readonly #base: string
  #objects = 0
  #broken: unknown

  constructor(bucket: Bucket, base: string) {
    this.#bucket = bucket
    this.#base = base
  }

  async append(bytes: Buffer): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken
    const name = `${this.#base}.${this.#objects++}.${sumOf(bytes)}.log`
    try {
      if ((await this.#bucket.create(name, bytes)) === 'made') return
      // Nobody else has the name: it was made by a try whose answer was lost, if its content says so.
      if ((await this.#bucket.read(name))?.equals(bytes) !== true)
        throw badReply(name, 'there is another object of a name that was never used')
    } catch (error) {
      this.#broken = error
      throw error
    }
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}

interface Bucket {
  list(folder: string): Promise<readonly TierFile[]>
  read(name: string): Promise<Buffer | undefined>
  create(name: string, bytes: Buffer): Promise<'made' | 'there'>
}

/** @throws ProblemError `cache/tier-credentials` */
const openClient = (
  place: string,
  env: Environment,
): { readonly client: AwsClient; readonly endpoint: string } => {
  const [accessKeyId, secretAccessKey] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY']]
  if (!accessKeyId || !secretAccessKey) throw noCredentials(place)
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1'
  const sessionToken = env['AWS_SESSION_TOKEN']
  const keys = { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
  return {
    client: new AwsClient({ ...keys, region, service: 's3', retries: 0 }),
    endpoint: parseEndpoint(
      env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || `https://s3.${region}.amazonaws.com`,
    ),
  }
}

const openBucket = (place: string, env: Environment): Bucket => {
  const { bucket, pathname } = parsePlace(place)
  const { client, endpoint } = openClient(place, env)
  const root = [
    ...decodeURIComponent(pathname)
      .split('/')
      .filter((part) => part !== ''),
    FORMAT,
  ].join('/')
  const urlOf = (key: string): string =>
    `${endpoint.replace(/\/$/, '')}/${bucket}${key === '' ? '' : `/${key.split('/').map(encodeURIComponent).join('/')}`}`
  const ask = (url: string, init?: RequestInit): Promise<Answer> => send(client, url, init ?? {}, place)
  return {
    list: async (folder) => {
      const files: TierFile[] = []
      const prefix = `${root}/${folder}/`
      const tokens = new Set<string>()
      for (let token: string | undefined = ''; token !== undefined;) {
        const query = new URLSearchParams({ 'list-type': '2', prefix, 'encoding-type': 'url' })
        if (token !== '') query.set('continuation-token', token)
        const { status, body } = await ask(`${urlOf('')}?${query.toString().replaceAll('+', '%20')}`)
        if (status === 404) throw noBucket(place)
        if (status !== 200) throw badReply(place, `a listing was answered with ${status}`)
        const listing = readListing(body.toString('utf8'), place)
        for (const { key, bytes } of listing.objects) {
          if (!key.startsWith(prefix)) throw badReply(place, 'a listing names what was not asked for')
          files.push({ name: key.slice(root.length + 1), bytes })
        }
        token = listing.next
        if (token !== undefined && tokens.has(token)) throw badReply(place, 'a listing never ends')
        if (token !== undefined) tokens.add(token)
      }
      return files.sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    read: async (name) => {
      const { status, body } = await ask(urlOf(`${root}/${name}`))
      if (status === 404) return undefined
      if (status !== 200) throw badReply(name, `it was answered with ${status}`)
      return body
    },
    create: async (name, bytes) => {
      const init = { method: 'PUT', body: new Uint8Array(bytes), headers: { 'if-none-match': '*' } }
      const { status } = await ask(urlOf(`${root}/${name}`), init)
      if (status === 412) return 'there'
      if (status === 404) throw noBucket(place)
      if (status !== 200) throw badReply(name, `writing it was answered with ${status}`)
      return 'made'
    },
  }
}

/** What is no bucket's address may hold a key: it is not shown. */
const parsePlace = (place: string): { readonly bucket: string; readonly pathname: string } => {
  const url = URL.canParse(place) ? new URL(place) : undefined
  const isPlain =
    url !== undefined && [url.username, url.password, url.port, url.search, url.hash].join('') === ''
  if (!isPlain || !/^[a-z0-9][a-z0-9.-]*$/.test(url.hostname)) throw badPlace('--tier')
  return { bucket: url.hostname, pathname: url.pathname }
}

const parseEndpoint = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw badPlace('AWS_ENDPOINT_URL')
  return text
}

interface Answer {
  readonly status: number
  readonly body: Buffer
}

/** 409: two writers of one name at once; which of them had it is told to who asks again. */
const AGAIN: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504])

const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304

/** Bytes of an answer: twice what a segment may have. */
const LARGEST = 2 * TIER_SEGMENT

const bodyOf = async ({ body }: Response, place: string): Promise<Buffer> => {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    // Leaving the loop ends the connection.
    if (size > LARGEST) throw badReply(place, 'an answer does not end')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Asks until there is an answer that stands. A redirect is none: keys and texts go to the host that was named. */
const send = async (client: AwsClient, url: string, init: RequestInit, place: string): Promise<Answer> => {
  let last: unknown
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (tries > 0) await setTimeout(FIRST_PAUSE * 2 ** (tries - 1))
    try {
      const signal = AbortSignal.timeout(TIMEOUT)
      const response = await client.fetch(url, { ...init, redirect: 'manual', signal })
      const { status } = response
      const region = response.headers.get('x-amz-bucket-region') ?? ''
      if ((status === 400 || isRedirect(status)) && /^[a-z0-9-]+$/.test(region))
        throw otherRegion(place, region)
      if (isRedirect(status)) throw badReply(place, 'it sends elsewhere, where keys and texts do not go')
      const body = await bodyOf(response, place)
      if (status === 401 || status === 403) throw refused(place, status)
      if (!AGAIN.has(status)) return { status, body }
      last = new Error(`the server answers ${status}`)
    } catch (error) {
      if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error
      last = error
    }
  }
  throw init.method === 'PUT' ? writeProblem(place, last) : noTier(place, last)
}
