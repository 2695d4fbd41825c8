import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { writeProblem } from '../store-problems.ts'
import { unreadable, TIER_SEGMENT } from './tier.ts'
import { connectionWords, staysRefused } from '../network/connection-words.ts'
import { EXIT, ProblemError } from '../problems/problem.ts'

/** How long a server is asked again. All in milliseconds. */
export interface RetryTimes {
  /** Before it is asked for the second time; twice as long each time after, up to the longest. */
  readonly first: number
  readonly longest: number
  /** A server that says it is busy, or that answered before. */
  readonly busy: number
  /** One that never answered as a bucket's does: its address may be wrong. */
  readonly unheard: number
  /** One request; the first ones, as long as there was no answer. */
  readonly request: number
  readonly greeting: number
}

/** Buckets ask a crowd to slow down for minutes. */
const PATIENCE: RetryTimes = {
  first: 200,
  longest: 10_000,
  busy: 300_000,
  unheard: 12_000,
  request: 120_000,
  greeting: 12_000,
}

interface Answer {
  readonly status: number
  readonly body: Buffer
}

interface Sent {
  readonly method?: 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
}

interface Keys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  readonly region: string
}

/** Asks until there is an answer that stands. @throws ProblemError where there is none, or the keys are refused */
export const createAsk = (
  keys: Keys,
  place: string,
  patience: RetryTimes = PATIENCE,
): ((url: string, init?: Sent) => Promise<Answer>) => {
  const client = new AwsClient({ ...keys, service: 's3', retries: 0 })
  let heard = false
  return async (url, init = {}) => {
    const begun = performance.now()
    for (let pause = patience.first; ; pause = Math.min(2 * pause, patience.longest)) {
      const timeout = heard ? patience.request : patience.greeting
      const answer = await askOnce(client, url, init, { place, timeout })
      heard ||= !(answer instanceof Error) && (!isForNow(answer) || codeOf(answer.body) !== undefined)
      if (!(answer instanceof Error) && !isForNow(answer)) return answer
      // Of many tasks that were asked to slow down not all come back at once.
      const wait = pause * (0.5 + Math.random() / 2)
      const unheard = staysRefused(answer) ? 0 : patience.unheard
      if (performance.now() - begun + wait < (heard ? patience.busy : unheard)) {
        await setTimeout(wait)
        continue
      }
      const last = answer instanceof Error ? answer : new Error(`the server answers ${answer.status}`)
      if (!heard) throw unreached(place, url, last)
      throw init.method === undefined ? unreadable(place, last) : writeProblem(place, last)
    }
  }
}

/** 409: two writers of one name at once; which of them had it is told to who asks again. */
const AGAIN: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504])

const isForNow = ({ status, body }: Answer): boolean =>
  AGAIN.has(status) || (status === 400 && codeOf(body) === 'RequestTimeout')

/** S3's own word for what is wrong. */
const codeOf = (body: Buffer): string | undefined =>
  /<Code>(\w+)<\/Code>/.exec(body.subarray(0, 4096).toString('utf8'))?.[1]

const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304

/** An answer, or what the network did. A redirect is no answer: keys and texts go to the host that was named. */
const askOnce = async (
  client: AwsClient,
  url: string,
  init: Sent,
  { place, timeout }: { readonly place: string; readonly timeout: number },
): Promise<Answer | Error> => {
  try {
    const signal = AbortSignal.timeout(timeout)
    // Signed with the request, so that the server refuses what arrives otherwise.
    const digest = createHash('sha256')
      .update(init.body ?? '')
      .digest('hex')
    const headers = { ...init.headers, 'x-amz-content-sha256': digest }
    const response = await client.fetch(url, { ...init, headers, redirect: 'manual', signal })
    const { status } = response
    const region = response.headers.get('x-amz-bucket-region') ?? ''
    if ((status === 400 || isRedirect(status)) && /^[a-z0-9-]+$/.test(region))
      throw otherRegion(place, region)
    if (isRedirect(status)) throw badReply(place, 'it sends elsewhere, where keys and texts do not go')
    const body = await bodyOf(response, place, signal)
    requireKeys({ status, body }, place)
    return { status, body }
  } catch (error) {
    if (error instanceof TypeError && error.cause instanceof ProblemError) throw error.cause
    if (error instanceof TypeError) return error.cause instanceof Error ? error.cause : error
    if (error instanceof DOMException) return new Error(`no answer within ${timeout / 1000} s`)
    throw error
  }
}

