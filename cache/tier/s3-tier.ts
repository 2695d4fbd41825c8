import { createHash, randomUUID } from 'node:crypto'
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  badPlace,
  badReply,
  full,
  noBucket,
  noCredentials,
  otherBytes,
  createAsk,
  type RetryTimes,
} from './s3-request.ts'
import { percentDecoded } from '../network/percent-decoded.ts'
import { writeProblem } from '../store-problems.ts'
import { FORMAT, type Tier, type TierFile, type TierWriter } from './tier.ts'
import { SaxesParser } from 'saxes'
import { reasonOf } from '../problems/problem.ts'

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
export const s3Tier = (place: string, env: NodeJS.ProcessEnv, patience?: RetryTimes): Tier => {
  const bucket = openBucket(place, env, patience)
  return {
    ...bucket,
    place,
    server: accessOf(place, env).endpoint,
    pause: GROUP,
    open: async (name) => {
      const bytes = await readWhole(bucket, name, place)
      if (bytes === undefined) return undefined
      const path = join(tmpdir(), `medmake-segment-${randomUUID()}`)
      const file = openSync(path, 'wx+', 0o600)
      // Whatever ends this, nothing of it stays.
      unlinkSync(path)
      try {
        writeFileSync(file, bytes)
      } catch (error) {
        closeSync(file)
        throw writeProblem(path, error)
      }
      return { file, close: () => closeSync(file) }
    },
    // Whoever looks lists: where that is answered, so is what is written.
    beat: () => Promise.resolve(),
    writer: (base) => new ObjectWriter(bucket, base),
  }
}

/** A part of an object's name, by which a reader knows whether it got what was written. */
const sumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32)

/** Times that a listing is fetched that can't be read, or an object whose bytes are not those that were written, or that was listed and is not there. */
const FETCHES = 3

