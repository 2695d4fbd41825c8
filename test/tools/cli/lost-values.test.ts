import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatIdentity, identifyProcess } from '../../../cache/processes/process-identity.ts'
import { openStore } from '../../../cache/open-store.ts'
import type { StoreTable } from '../../../cache/store.ts'
import type { FakeAnswer, FakeCall } from '../../bench/fake-answer.ts'
import type { FakeServer } from '../../bench/fake-server.ts'
import { plainBenchmark } from '../../faults/fault-workspace.ts'
import { flipBit, loggedValues } from '../../rig/damaged-records.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { RUN_FILES, timelessFile } from '../../rig/helm-run-files.ts'
import { medmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const answer = ({ model, prompt }: FakeCall): FakeAnswer =>
  model === 'fake/judge' ? '{"accuracy": {"score": 4, "explanation": "so"}}' : `${model}: ${prompt}`

interface Built {
  readonly cwd: string
  readonly server: FakeServer
  /** The results as they were before anything was damaged. */
  readonly before: ReadonlyMap<string, string>
}

const results = (cwd: string): ReadonlyMap<string, string> => {
  const suite = join(cwd, 'benchmark_output/runs/main')
  const runs = readdirSync(suite).filter((name) => existsSync(join(suite, name, 'stats.json')))
  return new Map(
    runs.flatMap((run) =>
      RUN_FILES.map((file) => [`${run}/${file}`, timelessFile(join(suite, run), file)] as const),
    ),
  )
}

const buildOnce = async (access: 'public' | 'private') => {
  const server = await fakeServer({ answer })
  const notes = ['fever', 'cough', 'rash', 'ache', 'chills', 'nausea']
  const cwd = createWorkspace({
    'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/judge']),
    ...shortBenchmark(
      { name: 'summaries', access, judges: ['fake/judge'] },
      { data: `note\n${notes.join('\n')}\n` },
    ),
    ...shortBenchmark(
      { name: 'smoking', access },
      {
        prompt: 'Smokes? {note}',
        data: `note,correct_answer,incorrect_answers\n${notes.map((note) => `${note},yes,"[""no""]"`).join('\n')}\n`,
      },
    ),
    'targets/main.conf':
      'entries: [{description: "summaries:model=fake/a"}, {description: "smoking:model=fake/a"}]',
  })
  const { code, stderr } = await medmake(['run'], { cwd })
  expect(code, stderr).toBe(0)
  return { from: cwd, server, before: results(cwd) }
}

const made = new Map<string, Promise<Omit<Built, 'cwd'> & { readonly from: string }>>()

/** A copy of what was built once: each test damages its own, and all ask one server. */
const build = async (access: 'public' | 'private'): Promise<Built> => {
  const once = made.get(access) ?? buildOnce(access)
  made.set(access, once)
  const { from, ...shared } = await once
  const cwd = temporaryFolder()
  cpSync(from, cwd, { recursive: true, verbatimSymlinks: true })
  return { cwd, ...shared }
}

const store = (cwd: string): string => join(cwd, 'cache/store')

interface RunTold {
  readonly providerCalls: number
  readonly stages: Readonly<Record<string, { readonly executed: number; readonly cached: number }>>
  readonly targets: Readonly<Record<string, number>>
}

const run = async (cwd: string): Promise<RunTold> => {
  const { code, stdout, stderr } = await medmake(['run', '--json'], { cwd })
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as RunTold
}

const deleteOutput = (cwd: string): void => rmSync(join(cwd, 'benchmark_output'), { recursive: true })

/** How a value is lost. */
const LOSSES = {
  'by a bit': { isRepaired: false, lose: (cwd: string) => cwd },
  'by a bit and a repair': {
    isRepaired: true,
    lose: async (cwd: string) => {
      const verified = await medmake(['cache', 'verify'], { cwd })
      expect(verified.code).toBe(1)
      expect(verified.stdout).toContain('unreadable: ')
      const repaired = await medmake(['cache', 'verify', '--repair'], { cwd })
      expect(repaired.code).toBe(0)
      const again = await medmake(['cache', 'verify'], { cwd })
      expect(again.code, again.stdout).toBe(0)
    },
  },
} as const

const RESULTS: readonly StoreTable[] = [
  'instances',
  'prompts',
  'completions',
  'annotations',
  'metrics',
  'records',
]

