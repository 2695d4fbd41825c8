import { once } from 'node:events'
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { afterFile } from '../../rig/after-file.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake, startMedmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const ROWS = 60

const workspace = (server: { readonly url: string }): string =>
  createWorkspace({
    'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/b'], '{concurrency: 4}'),
    'benchmarks/own/benchmark.yaml':
      'name: own\naccess: public\ndescription: x\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 5\nmetrics:\n  - name: exact_match\n',
    'benchmarks/own/prompt.txt': 'Read: {note}',
    'benchmarks/own/data.csv': `note,correct_answer\n${Array.from({ length: ROWS }, (_, row) => `note ${row},a`).join('\n')}\n`,
    'targets/main.conf': 'entries: [{description: "own:model=fake/a"}, {description: "own:model=fake/b"}]',
  })

const run = (root: string) => medmake(['run', '--json'], { cwd: root })

/** All result files but what was measured in time. */
const results = (root: string): Readonly<Record<string, string>> => {
  const runs = join(root, 'benchmark_output/runs/main')
  return Object.fromEntries(
    readdirSync(runs).flatMap((name) =>
      ['run_spec.json', 'scenario.json', 'scenario_state.json'].map((file) => [
        `${name}/${file}`,
        readFileSync(join(runs, name, file), 'utf8').replaceAll(/"request_(time|datetime)": [\d.e-]+/g, ''),
      ]),
    ),
  )
}

describe('two runs at once', () => {
  it('share the work and pay for no call twice', async () => {
    const server = await fakeServer({ latency: 5 })
    const root = workspace(server)
    const both = await Promise.all([run(root), run(root)])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(server.journal()).toMatchObject({ answered: 2 * ROWS, duplicates: 0 })
  })
})

describe('a run that is killed', () => {
  it('goes on where it was: nothing lost, at most the calls in flight paid again', async () => {
    const server = await fakeServer({ latency: 2 })
    const root = workspace(server)
    for (const moment of [5, 40, 77]) {
      const process = startMedmake(['run'], { cwd: root })
      await server.received(moment)
      process.kill('SIGKILL')
      await process
    }
    expect((await run(root)).code).toBe(0)
    const { answered, requests } = server.journal()
    expect(answered).toBeGreaterThanOrEqual(2 * ROWS)
    expect(requests - 2 * ROWS).toBeLessThanOrEqual(3 * 8)
    const undisturbed = workspace(server)
    await run(undisturbed)
    expect(results(root)).toEqual(results(undisturbed))
  })
})

describe('Ctrl-C', () => {
  it('begins nothing new, keeps the replies of calls in flight and exits with 130', async () => {
    const server = await fakeServer()
    const root = workspace(server)
    server.hold()
    const process = startMedmake(['run'], { cwd: root })
    await server.received(8)
    process.kill('SIGINT')
    await new Promise<void>((resolve) => process.stderr.on('data', () => resolve()))
    server.release()
    expect(await process).toMatchObject({ exitCode: 130 })
    const { answered } = server.journal()
    expect(answered).toBeLessThanOrEqual(8)
    expect((await run(root)).code).toBe(0)
    expect(server.journal()).toMatchObject({ answered: 2 * ROWS, duplicates: 0 })
  })

  it('pressed again, or behind a terminal that was closed, gives up the calls in flight: told, and in the ledger as calls that may be charged', async () => {
    const server = await fakeServer()
    const root = workspace(server)
    server.hold()
    const process = startMedmake(['run', '--json'], { cwd: root })
    await server.received(8)
    process.kill('SIGHUP')
    await new Promise<void>((resolve) => process.stderr.on('data', () => resolve()))
    await new Promise((resolve) => setTimeout(resolve, 350))
    process.kill('SIGINT')
    const { signal, stdout } = await process
    expect(signal).toBe('SIGHUP')
    expect(JSON.parse(stdout)).toMatchObject({ uncertainAttempts: 8 })
    server.release()
    const { stdout: spent } = await medmake(['spend', '--json'], { cwd: root })
    expect(JSON.parse(spent)).toMatchObject({ total: { uncertainAttempts: 8 } })
  })
})

