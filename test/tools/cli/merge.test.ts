import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tableOfKey } from '../../../cache/lmdb/index-entry.ts'
import { scanFile } from '../../../cache/log/scan-segment.ts'
import { filesWithCanaries, canary } from '../../rig/canary.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { RUN_FILES, timelessFile } from '../../rig/helm-run-files.ts'
import { medmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'

const benchmark = (name: string, access: string): Files =>
  shortBenchmark(
    { name, access },
    {
      prompt: `${name}: {note}`,
      data: `note,correct_answer,incorrect_answers\n${Array.from({ length: 6 }, (_, n) => `${access === 'public' ? `note ${n}` : canary(n)},yes,"[""no""]"`).join('\n')}\n`,
    },
  )

/** A machine of its own: same files, a server that answers in its own words to some calls. */
const machine = async (name: string, entries: readonly string[]) => {
  const server = await fakeServer({
    answer: ({ prompt }) => (/[0-2]$/.test(prompt) ? `${name}: ${prompt}` : prompt),
  })
  const cwd = createWorkspace({
    'models/fake.yaml': modelsYaml(server, ['fake/a']),
    ...benchmark('open', 'public'),
    ...benchmark('own', 'public'),
    ...benchmark('closed', 'private'),
    'targets/main.conf': `entries: [${entries.map((each) => `{description: "${each}:model=fake/a"}`).join(', ')}]`,
  })
  expect((await medmake(['run'], { cwd })).code).toBe(0)
  return { cwd, server }
}

const results = (cwd: string): unknown => {
  const suite = join(cwd, 'benchmark_output/runs/main')
  return readdirSync(suite)
    .filter((run) => existsSync(join(suite, run, 'stats.json')))
    .map((run) => RUN_FILES.map((file) => [run, file, timelessFile(join(suite, run), file)]))
}

const paid = async (cwd: string): Promise<number> =>
  (JSON.parse((await medmake(['spend', '--json'], { cwd })).stdout) as { total: { calls: number } }).total
    .calls

test('two machines’ stores merge, both ways, to the same results at no call, and all payments count', async () => {
  const one = await machine('one', ['open', 'closed'])
  const other = await machine('other', ['open', 'closed'])
  const calls = (await paid(one.cwd)) + (await paid(other.cwd))
  for (const [into, from] of [
    [one, other],
    [other, one],
  ] as const) {
    const merged = await medmake(['cache', 'merge', from.cwd, '--json'], { cwd: into.cwd })
    expect(merged.code, merged.stderr).toBe(0)
  }
  for (const { cwd } of [one, other]) {
    const told = await medmake(['run', '--json'], { cwd })
    expect(JSON.parse(told.stdout)).toMatchObject({ providerCalls: 0 })
    expect(await paid(cwd)).toBe(calls)
  }
  expect(results(one.cwd)).toEqual(results(other.cwd))
  const again = await medmake(['cache', 'merge', other.cwd, '--json'], { cwd: one.cwd })
  expect(JSON.parse(again.stdout)).toMatchObject({ added: 0, differing: 0, replaced: 0 })
})

test('a pull from a tier of which bytes are damaged brings the rest, and does not end as if it were all', async () => {
  const { cwd } = await machine('one', ['open'])
  const tier = temporaryFolder()
  expect((await medmake(['cache', 'push', tier], { cwd })).code).toBe(0)
  const segment = readdirSync(tier, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith('.log'),
  )
  const file = join(tier, segment ?? '')
  const bytes = readFileSync(file)
  const at = Math.floor(bytes.length / 2)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at)
  chmodSync(file, 0o600)
  writeFileSync(file, bytes)
  const { code, stdout, stderr } = await medmake(['cache', 'pull', tier], { cwd: createWorkspace() })
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/\d\d+ bytes of segments are damaged and were left out: \S/),
  ])
  expect(stdout).toMatch(/^[1-9]\d* values added/)
})

/** Changes one bit in a reply of a store's log; how many bytes that record takes. */
const damageReply = (store: string): number => {
  const values = join(store, 'values')
  for (const name of readdirSync(values).filter((each) => each.endsWith('.log')))
    for (const finding of scanFile(join(values, name))) {
      if (finding.type !== 'record' || tableOfKey(finding.key) !== 'completions') continue
      const { offset, size } = finding
      const bytes = readFileSync(join(values, name))
      bytes.writeUInt8(bytes.readUInt8(offset + size - 3) ^ 4, offset + size - 3)
      writeFileSync(join(values, name), bytes)
      return size
    }
  throw new Error('no reply lies there')
}

test('a merge with, and a push of, a store of which a reply is damaged tell what was left out, sealed replies too', async () => {
  const { cwd } = await machine('one', ['open', 'closed'])
  const store = join(cwd, 'cache/store')
  const lost = damageReply(store) + damageReply(`${store}-vault`)
  const told = `${lost} bytes of segments are damaged and were left out: ${store}`
  for (const command of [
    ['merge', cwd],
    ['push', temporaryFolder()],
  ]) {
    const at = command[0] === 'merge' ? createWorkspace() : cwd
    const { code, stdout, stderr } = await medmake(['cache', ...command, '--json'], { cwd: at })
    expect([code, stderr]).toEqual([1, told])
    expect(JSON.parse(stdout)).toMatchObject({ damagedBytes: lost })
  }
})