describe.each(['public', 'private'] as const)('of a %s benchmark', (access) => {
  const folderOf = (cwd: string, table: StoreTable, id: string): string =>
    access === 'public' || (table === 'records' && !id.includes(':')) ? store(cwd) : `${store(cwd)}-vault`

  const damage = (cwd: string, table: StoreTable): number => {
    const values = [...new Set([store(cwd), `${store(cwd)}-vault`])]
      .filter(existsSync)
      .flatMap((folder) => loggedValues(folder, table).map((value) => ({ folder, value })))
      .filter(({ folder, value }) => folder === folderOf(cwd, table, value.id))
    for (const { value } of values) flipBit(value)
    return values.length
  }

  describe.each(Object.entries(LOSSES))('what is lost %s', (_, { isRepaired, lose }) => {
    test.each(RESULTS)('among %s is made again by a run, and nothing else', async (table) => {
      const { cwd, server, before } = await build(access)
      const { answered } = server.journal()
      // Judgements that come together are kept together.
      expect(damage(cwd, table)).toBeGreaterThan(0)
      await lose(cwd)
      deleteOutput(cwd)
      const told = await run(cwd)
      expect(results(cwd)).toEqual(before)
      const asked = table === 'completions' ? 18 : 0
      expect(told.providerCalls).toBe(asked)
      expect(server.journal().answered - answered).toBe(asked)
      // Another reply has another latency, which is a metric, too; a judgement may be read from a reply again.
      const touched =
        table === 'completions' ? ['completions', 'annotations', 'metrics'] : [table, 'annotations']
      for (const [stage, { executed }] of Object.entries(told.stages))
        if (!touched.includes(stage)) expect([stage, executed]).toEqual([stage, 0])
      if (isRepaired) expect((await medmake(['report'], { cwd })).code).toBe(0)
      else expect((await run(cwd)).targets).toMatchObject({ fresh: 2, built: 0 })
      const verified = await medmake(['cache', 'verify'], { cwd })
      expect(verified.code, verified.stdout).toBe(0)
    })
  })

  test.runIf(access === 'public').each(RESULTS)(
    'a lost value among %s that a report meets is made again by the next run',
    async (table) => {
      const { cwd, before } = await build(access)
      damage(cwd, table)
      deleteOutput(cwd)
      const report = await medmake(['report'], { cwd })
      expect(report.code).not.toBe(0)
      expect(report.stderr + report.stdout).not.toContain('    at ')
      await run(cwd)
      expect(results(cwd)).toEqual(before)
      const after = await medmake(['report'], { cwd })
      expect(after.code, after.stderr).toBe(0)
    },
  )
})

test('segments that are cut short or gone cost what they held, and the next run makes it again', async () => {
  const { cwd, server, before } = await build('public')
  const { requests } = server.journal()
  const values = join(store(cwd), 'values')
  const segments = (): readonly string[] => readdirSync(values).map((name) => join(values, name))
  for (const lose of [
    () => segments().forEach((path) => truncateSync(path, Math.floor(statSync(path).size / 2))),
    () => segments().forEach((path) => rmSync(path)),
  ]) {
    lose()
    deleteOutput(cwd)
    await run(cwd)
    expect(results(cwd)).toEqual(before)
    expect((await run(cwd)).targets).toMatchObject({ fresh: 2 })
  }
  expect(server.journal().requests - requests).toBeGreaterThan(18)
})

