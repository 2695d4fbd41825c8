import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { memoryStore } from '../../../cache/memory-store.ts'
import { ProblemError, type Problem } from '../../../cache/problems/problem.ts'
import { createRegistry } from '../../../models/registry/registry.ts'
import { parseBucket } from '../../../tools/release/import/bucket.ts'
import { fetchRuns } from '../../../tools/release/import/fetch-runs.ts'
import { importRun } from '../../../tools/release/import/import-run.ts'
import { importReplies } from '../../../tools/release/replies.ts'
import { listPaths } from '../../../tools/release/bundle/list-files.ts'
import { openStore } from '../../../cache/open-store.ts'
import { medmake, spawnMedmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { watchNames } from '../../rig/unsynced.ts'
import { createWorkspace, writeFiles, type Files } from '../../rig/workspace.ts'
import { bundleWorkspace, filesOf, ROWS, type BundleWorkspace } from './bundle-workspace.ts'
import { fakeBucket, type BucketFaults } from './fake-bucket.ts'

let workspace: BundleWorkspace
let objects: ReadonlyMap<string, Buffer>

beforeAll(async () => {
  workspace = await bundleWorkspace()
  expect(await medmake(['run', 'open'], { cwd: workspace.root })).toMatchObject({ code: 0 })
  const output = join(workspace.root, 'benchmark_output')
  objects = new Map([
    ...(await listPaths(output)).map((path) => [`v1/${path}`, readFileSync(join(output, path))] as const),
    ['v1/runs/open/groups.json', Buffer.from('[]')],
    ['v1/runs/open/groups/json/a.json', Buffer.from('[]')],
  ])
})

/** Fetches from a bucket with faults; what went wrong and which files there are. */
const fetched = async (
  faults: BucketFaults,
  folder = temporaryFolder(),
  matches: (name: string) => boolean = () => true,
): Promise<{
  readonly problems: readonly Problem[]
  readonly files: readonly string[]
  readonly ranges: readonly unknown[]
}> => {
  const { url, ranges } = await fakeBucket(objects, faults)
  const bucket = parseBucket(`${url}/v1`)
  if (bucket === undefined) throw new Error('no bucket')
  const waits = [0, 0, 0]
  const problems = await fetchRuns(bucket, folder, {
    signal: new AbortController().signal,
    waits,
    matches,
    parallel: 3,
  }).then(
    () => [],
    (error: unknown) => {
      if (!(error instanceof ProblemError)) throw error
      return error.problems
    },
  )
  return { problems, files: await listPaths(folder), ranges }
}

const isState = (name: string): boolean => name.includes('exact') && name.endsWith('scenario_state.json')

describe('a bucket', () => {
  it('is read page by page, and its runs lie at the same paths', async () => {
    const { url, pages } = await fakeBucket(objects)
    const root = createWorkspace()
    const result = await medmake(['release', 'import', `${url}/v1`, '--json'], { cwd: root })
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(pages).toEqual(['0', '4', '8', '12'])
    expect(JSON.parse(result.stdout)).toMatchObject({
      runs: [
        { name: 'exact:model=fake_a', entry: 'exact:model=fake/a', completions: ROWS, judgements: 0 },
        { name: 'summaries:model=fake_a', completions: ROWS, judgements: ROWS, skipped: {} },
      ],
    })
    const folder = join(root, 'benchmark_output/imported', new URL(url).host.replace(':', '_'), 'published')
    const state = (await listPaths(folder)).find((path) =>
      path.endsWith('exact:model=fake_a/scenario_state.json'),
    )
    expect(state).toBe('v1/runs/open/exact:model=fake_a/scenario_state.json')
    expect(readFileSync(join(folder, state ?? ''))).toEqual(
      objects.get('v1/runs/open/exact:model=fake_a/scenario_state.json'),
    )
  })

  it('leaves no name that a power cut may take away, once its import is told of', async () => {
    const { url } = await fakeBucket(objects)
    const [cwd, watched] = [createWorkspace(), watchNames()]
    const result = await spawnMedmake(['release', 'import', `${url}/v1`], { cwd, env: watched.env })
    expect(result).toMatchObject({ code: 0, stderr: '' })
    const below = join(cwd, 'benchmark_output')
    expect(watched.unsynced().filter((path) => path.startsWith(below) && !path.includes('.claims'))).toEqual(
      [],
    )
  })

  it('that breaks off and is busy at times is read all the same, from where it broke off', async () => {
    const { problems, files, ranges } = await fetched({
      busyListings: 2,
      breaks: (name) => (isState(name) ? 3000 : undefined),
    })
    expect(problems).toEqual([])
    expect(files).toHaveLength(12)
    expect(ranges).toContainEqual(['v1/runs/open/exact:model=fake_a/scenario_state.json', 'bytes=3000-'])
  })

  it('that never gives a file whole is named, leaves no half run, and is gone on with later', async () => {
    const folder = temporaryFolder()
    const stuck = await fetched(
      { breaks: (name, from) => (isState(name) ? Math.max(0, 3000 - from) : undefined) },
      folder,
    )
    expect(stuck.problems).toMatchObject([
      {
        code: 'release/download',
        message: expect.stringContaining('exact:model=fake_a/scenario_state.json') as string,
      },
    ])
    expect(existsSync(join(folder, 'v1'))).toBe(false)
    expect(stuck.files.every((path) => path.startsWith('.parts/'))).toBe(true)
    const later = await fetched({}, folder)
    expect(later.problems).toEqual([])
    expect(later.ranges).toEqual([['v1/runs/open/exact:model=fake_a/scenario_state.json', 'bytes=3000-']])
    expect(later.files.filter((path) => path.includes('.part'))).toEqual([])
  })

  it('with a wrong md5 is named and gives no run', async () => {
    const { problems, files } = await fetched({ wrongMd5: isState })
    expect(problems).toMatchObject([
      { code: 'release/wrong-checksum', message: expect.stringContaining('its md5 is not') as string },
    ])
    expect(files.filter((path) => !path.startsWith('.parts/'))).toEqual([])
    expect(files.filter((path) => path.endsWith('.part'))).toEqual([])
  })

  it('that two imports read at once is read once, and by each for the runs that it wants', async () => {
    const folder = temporaryFolder()
    const breaks = { breaks: (name: string) => (isState(name) ? 3000 : undefined) }
    const both = await Promise.all([
      fetched(breaks, folder),
      fetched({}, folder),
      fetched({}, folder, (name) => name.startsWith('summaries')),
    ])
    expect(both.map(({ problems }) => problems)).toEqual([[], [], []])
    const files = await listPaths(folder)
    expect(files.filter((path) => path.startsWith('.'))).toEqual([])
    for (const path of files) expect(readFileSync(join(folder, path))).toEqual(objects.get(path))
    const asked = both.flatMap(({ ranges }) => ranges as readonly (readonly [string, unknown])[])
    expect(asked.filter(([, range]) => range === undefined)).toHaveLength(12)
  })

  it('is read for the runs that are wanted only', async () => {
    const { ranges } = await fetched({}, undefined, (name) => name.startsWith('summaries'))
    expect(ranges).toHaveLength(6)
    const none = await fetched({}, undefined, () => false)
    expect(none.problems).toMatchObject([{ code: 'release/no-runs' }])
  })

  it('is not asked over a line that anyone can alter', () => {
    expect(() => parseBucket('http://example.org/bucket')).toThrow('names no bucket')
    expect(parseBucket('gs://bucket/a/b/')).toEqual({
      origin: 'https://storage.googleapis.com',
      name: 'bucket',
      prefix: 'a/b',
    })
    expect(parseBucket('benchmark_output/runs')).toBeUndefined()
    expect(parseBucket('gs://bucket/a%20b/100%25')).toMatchObject({ prefix: 'a b/100%' })
    expect(() => parseBucket('gs://bucket/100%')).toThrow('names no bucket')
    expect(() => parseBucket('https://example.org/bucket/100%')).toThrow('names no bucket')
  })
})

describe('imported replies', () => {
  /** What the suite `open` declares. */
  const OPEN = ['targets/open.conf', 'benchmarks/exact', 'benchmarks/summaries']
  const copied = (...paths: readonly string[]): Files => filesOf(workspace.root, ...paths)
  const run = (): string => join(workspace.root, 'benchmark_output/runs/open/summaries:model=fake_a')

  it('serve a run of the same requests: nobody is called', async () => {
    const root = createWorkspace(copied('models/fake.yaml', ...OPEN))
    const source = join(workspace.root, 'benchmark_output')
    expect(await medmake(['release', 'import', source], { cwd: root })).toMatchObject({ code: 0 })
    const calls = workspace.server.journal().requests
    const result = await medmake(['run', 'open', '--json'], { cwd: root })
    expect(JSON.parse(result.stdout)).toMatchObject({ providerCalls: 0, targets: { built: 2 } })
    expect(workspace.server.journal().requests).toBe(calls)
    for (const file of ['scenario_state.json', 'stats.json', 'per_instance_stats.json'])
      expect(
        readFileSync(join(root, 'benchmark_output/runs/open/summaries:model=fake_a', file), 'utf8'),
      ).toBe(readFileSync(join(run(), file), 'utf8'))
    // One more judge costs its own replies only.
    const yaml = readFileSync(join(root, 'benchmarks/summaries/benchmark.yaml'), 'utf8')
    const judge = '      - {name: fake/judge, model_name: fake/judge}\n'
    const more = yaml.replace(judge, `${judge}      - {name: fake/c, model_name: fake/c}\n`)
    writeFiles(root, { 'benchmarks/summaries/benchmark.yaml': more })
    const judged = await medmake(['run', 'open', '--json'], { cwd: root })
    expect(JSON.parse(judged.stdout)).toMatchObject({ providerCalls: ROWS })
  })

  it.each(['public', 'private'])(
    'are found by the runs of a benchmark that is declared as %s after them, at no call',
    async (access) => {
      const root = createWorkspace(copied('models/fake.yaml', 'targets/open.conf'))
      const source = join(workspace.root, 'benchmark_output')
      const { stdout } = await medmake(['release', 'import', source], { cwd: root })
      expect(stdout).toContain('nothing here declares summaries')
      // As an import leaves it that is killed before it notes which replies it took.
      for (const path of ['cache/store', 'cache/store-vault']) {
        const store = await openStore({ path: join(root, path), onEvent: () => undefined })
        const notes = [...store.entries('files')]
        expect(notes.length).toBeGreaterThan(1)
        for (const { id } of notes) await store.remove('files', id)
        await store.close()
      }
      // Of the same one twice all is known, and what was noted stays.
      expect(await medmake(['release', 'import', source], { cwd: root })).toMatchObject({ code: 0 })
      const files = Object.entries(copied('benchmarks/exact', 'benchmarks/summaries')).map(
        ([name, text]) => [name, text.replace('access: public', `access: ${access}`)] as const,
      )
      writeFiles(root, Object.fromEntries(files))
      const calls = workspace.server.journal().requests
      const first = await medmake(['run', 'open', '--json'], { cwd: root })
      expect(JSON.parse(first.stdout)).toMatchObject({ providerCalls: 0, targets: { built: 2 } })
      expect(workspace.server.journal().requests).toBe(calls)
      const moved = first.stderr.match(/exact:model=fake_a is public now: 12 values/g) ?? []
      expect(moved).toHaveLength(access === 'public' ? 1 : 0)
      const again = await medmake(['run', 'open'], { cwd: root })
      expect(again.stdout).toContain('2 targets: 2 fresh')
      expect(again.stderr).not.toContain('values were moved')
    },
  )

  it('of a release lie under its own keys, whatever models are declared here', async () => {
    const create = ['release', 'create', 'r', '--suites', 'open']
    expect(await medmake(create, { cwd: workspace.root })).toMatchObject({ code: 0 })
    const root = createWorkspace(copied(...OPEN))
    const next =
      'Runs that ask the same take these at no call: medmake run --run-entries "exact:model=fake/a" -m 1000, or in a suite of targets/*.conf; --json lists the entry of each.'
    const output = join(workspace.root, 'benchmark_output')
    const archive = join(output, 'releases/r/r.tar.gz')
    const taken = await medmake(['release', 'import', archive], { cwd: root })
    expect(taken.stdout.split('\n')).toEqual([
      `exact:model=fake_a: ${ROWS} replies of the release imported; ${ROWS} answers and 0 judge replies under what is declared here, too`,
      `summaries:model=fake_a: ${2 * ROWS} replies of the release imported; ${ROWS} answers and ${ROWS} judge replies under what is declared here, too`,
      next,
    ])
    // Of the same one twice all is known, now that the store lies on disk. Its name is enough.
    const again = await medmake(['release', 'import', 'r', '--output-path', output], { cwd: root })
    expect([again.code, again.stderr, again.stdout.split('\n')]).toEqual([
      0,
      '',
      [
        ...['exact', 'summaries'].map((name) => `${name}:model=fake_a: 0 replies of the release imported`),
        next,
      ],
    ])
    // Where other judges are declared here, the same entry would pay for them.
    const [declared] = Object.entries(copied('benchmarks/summaries/benchmark.yaml'))
    const judged = declared?.map((text) => text.replaceAll('fake/judge', 'fake/b')) ?? []
    writeFiles(root, Object.fromEntries([judged]))
    const other = await medmake(['release', 'import', archive], { cwd: root })
    expect(other.stdout.split('\n').slice(2)).toEqual([
      next,
      expect.stringMatching(
        /^As it stands summaries:model=fake.a asks other .* fake.judge .fake.judge.: name /,
      ),
    ])
    writeFiles(root, copied('models/fake.yaml', 'benchmarks/summaries'))
    const result = await medmake(['run', 'open', '--json'], { cwd: root })
    expect(JSON.parse(result.stdout)).toMatchObject({ providerCalls: 0, targets: { built: 2 } })
  })

  it('of a release that stand under another key than theirs are refused', async () => {
    const store = memoryStore()
    await importRun(run(), { store, registry: createRegistry([], []), judges: [] })
    const [entry] = store.entries('completions')
    const stored = store.get('completions', entry?.id ?? '')
    const file = (id: string): string => {
      const path = join(temporaryFolder(), 'replies.jsonl')
      writeFileSync(path, `${JSON.stringify({ digest: id, stored })}\n`)
      return path
    }
    expect(await importReplies(file(entry?.id ?? ''), memoryStore())).toBe(1)
    expect(await importReplies(file(entry?.id ?? ''), store)).toBe(0)
    await expect(importReplies(file('0'.repeat(64)), memoryStore())).rejects.toThrow('release/bad-replies')
  })

  it.each([
    ['summaries', 'kept-by-hand', false],
    ['wards', 'summaries:model=fake_a', true],
    ['unheard_of', 'summaries:model=fake_a', true],
  ])('of %s go where its access says, out of a folder named %s too', async (benchmark, folder, inVault) => {
    const files = copied('benchmarks/summaries', 'benchmarks/wards')
    const spec = readFileSync(join(run(), 'run_spec.json'), 'utf8')
    const root = createWorkspace({
      ...files,
      [`from/${folder}/run_spec.json`]: spec.replace('"summaries:', `"${benchmark}:`),
      [`from/${folder}/scenario_state.json`]: readFileSync(join(run(), 'scenario_state.json'), 'utf8'),
    })
    const result = await medmake(['release', 'import', `from/${folder}`, '--json'], { cwd: root })
    const [taken] = (JSON.parse(result.stdout) as { runs: Record<string, unknown>[] }).runs
    expect(taken).toMatchObject({ completions: ROWS, judgements: ROWS })
    expect(taken?.['undeclared']).toBe(benchmark === 'unheard_of' ? benchmark : undefined)
    expect(existsSync(join(root, 'cache/store-vault'))).toBe(inVault)
  })

  it('of damaged runs keep no other out: each run is told, and the import is incomplete', async () => {
    const read = (name: string): string => readFileSync(join(run(), name), 'utf8')
    const [spec, states] = [read('run_spec.json'), read('scenario_state.json')]
    const root = createWorkspace({
      'from/cut/run_spec.json': spec,
      'from/cut/scenario_state.json': states.slice(0, -40),
      'from/mute/run_spec.json': '{}',
      'from/mute/scenario_state.json': states,
      'from/whole/run_spec.json': spec,
      'from/whole/scenario_state.json': states,
    })
    const told = await medmake(['release', 'import', 'from', '--json'], { cwd: root })
    expect(told.code).toBe(1)
    expect(JSON.parse(told.stdout)).toMatchObject({
      runs: [{ name: 'summaries:model=fake_a' }],
      problems: [{ code: 'tools/torn-file' }, { code: 'tools/not-helm-form' }],
    })
    const again = await medmake(['release', 'import', 'from'], { cwd: root })
    expect([again.code, again.stdout]).toEqual([
      1,
      expect.stringContaining(`${2 * ROWS} known before`) as string,
    ])
    expect(again.stderr).toContain('from/cut/scenario_state.json')
    expect(await medmake(['release', 'import', 'from/cut'], { cwd: root })).toMatchObject({ code: 2 })
  })

  it('never take the place of a reply that was paid for', async () => {
    const store = memoryStore()
    const options = {
      store,
      registry: createRegistry([], []),
      judges: [{ name: 'fake/judge', model: 'fake/judge', deployment: 'fake/judge' }],
    }
    expect(await importRun(run(), options)).toMatchObject({ completions: ROWS, judgements: ROWS, known: 0 })
    expect(await importRun(run(), options)).toMatchObject({ completions: 0, judgements: 0, known: 2 * ROWS })
    for (const { id } of store.entries('completions'))
      expect(store.get('completions', id)).toMatchObject({ imported: true, attempts: 0 })
  })
})