test('of a store whose vault can’t be opened a merge and a push take the rest, and say so; folders that came first stay', async () => {
  const { cwd } = await machine('one', ['open', 'closed'])
  const vault = join(cwd, 'cache/store-vault')
  rmSync(join(vault, 'vault.json'))
  mkdirSync(join(vault, 'vault.json'))
  const into = createWorkspace()
  for (const [command, at] of [
    [['merge', cwd, '--json'], into],
    [['push', temporaryFolder(), '--json'], cwd],
  ] as const) {
    const { code, stdout, stderr } = await medmake(['cache', ...command], { cwd: at })
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('what lies in the vault was left out: the store can'),
    ])
    expect(stderr).toContain(`(${vault}/vault.json)`)
    const { added, pushed = added } = JSON.parse(stdout) as { added?: number; pushed?: number }
    // Reply and payment of each call.
    expect(pushed).toBe(12)
  }
  const half = await medmake(['cache', 'merge', cwd, temporaryFolder()], { cwd: createWorkspace() })
  expect([half.code, half.stdout]).toEqual([2, '12 values added, 0 were there'])
})

test('a tier takes one machine’s replies to another, sealed where they are not public', async () => {
  const one = await machine('one', ['open', 'own', 'closed'])
  const other = await machine('other', ['open', 'closed'])
  const tier = temporaryFolder()
  for (const { cwd } of [one, other, one])
    expect((await medmake(['cache', 'push', tier], { cwd })).code).toBe(0)
  expect(filesWithCanaries(tier)).toEqual([])
  for (const { cwd } of [one, other]) {
    const pulled = await medmake(['cache', 'pull', tier], { cwd })
    expect(pulled.code, pulled.stderr).toBe(0)
    await medmake(['run'], { cwd })
  }
  const own = await medmake(['run', '--json', '--run-entries', 'own:model=fake/a', '--suite', 'main'], {
    cwd: other.cwd,
  })
  expect(JSON.parse(own.stdout)).toMatchObject({ providerCalls: 0 })
  expect(results(one.cwd)).toEqual(results(other.cwd))

  // A machine with another key gets what is public, and is told of the rest.
  const third = createWorkspace({})
  const told = await medmake(['cache', 'pull', tier], {
    cwd: third,
    env: { MEDMAKE_VAULT_KEY: 'd4'.repeat(32) },
  })
  expect(told.code).toBe(1)
  expect(told.stderr).toContain('another key')
  for (const wrong of [
    ['cache', 'push'],
    ['cache', 'pull', 's3://bucket'],
    ['cache', 'merge', third],
    // A store, and no tier.
    ['cache', 'pull', other.cwd],
  ])
    expect((await medmake(wrong, { cwd: third })).code).toBe(2)
})

test('a machine with another vault key is told before it pays for what a tier holds sealed', async () => {
  const server = await fakeServer({ answer: ({ prompt }) => prompt })
  const tier = temporaryFolder()
  const entries = (name: string): string => `entries: [{description: "${name}:model=fake/a"}]`
  const use = (key: string, name = 'closed') => {
    const cwd = createWorkspace({
      'models/fake.yaml': modelsYaml(server, ['fake/a']),
      ...benchmark('open', 'public'),
      ...benchmark('closed', 'private'),
      'targets/main.conf': entries(name),
    })
    return (...args: readonly string[]) =>
      medmake([...args, '--tier', tier], { cwd, env: { MEDMAKE_VAULT_KEY: key.repeat(32) } })
  }
  const OTHER = /holds replies sealed with another vault key/
  const SAME = /use the same MEDMAKE_VAULT_KEY, or vault_key_file in medmake\.yaml, on all machines/
  expect((await use('a1')('run')).stderr).not.toMatch(OTHER)

  const same = use('a1')
  const plan = await same('run', '--dry-run')
  // It reads no tier.
  expect([plan.code, plan.stderr]).toEqual([0, expect.stringMatching(/^Counted without the tier.*\n?$/)])
  expect(plan.stdout).toContain('at most 6 provider calls')
  expect((await same('doctor')).stdout).not.toContain('tier: vault key')
  const taken = await same('run', '--json')
  expect(JSON.parse(taken.stdout)).toMatchObject({ providerCalls: 0 })
  expect(taken.stderr).not.toMatch(OTHER)

  const other = use('b2')
  const dry = await other('run', '--dry-run')
  expect(dry.code).toBe(0)
  const { requests } = server.journal()
  const doctor = await other('doctor')
  expect(doctor.stdout).toMatch(/note +tier: vault key: it holds replies sealed with another vault key/)
  expect(doctor.stdout).toMatch(SAME)
  expect(server.journal().requests).toBe(requests)
  const ran = await other('run', '--json')
  expect(JSON.parse(ran.stdout)).toMatchObject({ providerCalls: 6 })
  for (const { stderr } of [dry, ran]) {
    expect(stderr).toMatch(OTHER)
    expect(stderr).toMatch(SAME)
  }
  // Whose runs are public has nothing to read there.
  for (const args of [['run', '--dry-run'], ['run']])
    expect((await use('b2', 'open')(...args)).stderr).not.toMatch(OTHER)
  const gone = await medmake(['run', '--dry-run', '--tier', '/nowhere/at/all'], {
    cwd: createWorkspace({
      'models/fake.yaml': modelsYaml(server, ['fake/a']),
      ...benchmark('closed', 'private'),
      'targets/main.conf': entries('closed'),
    }),
  })
  expect([gone.code, gone.stderr]).toEqual([0, expect.stringContaining('cache/no-tier')])
})
