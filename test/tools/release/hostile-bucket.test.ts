import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { retried } from '../../../cache/network/retried.ts'
import { listObjects, objectUrl, parseBucket, type Bucket } from '../../../tools/release/import/bucket.ts'
import { fetchObject } from '../../../tools/release/import/fetch-object.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const bucketOf = async (listener: RequestListener): Promise<Bucket> => {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const bucket = parseBucket(`http://127.0.0.1:${(server.address() as AddressInfo).port}/published`)
  if (bucket === undefined) throw new Error('no bucket')
  return bucket
}

const options = { signal: new AbortController().signal, waits: [] }

const listed = async (bucket: Bucket): Promise<number> => {
  let count = 0
  for await (const _ of listObjects(bucket, options)) count += 1
  return count
}

test('a listing that does not end is refused', { timeout: 30_000 }, async () => {
  let page = 0
  const bucket = await bucketOf((_, response) => {
    page += 1
    response.end(JSON.stringify({ items: [], nextPageToken: String(page) }))
  })
  expect(await problemOf(() => listed(bucket))).toMatchObject({
    code: 'release/listing',
    message: expect.stringContaining('more than 2000 pages') as string,
  })
})

test('a page that does not end is refused', { timeout: 30_000 }, async () => {
  const bucket = await bucketOf((_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(' '.repeat(1 << 20)));
    }
    response.on('drain', more)
    more()
  })
  expect(await problemOf(() => listed(bucket))).toMatchObject({
    message: expect.stringContaining('longer than 64 MB') as string,
  })
})

test.each(['a\0b/run_spec.json', 'a\nb', String.raw`..\..\x`])(
  'an object called %j is refused',
  async (name) => {
    const bucket = await bucketOf((_, response) => {
      response.end(JSON.stringify({ items: [{ name, size: '1' }] }))
    })
    expect(await problemOf(() => listed(bucket))).toMatchObject({ code: 'release/listing' })
  },
)

test('a download beyond its declared size is refused, and nothing of it stays', async () => {
  const bucket = await bucketOf((_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(1000)));
    }
    response.on('drain', more)
    more()
  })
  const folder = temporaryFolder()
  const file = join(folder, 'stats.json')
  const problem = await problemOf(() =>
    fetchObject(bucket, { name: 'stats.json', size: 2500 }, file, options),
  )
  expect(problem).toMatchObject({
    code: 'release/download',
    message: expect.stringContaining('longer than the 2500 bytes of the listing') as string,
  })
  expect([existsSync(file), readdirSync(folder)]).toEqual([false, []])
})

test('of a folder only what lies in it is listed, not what lies in another whose name begins so', async () => {
  const prefixes: (string | null)[] = []
  const bucket = await bucketOf(({ url = '' }, response) => {
    prefixes.push(new URL(url, 'http://x').searchParams.get('prefix'))
    response.end(JSON.stringify({ items: [] }))
  })
  for (const prefix of ['', 'v1', 'a/b']) await listed({ ...bucket, prefix })
  expect(prefixes).toEqual(['', 'v1/', 'a/b/'])
})

test('a listing that names the same page again is refused at once', async () => {
  let pages = 0
  const bucket = await bucketOf((_, response) => {
    pages += 1
    response.end(JSON.stringify({ items: [], nextPageToken: 'same' }))
  })
  expect((await problemOf(() => listed(bucket)))?.message).toContain('it repeats the page same')
  expect(pages).toBe(2)
})

const faraway = { url: 'https://bucket.example/object', isPublic: false }
const gaveUp = (reason: string): ProblemError =>
  new ProblemError({ code: 'x/y', message: reason, remedy: '' })

test('a proxy that wants a password is asked once and told as that, with its address', async () => {
  vi.stubEnv('https_proxy', '')
  vi.stubEnv('HTTPS_PROXY', 'http://ann:secret@proxy.corp:3128')
  const attempt = async (): Promise<never> => {
    throw new Error('Proxy response (407) !== 200 when HTTP Tunneling')
  }
  const problem = await problemOf(() => retried(attempt, { ...options, ...faraway, waits: [60_000] }, gaveUp))
  vi.unstubAllEnvs()
  expect(problem?.message).toBe(
    'the proxy wants a name and a password (407): http://NAME:PASSWORD@HOST:PORT, by way of the proxy proxy.corp:3128 of HTTPS_PROXY (1 attempt)',
  )
})

test('attempts that get nowhere are given up; those that got further do not count', async () => {
  const attempts = async (...reached: readonly number[]): Promise<number> => {
    let count = 0
    const progress = async (): Promise<number> => reached[Math.min(count, reached.length - 1)] ?? 0
    const attempt = async (): Promise<never> => {
      count += 1
      throw new Error('broken off')
    }
    await problemOf(() => retried(attempt, { ...options, ...faraway, waits: [0, 0], progress }, gaveUp))
    return count
  }
  expect(await attempts(5)).toBe(3)
  expect(await attempts(5, 6, 7)).toBe(4)
  // Begun anew each time, and broken off a little earlier or later.
  expect(await attempts(5, 9, 6, 8, 6, 9, 7, 9, 5)).toBe(3)
})