/** A workspace whose scenario takes longer than anybody waits, and tells that it began. */
const slowWorkspace = (): string => {
  const root = workspace({ url: 'http://127.0.0.1:1' })
  writeFiles(root, {
    'benchmarks/slow/benchmark.yaml':
      'name: slow\naccess: public\ndescription: x\nprotocols:\n  - version: own-1\n    data: { rows: { path: data.csv, format: csv } }\n    adapter: { method: generation, max_train_instances: 0, max_tokens: 8 }\n    metrics: [exact_match]\n    main_metric: { name: exact_match, split: test }\n',
    'benchmarks/slow/data.csv': 'question\nfirst\n',
    'benchmarks/slow/scenario.ts':
      "export const instances = () => new Promise((resolve) => {\n  process.stderr.write('reading\\n')\n  setTimeout(resolve, 30_000, [])\n})\n",
    'targets/main.conf': 'entries: [{description: "slow:model=fake/a"}]',
  })
  return root
}

describe('Ctrl-C of what asks nobody', () => {
  it('ends it at once, and leaves no temporary folder', async () => {
    const [root, scratch] = [slowWorkspace(), temporaryFolder()]
    for (const args of [
      ['explain', 'main'],
      ['estimate'],
      ['run', '--dry-run'],
      ['benchmark', 'check', 'slow'],
    ]) {
      const process = startMedmake(args, { cwd: root, env: { TMPDIR: scratch } })
      await new Promise<void>((resolve) => process.stderr.on('data', () => resolve()))
      process.kill('SIGINT')
      expect(await process).toMatchObject({ exitCode: 130, stderr: 'reading' })
      expect(readdirSync(scratch)).toEqual([])
    }
  })
})

describe('A signal while data is fetched', () => {
  it('is told as that, and one of a scheduler means to go on', async () => {
    const silent = createServer()
    afterFile(() => silent.close().closeAllConnections())
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const [root, tier] = [slowWorkspace(), temporaryFolder()]
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/data.csv`
    const file = join(root, 'benchmarks/slow/benchmark.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('path: data.csv', `url: "${url}"`))
    for (const [args, signal, exitCode] of [
      [['run'], 'SIGINT', 130],
      [['run', '--shard', '0/1', '--tier', tier], 'SIGTERM', 75],
    ] as const) {
      const asked = once(silent, 'request')
      const process = startMedmake(args, { cwd: root })
      await asked
      process.kill(signal)
      const ended = await process
      expect(ended.exitCode, ended.stderr).toBe(exitCode)
      expect(ended.stderr).toMatch(/\[cli\/stopped\]\n.*$/)
      if (signal === 'SIGINT') expect(ended.stdout).toMatch(/^1 target: 0 fresh, 0 built, 1 stopped, 0 stage/)
    }
  })
})

describe('a damaged store', () => {
  it('ends in a problem that names the remedy, and the remedy saves what can be read', async () => {
    const server = await fakeServer()
    const root = workspace(server)
    await run(root)
    truncateSync(join(root, 'cache/store/index.lmdb'), 8192)
    const damaged = await run(root)
    expect(damaged).toMatchObject({ code: 2 })
    expect(damaged.stderr).toContain('cache/damaged')
    expect(damaged.stderr).toContain('medmake cache verify --repair')
    expect(await medmake(['cache', 'verify', '--repair'], { cwd: root })).toMatchObject({ code: 0 })
    const again = await run(root)
    expect(again).toMatchObject({ code: 0 })
    expect(server.journal().answered).toBe(2 * ROWS)
  })

  it('asks anew for a record whose bytes were changed, and says so', async () => {
    const server = await fakeServer()
    const root = workspace(server)
    await run(root)
    const log = join(root, 'cache/store/values/00000001.log')
    const bytes = readFileSync(log)
    const reply = bytes.indexOf('"finishReason"')
    bytes[reply + 3] = 0x21
    writeFileSync(log, bytes)
    const verified = await medmake(['cache', 'verify'], { cwd: root })
    expect(verified).toMatchObject({ code: 1 })
    expect(verified.stdout).toContain('unreadable: completions/')
    expect(verified.stdout).toContain('`medmake cache verify --repair`')
    const named = await medmake(['cache', 'verify', '--store', 'cache/store'], { cwd: root })
    expect(named.stdout).toContain('`medmake cache verify --repair --store cache/store`')
  })
})
