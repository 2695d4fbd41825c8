import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPayload } from '../../../cache/log/record.ts'
import { scanSegment } from '../../../cache/log/scan-segment.ts'
import { digestJson } from '../../../cache/values/digest.ts'
import type { JsonObject } from '../../../cache/values/json.ts'
import { canary, filesWithCanaries, foundIn } from '../../rig/canary.ts'
import { fakeServer } from '../../rig/fake-server.ts'
import { medmake, spawnMedmake, startMedmake } from '../../rig/medmake.ts'
import { s3Server } from '../../rig/s3-server.ts'
import { alike, resultFiles, shardWorkspace } from '../../rig/shard-workspace.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const ROWS = 12

const json = ({ stdout }: { readonly stdout: string }): Record<string, unknown> =>
  JSON.parse(stdout) as Record<string, unknown>

interface Shard {
  readonly plan: string
  readonly state: string
  readonly requests: number
}

const shardOf = (result: { readonly stdout: string }): Shard => json(result)['shard'] as Shard

test('shards ask for each call once, and whoever merges them makes one machine’s results at no call', async () => {
  const server = await fakeServer({ answer: alike })
  const cwd = shardWorkspace(server, { rows: ROWS })
  const tier = temporaryFolder()
  let requests = 0
  let said = ''
  for (const index of [2, 0, 3, 1]) {
    const ended = await medmake(['run', '--shard', `${index}/4`, '--tier', tier, '--json'], { cwd })
    expect(ended.code, ended.stderr).toBe(0)
    requests += shardOf(ended).requests
    said += ended.stdout + ended.stderr
  }
  // Two models on two benchmarks; a judge of equal answers is asked once.
  expect(requests).toBe(4 * ROWS)
  expect(server.journal()).toMatchObject({ answered: 5 * ROWS, duplicates: 0 })
  const head = await medmake(['run', '--tier', tier, '--json'], { cwd })
  expect(head.code, head.stderr).toBe(0)
  expect(json(head)).toMatchObject({ providerCalls: 0, targets: { total: 4, built: 4 } })

  const alone = shardWorkspace(server, { rows: ROWS })
  expect((await medmake(['run'], { cwd: alone })).code).toBe(0)
  expect(resultFiles(cwd)).toEqual(resultFiles(alone))
  const spent = async (folder: string): Promise<unknown> =>
    (json(await medmake(['spend', '--json'], { cwd: folder })) as { total: { usd: number; calls: number } })
      .total
  expect(await spent(cwd)).toEqual(await spent(alone))

  expect(filesWithCanaries(tier)).toEqual([])
  const names = readdirSync(tier, { recursive: true, encoding: 'utf8' })
  expect(foundIn(names.join('\n') + said)).toEqual([])
  // Plans and reports hold digests and counts: no name of a benchmark, run or model.
  for (const name of names.filter((each) => each.endsWith('.json')))
    expect(readFileSync(join(tier, name), 'utf8')).not.toMatch(/closed|judged|fake/)
})

test('a shard that was killed, or stopped by its scheduler, goes on where it was', async () => {
  const server = await fakeServer({ answer: alike, latency: 3 })
  const files = { 'medmake.yaml': 'store: {lease_seconds: 0.5}\n' }
  const cwd = shardWorkspace(server, { rows: 60, open: true, limits: '{concurrency: 4}', files })
  const tier = temporaryFolder()
  const args = ['run', '--shard', '0/1', '--tier', tier]
  const killed = startMedmake(args, { cwd })
  await server.received(40)
  killed.kill('SIGKILL')
  await killed
  for (const signal of ['SIGTERM', 'SIGUSR1'] as const) {
    const { requests } = server.journal()
    const stopped = startMedmake(args, { cwd })
    await server.received(requests + 30)
    stopped.kill(signal)
    const { exitCode, stdout, stderr } = await stopped
    expect(exitCode, stderr).toBe(75)
    expect(stdout).toContain('run it again to go on')
  }
  const last = await spawnMedmake([...args, '--json'], { cwd })
  expect(last.code, last.stderr).toBe(0)
  // Of the killed one, what was in flight; those that were stopped waited for theirs.
  const { answered } = server.journal()
  expect(answered).toBeLessThanOrEqual(180 + 3 * 4)
  const head = await medmake(['run', '--tier', tier, '--stored-only', '--json'], { cwd })
  expect(head.code, head.stderr).toBe(0)
})