test('an empty object is an empty file', async () => {
  const bucket = await bucketOf((_, response) => response.end())
  const file = join(temporaryFolder(), 'empty.json')
  await fetchObject(bucket, { name: 'empty.json', size: 0 }, file, options)
  expect(readFileSync(file, 'utf8')).toBe('')
})

type Answer = readonly [status: number, body: string, range?: string]

/** Answers each request for an object by the next of these, and the last one again; tells the ranges that were asked for. */
const answering = async (
  ...answers: readonly Answer[]
): Promise<{ readonly bucket: Bucket; readonly ranges: readonly string[] }> => {
  const ranges: string[] = []
  const bucket = await bucketOf((request, response) => {
    const [status, body, range] = answers[Math.min(ranges.length, answers.length - 1)] ?? [500, '']
    ranges.push(request.headers.range ?? 'all')
    response.writeHead(status, range === undefined ? {} : { 'content-range': range }).end(body)
  })
  return { bucket, ranges }
}

test.each<readonly [string, readonly Answer[], Readonly<Record<string, string>>, readonly string[]]>([
  ['begun anew where the server sends it all', [[200, '123456789']], { 'o.part': 'xyz' }, ['bytes=3-']],
  ['gone on with', [[206, '456789', 'bytes 3-8/9']], { 'o.part': '123' }, ['bytes=3-']],
  ['begun anew where more lies here', [[200, '123456789']], { 'o.part': '123456789x' }, ['all']],
  ['not asked for where all of it lies here', [[500, '']], { 'o.part': '123456789' }, []],
  ['not asked for where it was fetched', [[500, '']], { o: '123456789' }, []],
  ['fetched again where another one lies here', [[200, '123456789']], { o: '123456780' }, ['all']],
  [
    'asked for again of a busy server',
    [
      [429, ''],
      [500, ''],
      [200, '123456789'],
    ],
    {},
    ['all', 'all', 'all'],
  ],
])('an object is %s', async (_, answers, files, asked) => {
  const { bucket, ranges } = await answering(...answers)
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  // The check value of CRC-32C.
  const object = { name: 'o', size: 9, crc32c: '4waSgw==' }
  await fetchObject(bucket, object, join(folder, 'o'), { ...options, waits: [0, 0] })
  expect(ranges).toEqual(asked)
  expect([readdirSync(folder), readFileSync(join(folder, 'o'), 'utf8')]).toEqual([['o'], '123456789'])
})

test.each<readonly [string, Answer, string, readonly string[]]>([
  ['by its crc32c alone', [206, '45678x', 'bytes 3-8/9'], 'o: its crc32c is not the one in the listing', []],
  ['of another range', [206, '456789', 'bytes 30-35/9'], 'the server answered 206', ['o.part']],
  ['that is not there', [404, ''], 'the server answered 404', ['o.part']],
])('an object %s is refused at once', async (_, answer, reason, kept) => {
  const { bucket, ranges } = await answering(answer)
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'o.part'), '123')
  const object = { name: 'o', size: 9, crc32c: '4waSgw==' }
  const problem = await problemOf(() =>
    fetchObject(bucket, object, join(folder, 'o'), { ...options, waits: [0, 0] }),
  )
  expect(problem?.message).toContain(reason)
  expect([ranges.length, readdirSync(folder)]).toEqual([1, kept])
})

test('a listing is asked for again of a busy server, and refused at once where it is none', async () => {
  const busy = await answering([429, ''], [500, ''], [200, '{"items": [{"name": "a", "size": "1"}]}'])
  expect(await problemOf(() => listed(busy.bucket))).toMatchObject({ code: 'release/listing' })
  const names: string[] = []
  for await (const { name } of listObjects(busy.bucket, { ...options, waits: [0] })) names.push(name)
  expect([names, busy.ranges.length]).toEqual([['a'], 3])
  for (const [answer, reason] of [
    [[403, ''], 'the server answered 403'],
    [[200, '[]'], 'it is not what the storage JSON API gives'],
    [[200, '{"items": [{"name": "a", "size": "-1"}]}'], 'it is not what the storage JSON API gives'],
  ] as const) {
    const { bucket, ranges } = await answering(answer)
    expect((await problemOf(() => listed(bucket)))?.message).toContain(reason)
    expect(ranges).toHaveLength(1)
  }
})

test('an address of a bucket is read with its odd letters, and refused where it names none', () => {
  const bucket = parseBucket('https://host.example/own bucket//a%20b/')
  expect(bucket).toEqual({ origin: 'https://host.example', name: 'own bucket', prefix: 'a b' })
  expect(bucket && objectUrl(bucket, 'a b/c#1?=x:model=y')).toBe(
    'https://host.example/storage/v1/b/own%20bucket/o/a%20b%2Fc%231%3F%3Dx%3Amodel%3Dy?alt=media',
  )
  for (const url of [
    'https://host.example',
    'https://host.example//',
    'gs://',
    'ftp://host/b',
    'https://[/b',
  ])
    expect(() => parseBucket(url)).toThrow(`${url} names no bucket`)
})
