import { readdirSync, readSync } from 'node:fs'
import timers from 'node:timers/promises'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TIER_SEGMENT, type Tier } from '../../../cache/tier/tier.ts'
import { createAsk } from '../../../cache/tier/s3-request.ts'
import { s3Tier } from '../../../cache/tier/s3-tier.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const PATIENCE = { first: 10, longest: 40, busy: 60_000, unheard: 60_000, request: 60_000, greeting: 60_000 }
const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }

const tierOf = (env: Readonly<Record<string, string>> = {}, more: Partial<typeof PATIENCE> = {}): Tier =>
  s3Tier('s3://evals/a%20b//c/', { ...KEYS, ...env }, { ...PATIENCE, ...more })

/** Requests that were sent, and what each of them gets: the last answer stays. */
let sent: Request[] = []
const answerWith = (...answers: readonly (Response | Error)[]): void => {
  sent = []
  vi.stubGlobal('fetch', (request: Request) => {
    const answer = answers[Math.min(sent.length, answers.length - 1)]
    sent.push(request)
    return answer instanceof Response
      ? Promise.resolve(answer.clone())
      : Promise.reject(answer ?? new Error())
  })
}
const say = (status: number, code = '', headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(status === 204 || status === 304 ? null : `<Error><Code>${code}</Code></Error>`, {
    status,
    headers,
  })
const listing = (inner = ''): Response => new Response(`<ListBucketResult>${inner}</ListBucketResult>`)
const reset = (code: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(`it was ${code}`), { code }) })