test('a shard that ended early tells no number of requests that it does not know', async () => {
  const server = await fakeServer({ answer: alike })
  const cwd = shardWorkspace(server, { rows: ROWS, open: true })
  const tier = temporaryFolder()
  const capped = await medmake(['run', '--shard', '0/1', '--tier', tier, '--max-usd', '0.1'], { cwd })
  expect(capped.code, capped.stderr).toBe(4)
  expect(capped.stdout).toMatch(/^shard 0\/1: \d+ provider calls, its part of the cap is spent$/m)
  const end = readdirSync(tier, { recursive: true, encoding: 'utf8' }).find((name) =>
    /done\/.*json$/.test(name),
  )
  expect(JSON.parse(readFileSync(join(tier, end ?? ''), 'utf8'))).toMatchObject({
    requests: null,
    answered: null,
  })
})

test('a cap is split over the tasks, and holds over all attempts at one submission', async () => {
  const server = await fakeServer({ answer: alike })
  const cwd = shardWorkspace(server, { rows: ROWS, open: true })
  const alone = await medmake(['run', '--json', '--store', join(temporaryFolder(), 'store')], { cwd })
  const need = json(alone)['usd'] as number
  const tier = temporaryFolder()
  const once = async (submission: string, order: readonly number[]): Promise<readonly number[]> => {
    const codes: number[] = []
    for (const index of order) {
      const args = ['run', '--shard', `${index}/2`, '--tier', tier, '--max-usd', String(need * 0.6)]
      codes.push((await medmake(args, { cwd, env: { MEDMAKE_SUBMISSION: submission } })).code)
    }
    return codes
  }
  const paid = async (): Promise<number> => {
    const store = join(temporaryFolder(), 'store')
    await medmake(['cache', 'pull', tier, '--store', store], { cwd })
    const { stdout } = await medmake(['spend', '--json', '--store', store], { cwd })
    return (JSON.parse(stdout) as { total: { usd: number } }).total.usd
  }
  expect(await once('first', [0, 1, 0, 1])).toEqual([4, 4, 4, 4])
  expect(await paid()).toBeLessThanOrEqual(need * 0.6)
  const short = await medmake(['run', '--tier', tier, '--stored-only', '--json'], { cwd })
  expect(short.code).toBe(1)
  expect(json(short)).toMatchObject({ providerCalls: 0 })
  let tries = 0
  while ((await once(`again ${(tries += 1)}`, [0, 1])).includes(4)) expect(tries).toBeLessThan(12)
  expect(await paid()).toBeCloseTo(need, 9)
  expect(json(await medmake(['run', '--tier', tier, '--json'], { cwd }))).toMatchObject({ providerCalls: 0 })
})

