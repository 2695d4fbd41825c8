import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { canary, filesWithCanaries } from '../../rig/canary.ts'
import { fakeServer } from '../../rig/fake-server.ts'
import { medmake, startMedmake } from '../../rig/medmake.ts'
import { RUBRIC, shortYaml } from '../../rig/short-benchmark.ts'
import { resultFiles, shardWorkspace } from '../../rig/shard-workspace.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const ROWS = 12

/** Answers repeat what they were asked, so that replies hold what notes do. */
const repeating = ({ model, prompt }: { readonly model: string; readonly prompt: string }): string =>
  model === 'fake/judge'
    ? `{"accuracy": {"score": ${1 + (prompt.length % 5)}, "explanation": "${/ZQX7\w+/.exec(prompt)?.[0] ?? ''}"}}`
    : prompt

const declaration = (cwd: string): string =>
  readFileSync(join(cwd, 'benchmarks/judged/benchmark.yaml'), 'utf8')

/** A judged benchmark that was public, of which a tier holds all replies, and is private now; `closed` always was. */
const turned = async (lease = 60) => {
  const server = await fakeServer({ answer: repeating })
  const notes = Array.from({ length: ROWS }, (_, row) => `${canary(100 + row)},yes`)
  const cwd = shardWorkspace(server, {
    rows: ROWS,
    files: {
      'benchmarks/judged/data.csv': `note,correct_answer\n${notes.join('\n')}\n`,
      'benchmarks/other/benchmark.yaml':
        'name: other\ndescription: Reads.\naccess: public\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 20\nmetrics:\n  - name: exact_match\n',
      'benchmarks/other/prompt.txt': 'other: {note}',
      'benchmarks/other/data.csv': `note,correct_answer\n${Array.from({ length: ROWS }, (_, row) => `row ${row},yes`).join('\n')}\n`,
      'targets/main.conf':
        'entries: [{description: "judged:model=fake/a"}, {description: "other:model=fake/a"}, {description: "closed:model=fake/a"}]',
      'medmake.yaml': `store: {lease_seconds: ${lease}}\n`,
    },
  })
  const tier = temporaryFolder()
  for (const index of [0, 1]) {
    const ended = await medmake(['run', '--shard', `${index}/2`, '--tier', tier], { cwd })
    expect(ended.code, ended.stderr).toBe(0)
  }
  expect(filesWithCanaries(tier)).not.toEqual([])
  const turn = (folder: string): void =>
    writeFiles(folder, {
      'benchmarks/judged/benchmark.yaml': declaration(cwd).replace('access: public', 'access: private'),
    })
  return { server, cwd, tier, turn: () => turn(cwd) }
}

test('what lies on a tier in the open and is private now is sealed there, and no run begins before', async () => {
  const { server, cwd, tier, turn } = await turned()
  const { requests } = server.journal()
  turn()
  for (const args of [
    ['run', '--shard', '0/2', '--tier', tier],
    ['run', '--tier', tier],
    ['run', '--tier', tier, '--stored-only'],
    ['cluster', 'plan', 'main', '--tasks', '3', '--tier', tier],
  ]) {
    const refused = await medmake(args, { cwd })
    expect([refused.code, refused.stderr]).toEqual([
      5,
      expect.stringMatching(/judged lie on the tier in the open.*open-on-tier\]\n.*medmake cache seal/),
    ])
  }
  // What came into this workspace before it was known lies in its vault.
  expect(filesWithCanaries(join(cwd, 'cache'))).toEqual([])
  expect(server.journal().requests).toBe(requests)

  const sealed = await medmake(['cache', 'seal', tier, '--json'], { cwd })
  expect(sealed.code, sealed.stderr).toBe(0)
  // Of answers and judgements the reply and the payment.
  expect(JSON.parse(sealed.stdout)).toMatchObject({
    benchmarks: ['judged'],
    sealed: 4 * ROWS,
    damagedBytes: 0,
  })
  expect(filesWithCanaries(tier)).toEqual([])
  expect(await medmake(['cache', 'seal', tier], { cwd })).toMatchObject({
    stdout: 'nothing lies in the open that is not public',
    stderr: '',
  })

  const again = await medmake(['run', '--shard', '0/1', '--tier', tier, '--json'], { cwd })
  expect(again.code, again.stderr).toBe(0)
  const head = await medmake(['run', '--tier', tier, '--json'], { cwd })
  expect(JSON.parse(head.stdout), head.stderr).toMatchObject({ providerCalls: 0, failures: [] })
  expect(server.journal().requests).toBe(requests)
  expect(filesWithCanaries(tier)).toEqual([])
  expect(filesWithCanaries(join(cwd, 'cache'))).toEqual([])
  const spent = await medmake(['spend', '--json'], { cwd })
  expect((JSON.parse(spent.stdout) as { total: { calls: number } }).total.calls).toBe(4 * ROWS)
  expect(resultFiles(cwd)).toHaveLength(3)
})