/** Waits take no time, and are the longest that chance allows. */
let waits: number[] = []
const { setTimeout: wait } = timers
const replaceWait = (own: typeof wait): void => {
  timers.setTimeout = own
  syncBuiltinESMExports()
}
beforeEach(() => {
  waits = []
  replaceWait(((time: number) => Promise.resolve(void waits.push(time))) as typeof wait)
  vi.spyOn(Math, 'random').mockReturnValue(1)
})
afterEach(() => {
  replaceWait(wait)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

test('waits double up to the longest', async () => {
  answerWith(...Array.from({ length: 5 }, () => say(503)), listing())
  expect(await tierOf().list('plan')).toEqual([])
  expect(waits).toEqual([10, 20, 40, 40, 40])
  vi.mocked(Math.random).mockReturnValue(0)
  answerWith(say(503), listing())
  await tierOf().list('plan')
  expect(waits.at(-1)).toBe(5)
})

test.each([408, 409, 429, 500, 502, 503, 504])('%i is asked again', async (status) => {
  answerWith(say(status), say(200))
  expect(await tierOf().create('plan/a', 'text')).toBe(true)
  expect(sent).toHaveLength(2)
})

test('a request that came too slowly for the server is asked again', async () => {
  answerWith(say(400, 'RequestTimeout'), say(200))
  expect(await tierOf().create('plan/a', 'text')).toBe(true)
})

test.each([
  [400, 'InvalidToken', 'cache/tier-refused', /refuses these keys \(400\)/],
  [400, 'Other', 'cache/tier-reply', /answered with 400/],
  [400, 'ExpiredToken', 'cache/tier-refused', /have expired/],
  [401, '', 'cache/tier-refused', /refuses these keys \(401\)/],
  [403, 'TokenRefreshRequired', 'cache/tier-refused', /have expired/],
  [403, 'RequestTimeTooSkewed', 'cache/tier-refused', /clock/],
  [308, '', 'cache/tier-reply', /sends elsewhere/],
  [304, '', 'cache/tier-reply', /answered with 304/],
  [204, '', 'cache/tier-reply', /answered with 204/],
  [501, '', 'cache/tier-reply', /answered with 501/],
  [400, 'RequestTimeTooLong', 'cache/tier-reply', /answered with 400/],
] as const)('%i %s is told at once as what it is', async (status, word, code, message) => {
  answerWith(say(status, word))
  const tier = tierOf()
  const asked = [() => tier.list('plan'), () => tier.read('plan/a'), () => tier.create('plan/a', '')]
  for (const each of status === 204 ? asked : [...asked, () => tier.remove('plan/a', 1)]) {
    const problem = await problemOf(each)
    expect(problem).toMatchObject({ code })
    expect(problem?.message).toMatch(message)
  }
  expect(waits).toEqual([])
})

test('what is not there is told of each as it must be', async () => {
  answerWith(say(404))
  const tier = tierOf()
  expect(await tier.read('plan/a')).toBeUndefined()
  expect(await tier.open('plan/a')).toBeUndefined()
  await tier.remove('plan/a', 1)
  for (const asked of [() => tier.list('plan'), () => tier.create('plan/a', '')])
    expect(await problemOf(asked)).toMatchObject({ code: 'cache/no-tier' })
  answerWith(say(204))
  await tier.remove('plan/a', 1)
  answerWith(say(412))
  expect(await tier.create('plan/a', '')).toBe(false)
  answerWith(say(507))
  expect(await problemOf(() => tier.create('plan/a', ''))).toMatchObject({ code: 'cache/disk-full' })
})

test('a region is named only where it can be one', async () => {
  for (const status of [301, 400]) {
    answerWith(say(status, '', { 'x-amz-bucket-region': 'eu-central-1' }))
    expect(await problemOf(() => tierOf().list('plan'))).toMatchObject({ code: 'cache/tier-region' })
    answerWith(say(status, '', { 'x-amz-bucket-region': 'the key is SECRET' }))
    expect(await problemOf(() => tierOf().list('plan'))).toMatchObject({ code: 'cache/tier-reply' })
  }
})

test('a server that never answers is given up sooner than one that did, and what could not be written is named', async () => {
  const unheard = { unheard: 0, busy: 60_000 }
  answerWith(reset('ECONNRESET'))
  const never = await problemOf(() => tierOf({}, unheard).list('plan'))
  expect(never).toMatchObject({ code: 'cache/no-tier' })
  expect(waits).toEqual([])
  answerWith(say(503, 'SlowDown'), reset('ECONNRESET'), listing())
  expect(await tierOf({}, unheard).list('plan')).toEqual([])
  // No bucket says so: a gateway's page, or another server's.
  for (const write of [
    () => tierOf({}, unheard).list('plan'),
    () => tierOf({}, unheard).create('plan/a', ''),
  ]) {
    answerWith(new Response('<html>maintenance</html>', { status: 503 }))
    expect(await problemOf(write)).toMatchObject({ code: 'cache/no-tier' })
  }
  const impatient = { busy: 0 }
  answerWith(listing(), reset('ECONNRESET'))
  const tier = tierOf({}, impatient)
  await tier.list('plan')
  const lost = await problemOf(() => tier.list('plan'))
  expect(lost).toMatchObject({ code: 'cache/tier-unreadable' })
  expect(lost?.message).toContain('it was ECONNRESET')
  for (const write of [() => tier.create('plan/a', ''), () => tier.remove('plan/a', 1)])
    expect(await problemOf(write)).toMatchObject({ code: 'cache/write-failed' })
})

test('a request that is not answered in time is given up, and told in seconds', async () => {
  const late = (request: Request): Promise<Response> =>
    new Promise((_, reject) => {
      const giveUp = (): void => reject(request.signal.reason as Error)
      // It may be over before the request is signed.
      if (request.signal.aborted) giveUp()
      else request.signal.addEventListener('abort', giveUp)
    })
  vi.stubGlobal('fetch', late)
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  const tier = tierOf({}, { request: 60, greeting: 50, busy: 0, unheard: 0 })
  expect((await problemOf(() => tier.list('plan')))?.message).toContain('no answer within 0.05 s')
  answerWith(listing())
  await tier.list('plan')
  vi.stubGlobal('fetch', late)
  expect((await problemOf(() => tier.list('plan')))?.message).toContain('no answer within 0.06 s')
  expect(timeout.mock.calls).toEqual([[50], [50], [60]])
})

test('an answer that stands still in the midst of its body is given up, though fetch does not hear of it', async () => {
  const cancel = vi.fn()
  const body = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('<?xml')), cancel })
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body)))
  const ask = createAsk({ accessKeyId: 'a', secretAccessKey: 'b', region: 'r' }, 's3://evals', {
    first: 1,
    longest: 1,
    busy: 1,
    unheard: 1,
    request: 20,
    greeting: 20,
  })
  await expect(ask('http://127.0.0.1:9/evals')).rejects.toThrow('no answer within 0.02 s')
  vi.unstubAllGlobals()
  expect(cancel).toHaveBeenCalledTimes(1)
})