test('explain says of a damaged store what is lost, once, and what mends it', async () => {
  const cwd = createWorkspace()
  const words = ['-r', 'demo_multiple_choice:model=baseline/first-choice', '-m', '5']
  await medmake(['run', ...words], { cwd })
  const values = join(cwd, 'cache/store/values')
  const [segment = ''] = readdirSync(values)
  truncateSync(join(values, segment), Math.floor(statSync(join(values, segment)).size / 2))
  const { code, stdout, stderr } = await medmake(['explain', 'demo', ...words], { cwd })
  expect(code).toBe(0)
  expect(stdout).toContain('lost, as the store is damaged')
  expect(stdout).not.toContain('never built')
  expect(stderr).toMatch(/^\d+ records of the store can't be read \(.*traces \d.*\n.*cache verify/)
  expect(stderr.trim().split('\n')).toHaveLength(2)
})

test('what a killed writer left in a run’s folder is swept by the next run; a live one’s stays', async () => {
  const { cwd, before } = await build('public')
  const suite = join(cwd, 'benchmark_output/runs/main')
  const run0 = join(suite, readdirSync(suite).find((name) => name.startsWith('smoking')) ?? '')
  const nameOf = (start: string): string =>
    `.stats.json.${formatIdentity({ ...identifyProcess(), ...(start === '' ? {} : { start }) })}.${randomUUID()}.tmp`
  const [left, live] = [nameOf('1'), nameOf('')]
  for (const name of [left, live]) writeFileSync(join(run0, name), 'half a fi')
  rmSync(join(run0, 'run_spec.json'))
  await run(cwd)
  expect(readdirSync(run0)).not.toContain(left)
  expect(readdirSync(run0)).toContain(live)
  expect(results(cwd)).toEqual(before)
})

test('an index or lock file that is gone loses nothing', async () => {
  const { cwd, server, before } = await build('public')
  const { requests } = server.journal()
  rmSync(join(store(cwd), 'index.lmdb-lock'), { force: true })
  expect((await run(cwd)).targets).toMatchObject({ fresh: 2 })
  rmSync(join(store(cwd), 'index.lmdb'))
  const refused = await medmake(['run'], { cwd })
  expect(refused.stderr).toContain('cache/damaged')
  expect((await medmake(['cache', 'verify', '--repair'], { cwd })).code).toBe(0)
  deleteOutput(cwd)
  expect((await run(cwd)).targets).toMatchObject({ fresh: 2 })
  expect(results(cwd)).toEqual(before)
  expect(server.journal().requests).toBe(requests)
  expect(readFileSync(join(store(cwd), 'index.lmdb')).length).toBeGreaterThan(0)
})

test('replies that the log has and the index lacks are told of, and come back', async () => {
  const { cwd, server } = await build('public')
  const index = join(store(cwd), 'index.lmdb')
  cpSync(index, `${index}.before`)
  appendFileSync(join(cwd, 'benchmarks/smoking/data.csv'), 'pain,yes,"[""no""]"\nsleep,yes,"[""no""]"\n')
  expect(await run(cwd)).toMatchObject({ providerCalls: 2 })
  const after = results(cwd)
  const { requests } = server.journal()
  // As an earlier version lost commits: later ones went on from the state before them.
  cpSync(`${index}.before`, index)
  const verified = await medmake(['cache', 'verify'], { cwd })
  expect(verified.code, verified.stdout).toBe(0)
  expect(verified.stdout).toMatch(/^\d+ in the log that the index does not name/m)
  expect((await medmake(['cache', 'verify', '--repair'], { cwd })).code).toBe(0)
  const sound = await medmake(['cache', 'verify', '--json'], { cwd })
  expect(JSON.parse(sound.stdout)).toMatchObject({ sound: true, unindexed: 0 })
  deleteOutput(cwd)
  expect(await run(cwd)).toMatchObject({ providerCalls: 0 })
  expect(results(cwd)).toEqual(after)
  expect(server.journal().requests).toBe(requests)
})

test('an older store in the place of a newer one is told until a run ends, and a collected or repaired one is none', async () => {
  const cwd = createWorkspace({
    ...plainBenchmark('own'),
    'targets/main.conf': 'entries: [{description: "own:model=baseline/first-choice", priority: 1}]\n',
  })
  const env = { XDG_CACHE_HOME: temporaryFolder() }
  const [store, backup] = [join(cwd, 'cache/store'), join(temporaryFolder(), 'store')]
  const told = async (...args: string[]) => (await medmake(args, { cwd, env })).stderr
  const change = (prompt: string) => writeFileSync(join(cwd, 'benchmarks/own/prompt.txt'), `${prompt} {note}`)
  await told('run')
  cpSync(store, backup, { recursive: true })
  change('Anew:')
  for (const args of [['run'], ['cache', 'gc'], ['cache', 'verify', '--repair'], ['run', '--dry-run']])
    expect(await told(...args), args.join(' ')).toBe('')
  change('Once more:')
  await told('run')
  rmSync(store, { recursive: true })
  cpSync(backup, store, { recursive: true })
  for (const args of [['doctor'], ['run', '--dry-run'], ['run']])
    expect(await told(...args), args.join(' ')).toMatch(/older store.*: [\d.]+ kB of results and payments/)
  expect(await told('run')).toBe('')
  rmSync(store, { recursive: true })
  expect(await told('run', '--dry-run')).toContain('older store')
  // Each profile has a session.
  const profiles = await told('compare', '--profiles', 'helm-0.5.16,medhelm-0.8', '--suite', 'main')
  expect(profiles.match(/older store/g)).toHaveLength(1)
})

test('nothing is collected while another process is at work, and what is gives its room back', async () => {
  const note = 'a long note '.repeat(200)
  const cwd = createWorkspace({
    ...plainBenchmark('own', `note,correct_answer\n${note},yes\n`),
    'targets/main.conf': 'entries: [{description: "own:model=baseline/first-choice", priority: 1}]\n',
  })
  const path = join(cwd, 'cache/store')
  const segments = () =>
    readdirSync(join(path, 'values')).map((name) => statSync(join(path, 'values', name)).size)
  const gc = () => medmake(['cache', 'gc'], { cwd })
  await medmake(['run'], { cwd })
  writeFileSync(join(cwd, 'benchmarks/own/prompt.txt'), 'Anew: {note}')
  await medmake(['run'], { cwd })
  const [before] = segments()
  const other = await openStore({ path, onEvent: () => undefined })
  expect(await gc()).toMatchObject({ code: 2, stderr: expect.stringContaining('[cache/in-use]') as string })
  await other.close()
  expect(segments()).toEqual([before])
  expect((await gc()).stdout).toMatch(/[1-9][\d.]* kB given back to the disk/)
  expect(segments().reduce((sum, size) => sum + size, 0)).toBeLessThan(before ?? 0)
  expect((await medmake(['run', '--json'], { cwd })).stdout).toContain('"fresh":1')
})
