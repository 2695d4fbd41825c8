import { expect, test } from 'vitest'
import { digestOf } from '../../../cache/values/digest.ts'
import type { RawValue } from '../../../cache/values/encoded.ts'
import { openTier } from '../../../cache/tier/open-tier.ts'
import { pushValues } from '../../../cache/tier/push-values.ts'
import { tierValues } from '../../../cache/tier/read-tier.ts'
import type { Tier } from '../../../cache/tier/tier.ts'
import { fakeServer } from '../../rig/fake-server.ts'
import { medmake, startMedmake } from '../../rig/medmake.ts'
import { s3Server, type Fault, type S3Server } from '../../rig/s3-server.ts'
import { alike, resultFiles, shardWorkspace } from '../../rig/shard-workspace.ts'
import { readKnown, writeKnown } from '../../../tools/session/tier/known-segments.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const values: readonly RawValue[] = Array.from({ length: 5 }, (_, n) => ({
  table: 'completions',
  id: digestOf(`call ${n}`),
  payload: Buffer.from(JSON.stringify({ reply: n })),
}))

const readAll = async (tier: Tier): Promise<readonly string[]> => {
  const found: string[] = []
  for await (const { payload } of tierValues(tier, { onDamage: () => expect.fail('damage') }))
    found.push(payload.toString('utf8'))
  return found.sort()
}

const bucketOf = async (server: S3Server, prefix = 'a b/ü'): Promise<Tier> =>
  openTier(`s3://evals/${prefix}`, '/', server.env)

test('a bucket gives back what was written, page by page, and makes each name once', async () => {
  const server = await s3Server()
  const tier = await bucketOf(server)
  for (const value of values) expect(await pushValues(tier, undefined, [value])).toBe(1)
  expect(await pushValues(tier, undefined, values)).toBe(0)
  expect(await readAll(tier)).toEqual(values.map(({ payload }) => payload.toString('utf8')))
  expect(await readAll(await bucketOf(server, 'other'))).toEqual([])
  const made = await Promise.all(Array.from({ length: 8 }, (_, n) => tier.create('plan/one.json', `${n}`)))
  expect(made.filter(Boolean)).toHaveLength(1)
})

test('what is known of a bucket’s segments is not taken for what a bucket of that name on another server holds', async () => {
  const [one, other] = [await bucketOf(await s3Server()), await bucketOf(await s3Server())]
  const folder = temporaryFolder()
  const known = new Map([['segments/a.0.log', { bytes: 7, benchmarks: [] }]])
  writeKnown(folder, one, known)
  expect([one.place === other.place, readKnown(folder, one), readKnown(folder, other)]).toEqual([
    true,
    known,
    new Map(),
  ])
  writeKnown(folder, other, new Map())
  expect(readKnown(folder, one)).toEqual(known)
})

test('answers that are late, lost or refused for a while are asked for again, and nothing is there twice', async () => {
  const server = await s3Server()
  server.fault = ({ method, count }): Fault =>
    method === 'PUT' && count === 1 ? 'lost' : count === 2 ? { status: 503 } : undefined
  const tier = await bucketOf(server)
  expect(await pushValues(tier, undefined, values)).toBe(5)
  expect(await readAll(tier)).toHaveLength(5)
  expect([...server.objects.keys()].filter((name) => name.endsWith('.log'))).toHaveLength(1)
})