test('an answer whose time is over before its body is looked at is given up', async () => {
  const cancel = vi.fn()
  const body = new ReadableStream({ cancel })
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!request.signal.aborted)
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
    return new Response(body)
  })
  const tier = tierOf({}, { request: 1, greeting: 1, busy: 0, unheard: 0 })
  expect((await problemOf(() => tier.list('plan')))?.message).toContain('no answer within 0.001 s')
  expect(cancel).toHaveBeenCalledTimes(1)
})

test('an answer that does not end is left', async () => {
  const part = new Uint8Array(TIER_SEGMENT / 4)
  let parts = 0
  let isLeft = false
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      parts += 1
      if (parts > 20) controller.close()
      else controller.enqueue(part)
    },
    cancel: () => void (isLeft = true),
  })
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(endless)))
  expect(await problemOf(() => tierOf().read('plan/a'))).toMatchObject({ code: 'cache/tier-reply' })
  expect([isLeft, parts < 20]).toEqual([true, true])
})

test.each([
  [{}, 'https://s3.us-east-1.amazonaws.com/', 'us-east-1'],
  [{ AWS_DEFAULT_REGION: 'eu-west-1' }, 'https://s3.eu-west-1.amazonaws.com/', 'eu-west-1'],
  [
    { AWS_REGION: 'eu-west-2', AWS_DEFAULT_REGION: 'eu-west-1' },
    'https://s3.eu-west-2.amazonaws.com/',
    'eu-west-2',
  ],
  [{ AWS_ENDPOINT_URL: 'http://minio:9000/' }, 'http://minio:9000/', 'us-east-1'],
  [
    { AWS_ENDPOINT_URL: 'http://minio:9000/', AWS_ENDPOINT_URL_S3: 'http://s3:1' },
    'http://s3:1/',
    'us-east-1',
  ],
] as const)('by %j the bucket lies at %s', async (env, start, region) => {
  answerWith(new Response('text'))
  await tierOf(env).read('plan/ü?.json')
  expect(sent[0]?.url).toBe(`${start}evals/a%20b/c/medmake-1/plan/%C3%BC%3F.json`)
  expect(sent[0]?.headers.get('authorization')).toContain(`/${region}/s3/aws4_request`)
  expect(sent[0]?.headers.get('x-amz-security-token')).toBeNull()
})

