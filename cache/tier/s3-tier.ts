import { randomUUID } from 'node:crypto'
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { noTier, writeProblem } from '../store-problems.ts'
import { readListing } from './s3-listing.ts'
import { badReply, noBucket, noCredentials, refused } from './s3-problems.ts'
import { FORMAT, type Tier, type TierFile, type TierWriter } from './tier.ts'

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
 * @throws ProblemError `cache/tier-credentials`, `cache/no-tier`
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
    const name = `${this.#base}.${this.#objects++}.log`
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
    endpoint: env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || `https://s3.${region}.amazonaws.com`,
  }
}

const openBucket = (place: string, env: Environment): Bucket => {
  const { hostname: bucket, pathname } = new URL(place)
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

interface Answer {
  readonly status: number
  readonly body: Buffer
}

/** 409: two writers of one name at once; which of them had it is told to who asks again. */
const AGAIN: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504])

/** Asks until there is an answer that stands. A redirect is none: keys and texts go to the host that was named. */
const send = async (client: AwsClient, url: string, init: RequestInit, place: string): Promise<Answer> => {
  let last: unknown
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (tries > 0) await setTimeout(FIRST_PAUSE * 2 ** (tries - 1))
    try {
      const signal = AbortSignal.timeout(TIMEOUT)
      const response = await client.fetch(url, { ...init, redirect: 'manual', signal })
      const body = Buffer.from(await response.arrayBuffer())
      const { status } = response
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