test('a server that does otherwise than the protocol says is a problem, never an empty bucket', async () => {
  const server = await s3Server()
  const listing = (inner: string): Fault => ({
    status: 200,
    body: `<ListBucketResult>${inner}</ListBucketResult>`,
  })
  const hostile: readonly (readonly [Fault, string])[] = [
    [{ status: 200, body: '<html>sign in</html>' }, 'cache/tier-reply'],
    [{ status: 200, body: '<ListBucketResult><Contents>' }, 'cache/tier-reply'],
    [{ status: 200, body: '' }, 'cache/tier-reply'],
    [listing('<IsTruncated>true</IsTruncated>'), 'cache/tier-reply'],
    [
      listing('<IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken>'),
      'cache/tier-reply',
    ],
    [listing('<Contents><Key>etc/passwd</Key><Size>1</Size></Contents>'), 'cache/tier-reply'],
    [{ status: 307, location: 'http://elsewhere.example/' }, 'cache/tier-reply'],
    [{ status: 403 }, 'cache/tier-refused'],
    [{ status: 404 }, 'cache/no-tier'],
  ]
  for (const [fault, code] of hostile) {
    server.fault = () => fault
    await expect(readAll(await bucketOf(server))).rejects.toThrow(code)
  }
  server.fault = ({ method }) => (method === 'PUT' ? { status: 501 } : undefined)
  await expect(pushValues(await bucketOf(server), undefined, values)).rejects.toThrow('cache/tier-reply')
  await expect(openTier('s3://evals', '/', {})).rejects.toThrow('cache/tier-credentials')
  await expect(openTier('gs://evals', '/', {})).rejects.toThrow('cache/tier')
})

test('shards that share a bucket pay once; one that is killed pays again for what was in flight', async () => {
  const bucket = await s3Server()
  const server = await fakeServer({ answer: alike, latency: 2 })
  const files = { 'medmake.yaml': 'store: {tier: "s3://evals/monthly", lease_seconds: 0.5}\n' }
  const cwd = shardWorkspace(server, { rows: 40, open: true, limits: '{concurrency: 8}', files })
  const env = { ...bucket.env }
  const killed = startMedmake(['run', '--shard', '0/2'], { cwd, env })
  await server.received(20)
  killed.kill('SIGKILL')
  await killed
  const tasks = [0, 1].map((index) => startMedmake(['run', '--shard', `${index}/2`], { cwd, env }))
  for (const task of tasks) {
    const { exitCode, stderr } = await task
    expect(exitCode, stderr).toBe(0)
  }
  // Models and judge, the part of one task.
  expect(server.journal().answered).toBeLessThanOrEqual(120 + 3 * 4)
  const head = await medmake(['run', '--json'], { cwd, env })
  expect(JSON.parse(head.stdout), head.stderr).toMatchObject({ providerCalls: 0, failures: [] })
  const alone = shardWorkspace(server, { rows: 40, open: true })
  await medmake(['run'], { cwd: alone })
  expect(resultFiles(cwd)).toEqual(resultFiles(alone))
})

test('an object that was altered is refused by name', async () => {
  const server = await s3Server()
  const tier = await bucketOf(server, 'altered')
  await pushValues(tier, undefined, values)
  const name = [...server.objects.keys()].find((each) => each.endsWith('.log')) ?? ''
  const bytes = server.objects.get(name) ?? Buffer.alloc(0)
  server.objects.set(name, bytes.subarray(0, -40))
  await expect(readAll(tier)).rejects.toThrow('not the bytes that were written')
  server.objects.set(name, bytes)
  expect(await readAll(tier)).toHaveLength(values.length)
})

test('a bucket of another region is named, and no address tells a key', async () => {
  const server = await s3Server()
  for (const status of [301, 307, 400]) {
    server.fault = () => ({ status, region: 'eu-central-1', location: 'http://elsewhere.example/' })
    await expect(readAll(await bucketOf(server))).rejects.toThrow('the bucket lies in eu-central-1')
  }
  const { AWS_ENDPOINT_URL: url = '', ...keys } = server.env
  const places: readonly (readonly [string, string])[] = [
    ['s3://id:HIDDEN@evals/x', url],
    ['s3://evals/x?key=HIDDEN', url],
    ['s3:///HIDDEN', url],
    ['s3://evals', url.replace('//', '//id:HIDDEN@')],
    ['s3://evals', 'HIDDEN'],
  ]
  for (const [place, AWS_ENDPOINT_URL] of places) {
    const opened = openTier(place, '/', { ...keys, AWS_ENDPOINT_URL }).then(readAll)
    const told = await opened.then(String, (error: unknown) => String(error))
    expect(told).toContain('cache/tier: this is no address of a bucket')
    expect(told).not.toContain('HIDDEN')
  }
})