test('a task without the key of what is sealed, with other files, or without a part of a limit asks nobody', async () => {
  const server = await fakeServer({ answer: alike })
  const cwd = shardWorkspace(server, { rows: 3, limits: '{requests_per_minute: 600}' })
  const tier = temporaryFolder()
  const task = (...more: readonly string[]) =>
    medmake(['run', '--tier', tier, '--shard', ...more], { cwd, env: { HOME: tier, MEDMAKE_VAULT_KEY: '' } })
  const keyless = await task('0/2')
  expect(keyless.code, keyless.stderr).toBe(5)
  expect(keyless.stderr).toContain('cache/no-vault-key')
  const wrong: readonly (readonly [readonly string[], string])[] = [
    [['0/601'], 'models/too-many-tasks'],
    [['2/2'], 'cli/bad-flag'],
    [['auto'], 'cli/bad-flag'],
    [['0/2', '--shards', '3'], 'cli/bad-flag'],
    [['0/2', '--batch'], 'cli/bad-flag'],
  ]
  for (const [args, code] of wrong) {
    const told = await task(...args)
    expect([told.code, told.stderr]).toEqual([2, expect.stringContaining(code)])
  }
  for (const part of ['2/2', '1-of-2']) {
    const planned = await task(part, '--dry-run')
    expect([planned.code, planned.stderr]).toEqual([2, expect.stringContaining('cli/bad-flag')])
  }
  expect((await task('auto', '--shards', '2', '--dry-run')).code).toBe(0)
  expect((await medmake(['run', '--shard', '0/2'], { cwd })).stderr).toContain('cli/missing-flag')
  expect(server.journal().requests).toBe(0)

  const first = await medmake(['run', '--tier', tier, '--shard', '0/2', '--json'], { cwd })
  const { plan } = shardOf(first)
  const { requests } = server.journal()
  const split = ['run', '--tier', tier, '--plan', plan.slice(0, 16), '--shard']
  const otherwise = await medmake([...split, '1/3'], { cwd })
  expect([otherwise.code, otherwise.stderr]).toEqual([2, expect.stringMatching(/tasks: 2 there, 3 here/)])
  const otherKey = await medmake([...split, '1/2'], { cwd, env: { MEDMAKE_VAULT_KEY: 'd4'.repeat(32) } })
  expect([otherKey.code, otherKey.stderr]).toEqual([2, expect.stringMatching(/vault key/)])
  // Without a plan, too: what it paid for nobody else could read.
  const bare = ['run', '--tier', tier, '--shard', '1/2']
  const unread = await medmake(bare, { cwd, env: { MEDMAKE_VAULT_KEY: 'd4'.repeat(32) } })
  expect([unread.code, unread.stderr]).toEqual([2, expect.stringMatching(/vault key: \S+ there, \S+ here/)])
  const damaged = 'e'.repeat(64)
  writeFileSync(join(tier, `medmake-1/plan/${damaged}.json`), '{"shards":')
  const blind = await medmake([...bare, '--plan', damaged], { cwd })
  expect([blind.code, blind.stderr]).toEqual([2, expect.stringContaining(`no plan ${damaged}`)])
  expect(server.journal().requests).toBe(requests)
  const slurm = { SLURM_ARRAY_TASK_ID: '1', SLURM_ARRAY_TASK_MIN: '1', SLURM_ARRAY_TASK_MAX: '1' }
  // What another key began at the same time keeps nobody out.
  const mark = /vault key: \S+ there, (\S+) here/.exec(unread.stderr)?.[1] ?? ''
  const own = readFileSync(join(tier, `medmake-1/plan/${plan}.json`), 'utf8')
  const others = JSON.stringify({ ...(JSON.parse(own) as JsonObject), vault: mark })
  writeFileSync(join(tier, `medmake-1/plan/${digestJson(JSON.parse(others) as JsonObject)}.json`), others)
  mkdirSync(join(tier, `medmake-1/segments-sealed/${mark}`))
  writeFileSync(join(tier, `medmake-1/segments-sealed/${mark}/1.log`), '')
  const second = await medmake(['run', '--tier', tier, '--shard', 'auto', '--shards', '2', '--json'], {
    cwd,
    env: slurm,
  })
  expect(second.code, second.stderr).toBe(0)
  expect(server.journal()).toMatchObject({ answered: 15, duplicates: 0 })
})

