import fs, { readdirSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { expect, test, vi } from 'vitest'
import { Attempt } from '../../../cache/tier/attempt.ts'
import { pushValues } from '../../../cache/tier/push-values.ts'
import { tierValues, type TierDamage } from '../../../cache/tier/read-tier.ts'
import { requireExclusive } from '../../../cache/tier/open-tier.ts'
import { s3Tier } from '../../../cache/tier/s3-tier.ts'
import { sealTier } from '../../../cache/tier/seal-tier.ts'
import { TierLog } from '../../../cache/tier/tier-log.ts'
import type { Tier } from '../../../cache/tier/tier.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import type { RawValue } from '../../../cache/values/encoded.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { s3Server, type S3Server } from '../../rig/s3-server.ts'

const valuesOf = (count: number): readonly RawValue[] =>
  Array.from({ length: count }, (_, n) => ({
    table: 'completions',
    id: digestOf(`call ${n}`),
    payload: Buffer.from(JSON.stringify({ reply: n })),
  }))

/** Waits of a test: a server that answers is asked again for as long as it takes. */
const PATIENCE = { first: 1, longest: 2, busy: 60_000, unheard: 50, request: 60_000, greeting: 60_000 }

const tierOf = ({ env }: S3Server, more: Partial<typeof PATIENCE> = {}): Tier =>
  s3Tier('s3://evals/x', env, { ...PATIENCE, ...more })

const readAll = async (tier: Tier): Promise<{ readonly ids: readonly string[]; readonly damage: number }> => {
  const ids: string[] = []
  const damage: TierDamage[] = []
  for await (const { id } of tierValues(tier, { onDamage: (each) => void damage.push(each) })) ids.push(id)
  return { ids: ids.sort(), damage: damage.length }
}

const idsOf = (values: readonly RawValue[]): readonly string[] => values.map(({ id }) => id).sort()

const plan = digestOf<'plan'>('plan')
const attemptAt = (tier: Tier, lease: number): Promise<Attempt> =>
  Attempt.begin({ tier, plan, shard: 0, lease, now: () => performance.now() })

test('a bucket that ignores conditions is found out, whether or not it was tried before', async () => {
  const server = await s3Server()
  server.heedsConditions = false
  for (let tries = 0; tries < 2; tries += 1)
    await expect(requireExclusive(tierOf(server))).rejects.toThrow('lets a name be made twice')
  server.heedsConditions = true
  for (let tries = 0; tries < 2; tries += 1) await requireExclusive(tierOf(server))
  server.fault = ({ method, count }) => (method === 'PUT' && count % 2 === 0 ? 'lost' : undefined)
  await requireExclusive(tierOf(server))
})

test('a bucket that asks to slow down is asked again for as long as it takes; one that never answered is not', async () => {
  const server = await s3Server()
  const values = valuesOf(3)
  // Twice as often as the twelve seconds that it once was given.
  server.fault = ({ count }) =>
    count % 15 !== 0 ? { status: 503, body: '<Error><Code>SlowDown</Code></Error>' } : undefined
  expect(await pushValues(tierOf(server), undefined, values)).toBe(3)
  expect((await readAll(tierOf(server))).ids).toEqual(idsOf(values))
  server.fault = () => ({ status: 503, body: '<Error><Code>SlowDown</Code></Error>' })
  await expect(readAll(tierOf(server, { busy: 50 }))).rejects.toThrow('cache/tier-unreadable')
  await expect(pushValues(tierOf(server, { busy: 50 }), undefined, values)).rejects.toThrow('tier-unreadable')
  const nobody = { ...server, env: { ...server.env, AWS_ENDPOINT_URL: 'http://bucket.invalid' } }
  await expect(readAll(tierOf(nobody))).rejects.toThrow("server can't be reached")
})

test('a proxy that refuses is not asked again', async () => {
  const server = await s3Server()
  const cause = new Error('Proxy response (407) !== 200 when HTTP Tunneling')
  const fetch = vi.fn(() => Promise.reject(new TypeError('fetch failed', { cause })))
  vi.stubGlobal('fetch', fetch)
  const reading = readAll(tierOf(server, { unheard: 60_000 }))
  await expect(reading).rejects.toThrow('the proxy wants a name and a password (407)')
  vi.unstubAllGlobals()
  expect(fetch).toHaveBeenCalledTimes(1)
})

test('keys that expire while a task works end it with 1, and are told from wrong ones and a wrong clock', async () => {
  const server = await s3Server()
  const told = async (status: number, code: string): Promise<unknown> => {
    server.fault = () => ({ status, body: `<Error><Code>${code}</Code></Error>` })
    return readAll(tierOf(server)).catch((error: unknown) => error)
  }
  expect(await told(400, 'ExpiredToken')).toMatchObject({ exitCode: 1, message: /have expired/ })
  expect(await told(403, 'RequestTimeTooSkewed')).toMatchObject({ exitCode: 2, message: /clock is off/ })
  expect(await told(403, 'AccessDenied')).toMatchObject({ exitCode: 2, message: /refuses these keys/ })
  server.fault = () => undefined
  const keys = { ...server, env: { ...server.env, AWS_SECRET_ACCESS_KEY: 'other' } }
  await expect(readAll(tierOf(keys))).rejects.toThrow('refuses these keys (403)')
  expect(server.refused).toEqual(['SignatureDoesNotMatch'])
})

test('objects that end early, or are not found after they were listed, are fetched again, and are never half an answer', async () => {
  const server = await s3Server()
  const values = valuesOf(50)
  await pushValues(tierOf(server), undefined, values)
  for (const fault of ['cut', 'short', { status: 404 }] as const) {
    const seen = new Map<string, number>()
    server.fault = ({ method, path }) => {
      if (method !== 'GET' || !path.endsWith('.log')) return undefined
      seen.set(path, (seen.get(path) ?? 0) + 1)
      return seen.get(path) === 1 ? fault : undefined
    }
    expect(await readAll(tierOf(server))).toEqual({ ids: idsOf(values), damage: 0 })
    expect([...seen.values()]).toEqual([2])
  }
  // Listings as well.
  server.fault = ({ path, count }) => (path === '/evals' && count % 3 > 0 ? 'short' : undefined)
  expect(await readAll(tierOf(server))).toEqual({ ids: idsOf(values), damage: 0 })
  server.fault = ({ path }) => (path === '/evals' ? 'short' : undefined)
  await expect(readAll(tierOf(server))).rejects.toThrow("a listing can't be read")
  // And what a writer fetches to see whether it was written.
  server.fault = ({ method, path, count }) => {
    if (!path.endsWith('.log') || count > 1) return undefined
    return method === 'PUT' ? 'lost' : 'short'
  }
  const log = TierLog.ofItsOwn(tierOf(server), 'segments/more')
  await log.put('completions', 'more', '1')
  await log.close()
})

test('a segment that is sealed after it was listed is read where it lies now, and one that stays listed is no segment that is gone', async () => {
  const server = await s3Server()
  const values = valuesOf(5)
  await pushValues(tierOf(server), undefined, values)
  const [segment = ''] = server.objects.keys()
  const bytes = server.objects.get(segment) ?? Buffer.of()
  let isMoved = false
  server.gate = (path) => {
    if (!isMoved && path.endsWith('.log')) {
      server.objects.delete(segment)
      server.objects.set(segment.replace('.0.', '.1.'), bytes)
      isMoved = true
    }
    return Promise.resolve()
  }
  expect(await readAll(tierOf(server))).toEqual({ ids: idsOf(values), damage: 0 })
  expect(isMoved).toBe(true)
  server.fault = ({ path }) => (path.endsWith('.log') ? { status: 404 } : undefined)
  await expect(readAll(tierOf(server))).rejects.toThrow('is listed, and is not there')
})

test('a segment that can’t be found when it is to be sealed is not taken away', async () => {
  const server = await s3Server()
  const values = valuesOf(5)
  await pushValues(tierOf(server), undefined, values)
  const [all, none] = [server.objects, new Map<string, Buffer>()]
  let lists = 0
  const sealing = sealTier(tierOf(server), {
    unpaid: idsOf(values),
    mark: 'mark',
    completionOf: () => undefined,
    seal: (value) => Promise.resolve(value),
    whenLeft: () => {
      // The next listing does not name it, and the one after it does.
      server.gate = (path) => {
        Object.assign(server, { objects: path === '/evals' && (lists += 1) === 1 ? none : all })
        return Promise.resolve()
      }
      return Promise.resolve()
    },
  })
  expect(await sealing).toMatchObject({ segments: 1, sealed: values.length })
  const sealed: string[] = []
  for await (const { id } of tierValues(tierOf(server), { mark: 'mark', onDamage: () => undefined }))
    sealed.push(id)
  expect(sealed.sort()).toEqual(idsOf(values))
})

test('of an object that finds no room on this machine nothing stays', async () => {
  const server = await s3Server()
  await pushValues(tierOf(server), undefined, valuesOf(3))
  const folder = temporaryFolder()
  vi.stubEnv('TMPDIR', folder)
  const write = vi.spyOn(fs, 'writeFileSync').mockImplementation(() => {
    throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
  })
  syncBuiltinESMExports()
  await expect(readAll(tierOf(server))).rejects.toThrow('cache/disk-full')
  write.mockRestore()
  syncBuiltinESMExports()
  vi.unstubAllEnvs()
  expect(readdirSync(folder)).toEqual([])
})

test('what others put below the prefix is left out and told of', async () => {
  const server = await s3Server()
  const values = valuesOf(3)
  await pushValues(tierOf(server), undefined, values)
  const at = (name: string, text: string): unknown =>
    server.objects.set(`x/medmake-1/segments/${name}`, Buffer.from(text))
  at('README.txt', 'mine')
  at('notes.log', 'no segment at all '.repeat(1000))
  at('../../etc/passwd', 'root')
  at('empty.log', '')
  expect(await readAll(tierOf(server))).toEqual({ ids: idsOf(values), damage: 1 })
})

test('objects are fetched sixteen at once', async () => {
  const server = await s3Server()
  const tier = tierOf(server)
  const values = valuesOf(20)
  for (const [n, { table, id, payload }] of values.entries())
    await new TierLog(tier, `segments/${n}`).put(table, id, payload)
  let waiting = 0
  let open = (): void => undefined
  const sixteen = new Promise<void>((resolve) => (open = resolve))
  server.gate = (path) => {
    if (!path.endsWith('.log')) return Promise.resolve()
    waiting += 1
    if (waiting === 16) open()
    return sixteen
  }
  expect((await readAll(tier)).ids).toEqual(idsOf(values))
})

test('a bucket whose listings are late is waited for, within what the fence allows, and else refused', async () => {
  const server = await s3Server()
  server.lateListings = 2
  const attempt = await attemptAt(tierOf(server), 10_000)
  expect(await attempt.pass()).toBe(true)
  server.lateListings = 1_000_000
  await expect(attemptAt(tierOf(server), 40)).rejects.toThrow('does not list what was written')
})

test('a request that came too slowly for the server is sent again', async () => {
  const server = await s3Server()
  const slow = { status: 400, body: '<Error><Code>RequestTimeout</Code></Error>' }
  server.fault = ({ method, count }) => (method === 'PUT' && count < 3 ? slow : undefined)
  expect(await pushValues(tierOf(server), undefined, valuesOf(2))).toBe(2)
  server.fault = () => ({ status: 400, body: '<Error><Code>InvalidArgument</Code></Error>' })
  await expect(readAll(tierOf(server))).rejects.toThrow('a listing was answered with 400')
})

test('another’s object of a name that only this writer has ends it, whatever lies there', async () => {
  const server = await s3Server()
  server.fault = ({ method, path }) => {
    if (method === 'PUT') server.objects.set(path.slice('/evals/'.length), Buffer.from('another’s'))
    return undefined
  }
  const log = new TierLog(tierOf(server), 'segments/a')
  await expect(log.put('completions', digestOf('call'), '1')).rejects.toThrow('a name that was never used')
  expect([log.stored, log.refused]).toEqual([0, 1])
})
