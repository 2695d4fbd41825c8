import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fakeServer } from '../../rig/fake-server.ts'
import { medmake, startMedmake } from '../../rig/medmake.ts'
import { s3Server } from '../../rig/s3-server.ts'
import { alike, shardWorkspace } from '../../rig/shard-workspace.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const ROWS = 60
/** Two models and a judge of equal answers. */
const CALLS = 3 * ROWS
const CONCURRENCY = 4
/** Of a task: models and judge. */
const IN_FLIGHT = 3 * CONCURRENCY

const workspace = async (files: Readonly<Record<string, string>> = {}) => {
  const server = await fakeServer({ answer: alike, latency: 5 })
  const cwd = shardWorkspace(server, {
    rows: ROWS,
    open: true,
    limits: `{concurrency: ${CONCURRENCY}}`,
    files: { 'medmake.yaml': 'store: {lease_seconds: 60}\n', ...files },
  })
  return { server, cwd }
}

test('a tier that is deleted under a task ends it with what was in flight, which stays on the node', async () => {
  const { server, cwd } = await workspace()
  const [tier, scratch] = [temporaryFolder(), temporaryFolder()]
  const args = ['run', '--shard', '0/1', '--tier', tier]
  const running = startMedmake(args, { cwd, env: { TMPDIR: scratch } })
  await server.received(40)
  renameSync(join(tier, 'medmake-1'), join(tier, 'away'))
  rmSync(join(tier, 'away/segments'), { recursive: true })
  const { exitCode, stderr } = await running
  const { requests, answered } = server.journal()
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('cache/write-failed')])
  // Far fewer than a lease would have allowed.
  expect(requests).toBeLessThan(CALLS / 2)
  const [, store = ''] = /push \S+ --store (\S+)`/.exec(stderr) ?? []
  expect(existsSync(store), stderr).toBe(true)

  const pushed = await medmake(['cache', 'push', tier, '--store', store], { cwd })
  expect(pushed.code, pushed.stderr).toBe(0)
  expect((await medmake(args, { cwd })).code).toBe(0)
  expect(server.journal()).toMatchObject({ answered: CALLS, duplicates: 0 })
  expect(answered).toBeLessThan(CALLS / 2)
  const head = await medmake(['run', '--tier', tier, '--stored-only', '--json'], { cwd })
  expect(JSON.parse(head.stdout)).toMatchObject({ providerCalls: 0, failures: [] })
})

test('a bucket that is full, or whose keys expire, ends a task with 1 before the next call', async () => {
  for (const fault of [
    { status: 507, body: '' },
    { status: 400, body: '<Error><Code>ExpiredToken</Code></Error>' },
  ]) {
    const bucket = await s3Server()
    const { server, cwd } = await workspace()
    const isSegment = (path: string): boolean => path.endsWith('.log')
    let written = 0
    bucket.fault = ({ method, path }) =>
      method === 'PUT' && isSegment(path) && (written += 1) > 1 ? fault : undefined
    const args = ['run', '--shard', '0/1', '--tier', 's3://evals/x']
    const ended = await medmake(args, { cwd, env: { ...bucket.env } })
    expect([ended.code, ended.stderr]).toEqual([
      1,
      expect.stringMatching(/cache\/(?:disk-full|tier-refused)/),
    ])
    // Those of the first object, and those in flight when the second was refused.
    expect(server.journal().requests).toBeLessThanOrEqual(2 * IN_FLIGHT)
  }
})

test('a bucket that ignores conditions costs no call', async () => {
  const bucket = await s3Server()
  bucket.heedsConditions = false
  const { server, cwd } = await workspace()
  const env = { ...bucket.env }
  for (const args of [['--shard', '0/2'], []]) {
    const ended = await medmake(['run', '--tier', 's3://evals/x', ...args], { cwd, env })
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('lets a name be made twice')])
  }
  expect(server.journal().requests).toBe(0)
  // Who only reads needs nothing of it.
  const head = await medmake(['run', '--tier', 's3://evals/x', '--stored-only'], { cwd, env })
  expect([head.code, head.stderr]).toEqual([1, expect.not.stringContaining('cache/')])
})

test('a task that was tried before waits for its part of the limit', async () => {
  const server = await fakeServer({ answer: alike })
  const cwd = shardWorkspace(server, { rows: 4, open: true, limits: '{requests_per_minute: 2}' })
  const tier = temporaryFolder()
  const running = startMedmake(['run', '--shard', '1/2', '--tier', tier], { cwd })
  await new Promise<void>((resolve) => {
    let said = ''
    running.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8')
      if (/the first call waits 61 s/.test(said)) resolve()
    })
  })
  running.kill('SIGTERM')
  const { exitCode } = await running
  expect([exitCode, server.journal().requests]).toEqual([75, 0])
})

test('a task whose plan is not on the tier, as where that is not mounted, asks nobody', async () => {
  const { server, cwd } = await workspace()
  const [tier, unmounted] = [temporaryFolder(), temporaryFolder()]
  const planned = await medmake(['cluster', 'plan', '--tasks', '2', '--tier', tier, '--json'], { cwd })
  const { plan } = JSON.parse(planned.stdout) as { plan: string }
  const task = (place: string) => medmake(['run', '--shard', '0/2', '--tier', place, '--plan', plan], { cwd })
  const lost = await task(unmounted)
  expect([lost.code, lost.stderr]).toEqual([2, expect.stringContaining('is mounted here')])
  expect(server.journal().requests).toBe(0)
  expect(readdirSync(unmounted)).toEqual([])
  expect((await task(tier)).code).toBe(0)
})

test('a store takes from the tier again what it lost, whether it was repaired or not', async () => {
  const { server, cwd } = await workspace()
  const [tier, store] = [temporaryFolder(), join(temporaryFolder(), 'store')]
  expect((await medmake(['run', '--shard', '0/1', '--tier', tier], { cwd })).code).toBe(0)
  const head = async (): Promise<unknown> => {
    const args = ['run', '--tier', tier, '--store', store, '--json']
    return JSON.parse((await medmake(args, { cwd })).stdout)
  }
  expect(await head()).toMatchObject({ failures: [] })
  const segments = () => readdirSync(join(store, 'values')).map((file) => join('values', file))
  // Of all of it, what the store knows of the tier is left.
  const all = () => readdirSync(store).filter((name) => name !== 'tiers.json')
  for (const [lose, repair] of [
    [segments, []],
    [segments, [['cache', 'verify', '--repair', '--store', store]]],
    [all, []],
  ] as const) {
    for (const file of lose()) rmSync(join(store, file), { recursive: true })
    for (const args of repair) expect((await medmake(args, { cwd })).code).toBe(0)
    expect(await head()).toMatchObject({ providerCalls: 0, failures: [] })
  }
  expect(server.journal()).toMatchObject({ answered: CALLS, duplicates: 0 })
})