const requireKeys = ({ status, body }: Answer, place: string): void => {
  if (status !== 400 && status !== 401 && status !== 403) return
  const code = codeOf(body)
  if (code === 'ExpiredToken' || code === 'TokenRefreshRequired') throw expired(place)
  if (code === 'RequestTimeTooSkewed') throw otherClock(place)
  if (status !== 400 || code === 'InvalidToken') throw refused(place, status)
}

/** Bytes of an answer: twice what a segment may have. */
const LARGEST = 2 * TIER_SEGMENT

const bodyOf = async ({ body }: Response, place: string, signal: AbortSignal): Promise<Buffer> => {
  const parts: Uint8Array[] = []
  let size = 0
  const reader = body?.getReader()
  // Once its request is collected as garbage, fetch ends no body at a signal; one that was given is heard of no more.
  signal.addEventListener('abort', () => void reader?.cancel().catch(() => undefined))
  if (signal.aborted) await reader?.cancel()
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    size += part.value.length
    if (size > LARGEST) {
      await reader?.cancel()
      throw badReply(place, 'an answer does not end')
    }
    parts.push(part.value)
  }
  signal.throwIfAborted()
  return Buffer.concat(parts)
}

export const noCredentials = (place: string): ProblemError =>
  new ProblemError({
    code: 'cache/tier-credentials',
    message: 'there are no keys for this bucket',
    where: { file: place },
    remedy:
      'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL where it takes them); `aws configure export-credentials --format env` prints them.',
  })

export const noBucket = (place: string): ProblemError =>
  new ProblemError({
    code: 'cache/no-tier',
    message: 'there is no such bucket',
    where: { file: place },
    remedy: 'Make the bucket, or mend its name, AWS_REGION or AWS_ENDPOINT_URL.',
  })

const refused = (place: string, status: number): ProblemError =>
  new ProblemError({
    code: 'cache/tier-refused',
    message: `the server refuses these keys (${status})`,
    where: { file: place },
    remedy:
      'They must be valid still, and allow to list the bucket and to read and write objects below the prefix.',
  })

/** The run goes on with new ones; a scheduler that tried again with these would do so for ever. */
const expired = (place: string): ProblemError =>
  new ProblemError(
    {
      code: 'cache/tier-refused',
      message: 'the keys for this bucket have expired',
      where: { file: place },
      remedy:
        'Take new ones and run it again: everything stored so far is kept. They must hold for as long as the run takes.',
    },
    { exitCode: EXIT.incomplete },
  )

const otherClock = (place: string): ProblemError =>
  new ProblemError({
    code: 'cache/tier-refused',
    message: 'the server refuses what is signed here: this machine’s clock is off by more than it allows',
    where: { file: place },
    remedy: 'Set the clock of this machine, by NTP say. Nothing else here depends on it.',
  })

const unreached = (place: string, url: string, cause: Error): ProblemError =>
  new ProblemError(
    {
      code: 'cache/no-tier',
      message: `the bucket's server can't be reached: ${connectionWords(cause, cause.message, { url, isPublic: false })}`,
      where: { file: place },
      remedy: 'Mend AWS_ENDPOINT_URL, AWS_REGION or the network.',
    },
    { cause },
  )

export const full = (place: string): ProblemError =>
  new ProblemError(
    {
      code: 'cache/disk-full',
      message: 'the bucket’s server has no room left (507)',
      where: { file: place },
      remedy: 'free some space or raise the quota and run again: everything stored so far is kept',
    },
    { exitCode: EXIT.incomplete },
  )

/** A server that does otherwise than the protocol says: what it holds can't be told. */
export const badReply = (place: string, what: string): ProblemError =>
  new ProblemError({
    code: 'cache/tier-reply',
    message: `the bucket's server does not do what is needed: ${what}`,
    where: { file: place },
    remedy:
      'Use a server that writes objects only if there is none (If-None-Match: *) and lists them by pages, or a folder.',
  })

export const badPlace = (field: string): ProblemError =>
  new ProblemError({
    code: 'cache/tier',
    message: 'this is no address of a bucket',
    where: { field },
    remedy:
      'Write s3://bucket/prefix, and the server as https://host in AWS_ENDPOINT_URL. Keys go into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, never into an address.',
  })

const otherRegion = (place: string, region: string): ProblemError =>
  new ProblemError({
    code: 'cache/tier-region',
    message: `the bucket lies in ${region}`,
    where: { file: place },
    remedy: `Set AWS_REGION=${region}.`,
  })

export const otherBytes = (object: string): ProblemError =>
  new ProblemError({
    code: 'cache/tier-reply',
    message: 'these are not the bytes that were written: nothing of them is taken over',
    where: { file: object },
    remedy:
      'Ask again; if it stays so, delete this object: the calls that are stored in it alone are made again.',
  })