test('cache pull brings what is private here into the vault, and tells that it lies in the open', async () => {
  const { cwd, tier, turn } = await turned()
  const before = join(temporaryFolder(), 'store')
  expect((await medmake(['cache', 'pull', tier, '--store', before], { cwd })).code).toBe(0)
  turn()
  const store = join(temporaryFolder(), 'store')
  const pulled = await medmake(['cache', 'pull', tier, '--store', store], { cwd })
  expect([pulled.code, pulled.stderr]).toEqual([
    1,
    expect.stringMatching(/replies of judged lie on the tier in the open: `medmake cache seal/),
  ])
  expect(filesWithCanaries(join(store, '..'))).toEqual([])
  const run = await medmake(['run', '--store', store, '--json'], { cwd })
  expect(JSON.parse(run.stdout), run.stderr).toMatchObject({ providerCalls: 0 })
  // Nor does a push bring them there.
  const other = temporaryFolder()
  expect((await medmake(['cache', 'push', other, '--store', store], { cwd })).code).toBe(0)
  expect(filesWithCanaries(other)).toEqual([])
  // What was brought here before is no word of what lies there now.
  expect((await medmake(['cache', 'seal', tier, '--store', store], { cwd })).code).toBe(0)
  const late = await medmake(['cache', 'pull', tier, '--store', before], { cwd })
  expect([late.code, late.stderr]).toEqual([0, expect.not.stringContaining('on the tier')])
  // Each sealing gives other bytes: nobody paid twice for these.
  expect((await medmake(['cache', 'push', other, '--store', before], { cwd })).code).toBe(0)
  const twice = await medmake(['cache', 'pull', other, '--store', store], { cwd })
  expect(twice.stdout).toMatch(/^\d+ values differ, of calls that were paid for, or sealed, twice/m)
  expect(filesWithCanaries(join(before, '..'))).toEqual([])
})

test('a task that is at work while its segment is sealed stops, and loses no more than was in flight', async () => {
  const { server, cwd, tier, turn } = await turned(1)
  const { answered } = server.journal()
  writeFiles(cwd, {
    'benchmarks/other/data.csv': `note,correct_answer\n${Array.from({ length: 200 }, (_, row) => `line ${row},yes`).join('\n')}\n`,
  })
  server.hold()
  const task = startMedmake(['run', '--shard', '0/1', '--tier', tier], { cwd })
  await server.received(server.journal().requests + 8)
  server.release()
  await server.received(server.journal().requests + 20)
  turn()
  const sealed = await medmake(['cache', 'seal', tier], { cwd })
  expect(sealed.code, sealed.stderr).toBe(0)
  await task
  expect(filesWithCanaries(tier)).toEqual([])
  const rest = await medmake(['run', '--shard', '0/1', '--tier', tier], { cwd })
  expect(rest.code, rest.stderr).toBe(0)
  // In flight of model and judge.
  expect(server.journal().answered - answered).toBeLessThanOrEqual(200 + 2 * 64)
  const head = await medmake(['run', '--tier', tier, '--stored-only', '--json'], { cwd })
  expect(JSON.parse(head.stdout), head.stderr).toMatchObject({ providerCalls: 0, failures: [] })
})

test('without the vault’s key nothing is sealed', async () => {
  const { cwd, tier, turn } = await turned()
  turn()
  const before = readdirSync(tier, { recursive: true })
  const env = { MEDMAKE_VAULT_KEY: '', HOME: tier, XDG_CONFIG_HOME: temporaryFolder() }
  const keyless = await medmake(['cache', 'seal', tier, '--store', join(temporaryFolder(), 'store')], {
    cwd,
    env,
  })
  expect([keyless.code, keyless.stderr]).toEqual([2, expect.stringContaining('cache/no-vault-key')])
  expect(readdirSync(tier, { recursive: true })).toEqual(before)
  const elsewhere = await medmake(['cache', 'seal', tier], { cwd: createWorkspace() })
  expect(elsewhere.stdout).toContain('nothing lies in the open that is not public')
})

test('replies that were pulled, or never built, before a benchmark was declared private are sealed by the next run', async () => {
  const { server, cwd, tier, turn } = await turned()
  rmSync(join(cwd, 'cache'), { recursive: true, force: true })
  expect((await medmake(['cache', 'pull', tier], { cwd })).code).toBe(0)
  expect(filesWithCanaries(join(cwd, 'cache'))).not.toEqual([])
  turn()
  // Whoever may not write names nothing of them, and asks nobody.
  const { requests } = server.journal()
  expect((await medmake(['estimate', 'main'], { cwd })).code).toBe(0)
  const run = await medmake(['run', 'main', '--json'], { cwd })
  expect(run.code, run.stderr).toBe(0)
  expect(run.stderr).toMatch(/judged is private now: \d+ values were moved into the vault/)
  expect(filesWithCanaries(join(cwd, 'cache'))).toEqual([])
  expect(server.journal().requests).toBe(requests)
  // What is public stays where it is, and nothing is looked for twice.
  const again = await medmake(['run', 'main'], { cwd })
  expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('private now')])
})

test('Replies of embedded models and judges follow their benchmark, into the vault and on a tier', async () => {
  const declared = (access: string) =>
    shortYaml({
      name: 'local',
      access,
      judges: ['baseline/overlap-judge'],
      metrics: ['exact_match', 'jury_score'],
    })
  const cwd = createWorkspace({
    'benchmarks/local/benchmark.yaml': declared('public'),
    'benchmarks/local/prompt.txt': 'Letter: {note}',
    'benchmarks/local/rubric.txt': RUBRIC,
    'benchmarks/local/data.csv': `note,correct_answer\n${canary(1)} ends. ${canary(2)},${canary(3)}\n${canary(4)} goes on. ${canary(5)},${canary(6)}\n`,
    'targets/main.conf': 'entries: [{description: "local:model=baseline/lead"}]',
  })
  const done = async (...args: readonly string[]): Promise<void> =>
    expect(await medmake(args, { cwd }), args.join(' ')).toMatchObject({ code: 0 })
  const [before, after] = [temporaryFolder(), temporaryFolder()]
  await done('run')
  await done('cache', 'push', before)
  writeFiles(cwd, { 'benchmarks/local/benchmark.yaml': declared('private') })
  await done('cache', 'push', after)
  await done('run')
  expect(filesWithCanaries(before)).not.toEqual([])
  await done('cache', 'seal', before)
  await done('cache', 'pull', before)
  expect([before, after, join(cwd, 'cache')].map(filesWithCanaries)).toEqual([[], [], []])
})