/** Undefined where it is gone. @throws ProblemError `cache/tier-reply` where its bytes stay others */
const readWhole = async (bucket: Bucket, name: string, place: string): Promise<Buffer | undefined> => {
  const [, sum] = /\.([0-9a-f]{32})\.log$/.exec(name) ?? []
  let bytes: Buffer | undefined
  for (let fetches = 0; fetches < FETCHES; fetches += 1) {
    bytes = await bucket.read(name)
    if (sum === undefined || (bytes !== undefined && sum === sumOf(bytes))) return bytes
  }
  if (bytes === undefined) return undefined
  throw otherBytes(`${place}/${FORMAT}/${name}`)
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
    const name = `${this.#base}.${this.#objects++}.${sumOf(bytes)}.log`
    try {
      if (await this.#bucket.create(name, bytes)) return
      // Nobody else has the name: it was made by a try whose answer was lost, if its content says so.
      for (let fetches = 0; fetches < FETCHES; fetches += 1)
        if ((await this.#bucket.read(name))?.equals(bytes) === true) return
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

type Bucket = Pick<Tier, 'list' | 'read' | 'create' | 'remove'>

/** @throws ProblemError `cache/tier-credentials` */
const accessOf = (place: string, env: NodeJS.ProcessEnv) => {
  const [accessKeyId, secretAccessKey] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY']]
  if (!accessKeyId || !secretAccessKey) throw noCredentials(place)
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1'
  const sessionToken = env['AWS_SESSION_TOKEN']
  const keys = { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
  return {
    keys: { ...keys, region },
    endpoint: parseEndpoint(
      env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || `https://s3.${region}.amazonaws.com`,
    ),
  }
}

const openBucket = (place: string, env: NodeJS.ProcessEnv, patience?: RetryTimes): Bucket => {
  const { bucket, pathname } = parsePlace(place)
  const { keys, endpoint } = accessOf(place, env)
  const root = [...pathname.split('/').filter((part) => part !== ''), FORMAT].join('/')
  const urlOf = (key: string): string =>
    `${endpoint.replace(/\/$/, '')}/${bucket}${key === '' ? '' : `/${key.split('/').map(encodeURIComponent).join('/')}`}`
  const ask = createAsk(keys, place, patience)
  return {
    list: async (folder) => {
      const files: TierFile[] = []
      const prefix = `${root}/${folder}/`
      const nextPage = pagesOf(place)
      for (let token: string | undefined = ''; token !== undefined;) {
        const query = new URLSearchParams({ 'list-type': '2', prefix, 'encoding-type': 'url' })
        if (token !== '') query.set('continuation-token', token)
        const listing = await readPage(ask, `${urlOf('')}?${query.toString().replaceAll('+', '%20')}`, place)
        for (const { key, bytes } of listing.objects) {
          if (!key.startsWith(prefix)) throw badReply(place, 'a listing names what was not asked for')
          files.push({ name: key.slice(root.length + 1), bytes })
        }
        token = nextPage(listing)
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
      const { status } = await ask(urlOf(`${root}/${name}`), {
        method: 'PUT',
        body: new Uint8Array(Buffer.from(bytes)),
        headers: { 'if-none-match': '*' },
      })
      if (status === 412) return false
      if (status === 404) throw noBucket(place)
      if (status === 507) throw full(place)
      if (status !== 200) throw badReply(name, `writing it was answered with ${status}`)
      return true
    },
    remove: async (name) => {
      const { status } = await ask(urlOf(`${root}/${name}`), { method: 'DELETE' })
      if (status !== 200 && status !== 204 && status !== 404)
        throw badReply(name, `removing it was answered with ${status}`)
      return true
    },
  }
}

const readPage = async (ask: ReturnType<typeof createAsk>, url: string, place: string): Promise<Listing> => {
  for (let fetches = 1; ; fetches += 1) {
    const { status, body } = await ask(url)
    if (status === 404) throw noBucket(place)
    if (status !== 200) throw badReply(place, `a listing was answered with ${status}`)
    try {
      return readListing(body.toString('utf8'), place)
    } catch (error) {
      if (fetches === FETCHES) throw error
    }
  }
}

/** Pages without an object, one after the other: where much was removed a bucket gives some. */
const EMPTY_PAGES = 100

/** Gives the token of the page behind one. @throws ProblemError `cache/tier-reply` for a page that was there before */
const pagesOf = (place: string): ((page: Listing) => string | undefined) => {
  const seen = new Set<string>()
  let empty = 0
  return ({ objects, next }) => {
    if (next === undefined) return undefined
    empty = objects.length === 0 ? empty + 1 : 0
    // Under a token that is new each time, a listing may begin over and over, or give nothing.
    const marks = [next, `at ${objects[0]?.key ?? next}`]
    if (empty > EMPTY_PAGES || marks.some((mark) => seen.has(mark)))
      throw badReply(place, 'a listing never ends')
    for (const mark of marks) seen.add(mark)
    return next
  }
}

/** What is no bucket's address may hold a key: it is not shown. */
const parsePlace = (place: string): { readonly bucket: string; readonly pathname: string } => {
  const url = URL.canParse(place) ? new URL(place) : undefined
  const isPlain =
    url !== undefined && [url.username, url.password, url.port, url.search, url.hash].join('') === ''
  const pathname = percentDecoded(url?.pathname ?? '')
  if (!isPlain || pathname === undefined || !/^[a-z0-9][a-z0-9.-]*$/.test(url.hostname))
    throw badPlace('--tier')
  return { bucket: url.hostname, pathname }
}

const parseEndpoint = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw badPlace('AWS_ENDPOINT_URL')
  return text
}

/** A page. */
interface Listing {
  readonly objects: readonly { readonly key: string; readonly bytes: number }[]
  /** Token of the next page; undefined on the last one. */
  readonly next?: string
}

/** A page of ListObjectsV2. @throws ProblemError `cache/tier-reply` for what is none */
export const readListing = (text: string, place: string): Listing => {
  const path: string[] = []
  const objects: { key: string; bytes: number }[] = []
  const page: Record<string, string> = {}
  let object: Record<string, string> = {}
  const parser = new SaxesParser()
  parser.on('text', (part) => {
    const name = path.at(-1) ?? ''
    const into = path[1] === 'Contents' ? object : page
    into[name] = (into[name] ?? '') + part
  })
  parser.on('closetag', () => {
    if (path.pop() !== 'Contents') return
    objects.push({
      key: decodeURIComponent((object['Key'] ?? '').replaceAll('+', ' ')),
      bytes: Number(object['Size']),
    })
    object = {}
  })
  let isListing = false
  parser.on('opentag', ({ name }) => {
    isListing ||= name === 'ListBucketResult'
    path.push(name)
  })
  try {
    parser.write(text).close()
  } catch (error) {
    throw badReply(place, `a listing can't be read: ${reasonOf(error)}`)
  }
  if (!isListing || objects.some(({ bytes }) => !Number.isSafeInteger(bytes) || bytes < 0))
    throw badReply(place, 'a listing is none')
  const next = page['NextContinuationToken']
  if (page['IsTruncated'] !== 'true') return { objects }
  if (next === undefined) throw badReply(place, 'a listing is cut short')
  return { objects, next }
}