test('what is sent says what it is: its keys’ token, its bytes, and that none of its name may be there', async () => {
  answerWith(say(200))
  await tierOf({ AWS_SESSION_TOKEN: 'of the session' }).create('plan/a', 'text')
  const [request] = sent
  expect(request?.headers.get('x-amz-security-token')).toBe('of the session')
  // sha256 of `text`.
  expect(request?.headers.get('x-amz-content-sha256')).toBe(
    '982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1',
  )
  expect([request?.method, request?.redirect, request?.headers.get('if-none-match')]).toEqual([
    'PUT',
    'manual',
    '*',
  ])
  for (const lacking of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    expect(await problemOf(() => tierOf({ [lacking]: '' }))).toMatchObject({ code: 'cache/tier-credentials' })
})

test('a listing goes on from page to page, in order, and asks for its folder alone', async () => {
  const object = (name: string): string =>
    `<Contents><Key>a+b/c/medmake-1/plan/${name}</Key><Size>1</Size></Contents>`
  const more = (token: string): string =>
    `<IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>`
  answerWith(listing(object('c') + more('1 +')), listing(object('a&amp;b') + more('2')), listing(object('b')))
  const files = await tierOf().list('plan')
  expect(files).toEqual(['plan/a&b', 'plan/b', 'plan/c'].map((name) => ({ name, bytes: 1 })))
  expect(sent.map(({ url }) => new URL(url).searchParams.get('continuation-token'))).toEqual([
    null,
    '1 +',
    '2',
  ])
  expect(new URL(sent[0]?.url ?? '').searchParams.get('prefix')).toBe('a b/c/medmake-1/plan/')
  expect(sent[0]?.url).toContain('prefix=a%20b%2Fc')
  // One that begins over and over under other tokens would never end.
  answerWith(listing(object('c') + more('1')), listing(object('c') + more('2')), listing(object('c')))
  expect(await problemOf(() => tierOf().list('plan'))).toMatchObject({ code: 'cache/tier-reply' })
  // So would one of nothing but empty pages; a hundred of them may come before the first object.
  const empty = (count: number): readonly Response[] =>
    Array.from({ length: count }, (_, at) => listing(more(`empty ${at}`)))
  answerWith(...empty(100), listing(object('c')))
  expect(await tierOf().list('plan')).toHaveLength(1)
  answerWith(...empty(101), listing(object('c')))
  expect(await problemOf(() => tierOf().list('plan'))).toMatchObject({ code: 'cache/tier-reply' })
})

test('an object is fetched thrice where its bytes are others, and once where its name tells no sum', async () => {
  const sum = '982d9e3eb996f559e633f4d194def376'
  const bad = new Response('half')
  answerWith(bad, bad, new Response('text'))
  const folder = temporaryFolder()
  vi.stubEnv('TMPDIR', folder)
  const segment = await tierOf().open(`segments/a.0.${sum}.log`)
  // Whatever ends the process, no reply stays on its disk.
  expect(readdirSync(folder)).toEqual([])
  const text = Buffer.alloc(4)
  readSync(segment?.file ?? -1, text, 0, 4, 0)
  expect(String(text)).toBe('text')
  segment?.close()
  expect(sent).toHaveLength(3)
  answerWith(bad)
  expect(await problemOf(() => tierOf().open(`segments/a.0.${sum}.log`))).toMatchObject({
    code: 'cache/tier-reply',
  })
  expect(sent).toHaveLength(3)
  const other = await tierOf().open('segments/README.txt')
  other?.close()
  expect(sent).toHaveLength(4)
})

test('after a write that failed no other is tried, and a try whose answer was lost counts where its bytes are there', async () => {
  answerWith(say(200))
  const writer = tierOf().writer('segments/a')
  await writer.append(Buffer.from('text'))
  await writer.append(Buffer.from('text'))
  expect(sent.map(({ url }) => /a\.(\d)\./.exec(url)?.[1])).toEqual(['0', '1'])
  answerWith(say(412), new Response('text'))
  await writer.append(Buffer.from('text'))
  answerWith(say(412), new Response('other'))
  await expect(writer.append(Buffer.from('text'))).rejects.toThrow('a name that was never used')
  answerWith(say(200))
  await expect(writer.append(Buffer.from('text'))).rejects.toThrow('a name that was never used')
  expect(sent).toEqual([])
})

test.each(['ftp://server', 'http://id@server', 'http://:key@server'])('%s is no endpoint', async (url) => {
  expect(await problemOf(() => tierOf({ AWS_ENDPOINT_URL: url }))).toMatchObject({ code: 'cache/tier' })
})

test.each([
  's3://id@evals',
  's3://:key@evals',
  's3://evals:1',
  's3://evals?a',
  's3://evals#a',
  's3://evals/100%',
  's3://Ev_als',
])('%s is no bucket', async (place) => {
  expect(await problemOf(() => s3Tier(place, KEYS))).toMatchObject({ code: 'cache/tier' })
})