test('what killed tasks left on a node goes with the next start there, and nothing else does', async () => {
  const server = await fakeServer({ answer: alike })
  const files = { 'medmake.yaml': 'store: {lease_seconds: 0.5}\n' }
  const cwd = shardWorkspace(server, { rows: ROWS, files })
  const [tier, scratch] = [temporaryFolder(), temporaryFolder()]
  const run = { cwd, env: { TMPDIR: scratch } }
  const task = (): ReturnType<typeof startMedmake> =>
    startMedmake(['run', '--tier', tier, '--shard', '0/1'], run)
  server.hold()
  const killed = task()
  await server.received(1)
  killed.kill('SIGKILL')
  expect(await killed).toMatchObject({ signal: 'SIGKILL' })
  const [left = ''] = readdirSync(scratch)
  const owner = readFileSync(join(scratch, left, 'owner'), 'utf8')
  // Of another boot on a shared folder, of another container, of nobody who can be told, of a task whose tier failed.
  const others = {
    boot: owner.replace(/^[0-9a-f]{16}/, '0123456789abcdef'),
    container: owner.replace(/_\d+_/, '_1_'),
    nobody: 'who knows',
    kept: undefined,
  }
  for (const [name, text] of Object.entries(others)) {
    mkdirSync(join(scratch, `medmake-shard-${name}`))
    if (text !== undefined) writeFileSync(join(scratch, `medmake-shard-${name}`, 'owner'), text)
  }
  mkdirSync(join(scratch, 'another'))
  writeFileSync(join(scratch, 'another/owner'), owner)
  symlinkSync(join(scratch, 'another'), join(scratch, 'medmake-shard-link'))
  const names = readdirSync(scratch).filter((name) => name !== left)
  // One that works meanwhile keeps its own.
  const [before, first] = [server.journal().requests, task()]
  await server.received(before + 1)
  const own = readdirSync(scratch).find((name) => !names.includes(name))
  const other = await spawnMedmake(['run', '--tier', tier, '--shard', '0/1', '--plan', 'none'], run)
  expect(other.stderr).toContain('cluster/other-plan')
  expect(readdirSync(scratch)).toContain(own)
  server.release()
  expect(await first).toMatchObject({ exitCode: 0 })
  expect(readdirSync(scratch).sort()).toEqual(names.sort())
})

test.each(['a folder', 'a bucket'])(
  '%s holds nothing of a private benchmark that could be read, packed or not',
  async (kind) => {
    // Answers repeat long notes, so that their records are packed.
    const server = await fakeServer({
      answer: (call) =>
        call.model === 'fake/judge' ? alike(call) : `${call.prompt} ${'again '.repeat(900)}`,
    })
    const notes = Array.from({ length: ROWS }, (_, row) => `${'so '.repeat(1500)}${canary(7000 + row)},yes`)
    const cwd = shardWorkspace(server, {
      rows: ROWS,
      files: { 'benchmarks/closed/data.csv': `note,correct_answer\n${notes.join('\n')}\n` },
    })
    const [bucket, folder] = [await s3Server(), temporaryFolder()]
    const [tier, env] = kind === 'a bucket' ? ['s3://evals/x', bucket.env] : [folder, {}]
    let said = ''
    for (const index of [0, 1]) {
      const ended = await medmake(['run', '--shard', `${index}/2`, '--tier', tier], { cwd, env })
      expect(ended.code, ended.stderr).toBe(0)
      said += ended.stdout + ended.stderr
    }
    const files = new Map(
      kind === 'a bucket'
        ? bucket.objects
        : readdirSync(folder, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => join(entry.parentPath, entry.name))
            .map((path) => [path, readFileSync(path)] as const),
    )
    expect(foundIn([...files.keys()].join('\n') + said)).toEqual([])
    const copies = temporaryFolder()
    let [open, sealed] = [0, 0]
    for (const [name, bytes] of files) {
      expect(foundIn(bytes), name).toEqual([])
      if (!name.endsWith('.log')) continue
      const copy = join(copies, 'segment')
      writeFileSync(copy, bytes)
      const file = openSync(copy, 'r')
      for (const finding of scanSegment(file)) {
        if (finding.type !== 'record') continue
        const value = readPayload(finding.bytes, finding.key) ?? Buffer.alloc(0)
        expect(foundIn(value), name).toEqual([])
        expect(foundIn(finding.key), name).toEqual([])
        if (value.includes('again again')) open += 1
        if (name.includes('segments-sealed')) sealed += 1
      }
      closeSync(file)
    }
    // Of the public one all can be read; of the private one as many replies and payments lie there.
    expect([open, sealed]).toEqual([2 * ROWS, 4 * ROWS])
    const head = await medmake(['run', '--tier', tier, '--stored-only', '--json'], { cwd, env })
    expect(json(head)).toMatchObject({ providerCalls: 0, failures: [] })
  },
)
