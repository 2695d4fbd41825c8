import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { formatIdentity, identifyProcess } from '../../../cache/processes/process-identity.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { verifyRelease } from '../../../tools/release/verify.ts'
import { medmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace } from '../../rig/workspace.ts'
import { listPaths } from '../../../tools/release/bundle/list-files.ts'
import { bundleWorkspace, redigest, ROWS, type BundleWorkspace } from './bundle-workspace.ts'

let workspace: BundleWorkspace

const run = (...args: readonly string[]) => medmake(args, { cwd: workspace.root })
const bundleOf = (output: string): string => join(workspace.root, output, 'releases/r/bundle')

beforeAll(async () => {
  workspace = await bundleWorkspace()
  expect(await run('run', 'open')).toMatchObject({ code: 0 })
  expect(await run('release', 'create', 'r', '--suites', 'open')).toMatchObject({ code: 0, stderr: '' })
})

describe('a release', () => {
  it('has the same bytes wherever it is made', async () => {
    expect(await run('release', 'create', 'r', '--suites', 'open', '-o', 'elsewhere/deep')).toMatchObject({
      code: 0,
    })
    const [here, there] = ['benchmark_output', 'elsewhere/deep'].map((output) =>
      join(workspace.root, output, 'releases/r'),
    )
    expect(
      readFileSync(join(there ?? '', 'r.tar.gz')).equals(readFileSync(join(here ?? '', 'r.tar.gz'))),
    ).toBe(true)
    expect(readFileSync(join(there ?? '', 'bundle/release.json'), 'utf8')).toBe(
      readFileSync(join(here ?? '', 'bundle/release.json'), 'utf8'),
    )
  })

  it('gives way to other content under its name only where that is asked for', async () => {
    const create = (suite: string, ...args: readonly string[]) =>
      run('release', 'create', 'r', '--suites', suite, '-o', 'taken', ...args)
    const bytes = () => readFileSync(join(workspace.root, 'taken/releases/r/r.tar.gz'))
    const other = join(workspace.root, 'targets/other.conf')
    writeFileSync(other, 'entries: [{description: "exact:model=fake/a"}]')
    for (let round = 0; round < 2; round += 1) expect((await create('open')).code).toBe(0)
    const before = bytes()
    const refused = await create('other')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('[release/exists]')])
    expect(bytes()).toEqual(before)
    expect((await create('other', '--replace')).code).toBe(0)
    expect(bytes()).not.toEqual(before)
    expect((await create('other')).code).toBe(0)
    rmSync(other)
  })

  it('tells of one thing that is wrong with the schema that it was given, and is made', async () => {
    const schema = join(workspace.root, 'schema.yaml')
    writeFileSync(
      schema,
      `metrics: []
perturbations: []
metric_groups: []
run_groups: [{name: exact, display_name: E, description: d, metric_groups: []}]
`,
    )
    const made = await run('release', 'create', 's', '--suites', 'open', '-o', 's', '--schema-path', schema)
    expect(made.code).toBe(0)
    expect(made.stderr.match(/\[.*\]$/gm)).toEqual(['[targets/run-in-no-group]'])
    writeFileSync(
      schema,
      readFileSync(schema, 'utf8').replace('metric_groups: []}', 'metric_groups: [none]}'),
    )
    const flawed = await run('release', 'create', 't', '--suites', 'open', '-o', 's', '--schema-path', schema)
    // By the name that it was given by, not by that of the copy in the release.
    expect(flawed.stderr).toContain(`error ${schema} run_groups.exact: Metric group none`)
    rmSync(schema)
  })

  it('takes away what one that was killed had written of it', async () => {
    const gone = formatIdentity({ ...identifyProcess(), start: '1' })
    const left = join(workspace.root, `elsewhere/releases/r/.bundle.${gone}.${randomUUID()}.tmp`)
    mkdirSync(join(left, 'new/records'), { recursive: true })
    expect(await run('release', 'create', 'r', '--suites', 'open', '-o', 'elsewhere')).toMatchObject({
      code: 0,
    })
    expect(readdirSync(join(workspace.root, 'elsewhere/releases/r')).sort()).toEqual(['bundle', 'r.tar.gz'])
  })

  it('names no place on this machine', async () => {
    for (const path of await listPaths(bundleOf('benchmark_output')))
      expect(readFileSync(join(bundleOf('benchmark_output'), path), 'utf8'), path).not.toContain(
        workspace.root,
      )
  })

  it('is unpacked by tar, long names included', async () => {
    const folder = temporaryFolder()
    await execa('tar', ['-xzf', join(workspace.root, 'benchmark_output/releases/r/r.tar.gz'), '-C', folder])
    expect(await listPaths(join(folder, 'r'))).toEqual(await listPaths(bundleOf('benchmark_output')))
    expect(await run('release', 'verify', join(folder, 'r'))).toMatchObject({ code: 0 })
  })

  it('tells models as served, judge prompts, benchmarks and files', () => {
    const release = JSON.parse(readFileSync(join(bundleOf('benchmark_output'), 'release.json'), 'utf8')) as {
      readonly runs: readonly { readonly name: string; readonly served: readonly string[] }[]
      readonly benchmarks: readonly { readonly name: string; readonly judgePrompt: string | null }[]
      readonly profile: string
      readonly withheld: readonly unknown[]
    }
    expect(release.runs.map(({ name }) => name)).toEqual(['exact:model=fake_a', 'summaries:model=fake_a'])
    expect(release.runs[0]?.served[0]).toContain('fake/a')
    expect(release.benchmarks.map(({ name, judgePrompt }) => [name, judgePrompt?.length ?? null])).toEqual([
      ['exact', null],
      ['summaries', 64],
    ])
    expect(release).toMatchObject({ profile: 'helm-0.5.16', withheld: [] })
  })

  it('tells prices with their date, and what each run took at them', () => {
    const release = JSON.parse(readFileSync(join(bundleOf('benchmark_output'), 'release.json'), 'utf8')) as {
      readonly runs: readonly {
        readonly name: string
        readonly usd: number | null
        readonly juryUsd: number | null
      }[]
      readonly prices: readonly unknown[]
    }
    expect(release.prices).toEqual([
      { deployment: 'fake/a', input: 3, output: 15, date: '2026-04-05', source: 'contract' },
    ])
    const [exact, summaries] = release.runs
    expect(exact?.usd).toBeGreaterThan(0)
    expect(exact?.juryUsd).toBe(0)
    // The judge has no price.
    expect(summaries?.usd).toBeGreaterThan(0)
    expect(summaries?.juryUsd).toBeNull()
  })

  it('holds finished runs only', async () => {
    const result = await run('release', 'create', 'half')
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('[release/unfinished]')
    expect(result.stderr).toContain('wards')
  })

  it('refuses a name that is a path', async () => {
    expect((await run('release', 'create', '../up', '--suites', 'open')).stderr).toContain(
      '[release/bad-name]',
    )
  })
})

describe('verify', () => {
  const KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
    ['request states', /scenario_state\.json$/],
    ['stats', /\/stats\.json$/],
    ['per-instance stats', /per_instance_stats\.json$/],
    ['a run spec', /run_spec\.json$/],
    ['a page of a run', /display_predictions\.json$/],
    ['a table', /groups\/json\/.*\.json$/],
    ['a LaTeX table', /\.tex$/],
    ['the schema', /schema\.json$/],
    ['the site', /site\/index\.html$/],
    ['a script of the site', /site\/.*\.js$/],
    ['a record', /^records\//],
    ['replies', /^replies\//],
    ['the release file', /^release\.json$/],
  ]

  it.each(KINDS)('names one flipped byte in %s', async (_kind, pattern) => {
    const copy = join(temporaryFolder(), 'copy')
    cpSync(bundleOf('benchmark_output'), copy, { recursive: true })
    const path = (await listPaths(copy)).find((each) => pattern.test(each)) ?? ''
    const bytes = readFileSync(join(copy, path))
    const middle = Math.floor(bytes.length / 2)
    bytes[middle] = (bytes[middle] ?? 0) ^ 1
    writeFileSync(join(copy, path), bytes)
    const result = await run('release', 'verify', copy)
    expect(result.code).toBe(1)
    expect(result.stderr).toContain(path)
  })

  it('finds any flipped bit of any file', async () => {
    const copy = join(temporaryFolder(), 'copy')
    cpSync(bundleOf('benchmark_output'), copy, { recursive: true })
    const paths = await listPaths(copy)
    const places = fc.record({
      path: fc.constantFrom(...paths),
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      bit: fc.integer({ min: 0, max: 7 }),
    })
    await fc.assert(
      fc.asyncProperty(places, async ({ path, at, bit }) => {
        const whole = readFileSync(join(copy, path))
        const bytes = Buffer.from(whole)
        const place = Math.floor(at * bytes.length)
        bytes[place] = (bytes[place] ?? 0) ^ (1 << bit)
        writeFileSync(join(copy, path), bytes)
        const files = await verifyRelease(copy).then(
          ({ problems }) => problems.map(({ where }) => where?.file ?? ''),
          (error: unknown) => (error instanceof ProblemError ? [error.problems[0]?.where?.file ?? ''] : []),
        )
        writeFileSync(join(copy, path), whole)
        expect(files.some((file) => file.endsWith(path))).toBe(true)
      }),
      { numRuns: 30 },
    )
    expect((await verifyRelease(copy)).problems).toEqual([])
  })

  it('names a flipped byte anywhere in the archive', async () => {
    const archive = join(workspace.root, 'benchmark_output/releases/r/r.tar.gz')
    const whole = readFileSync(archive)
    for (const at of [4, 9, Math.floor(whole.length / 2), whole.length - 1]) {
      const bytes = Buffer.from(whole)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      writeFileSync(archive, bytes)
      const result = await run('release', 'verify', 'r')
      expect(result.code, `byte ${at} of ${statSync(archive).size}`).toBe(1)
      expect(result.stderr).toContain('r.tar.gz')
    }
    writeFileSync(archive, whole)
    expect(await run('release', 'verify', 'r')).toMatchObject({ code: 0 })
  })

  it('names a file that is missing and one that does not belong there', async () => {
    const copy = join(temporaryFolder(), 'copy')
    cpSync(bundleOf('benchmark_output'), copy, { recursive: true })
    rmSync(join(copy, 'site/index.html'))
    writeFileSync(join(copy, 'extra.txt'), '')
    const result = await run('release', 'verify', copy)
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('site/index.html is missing')
    expect(result.stderr).toContain('extra.txt is not part of the release')
  })

  it('finds an aggregate that is not its runs’, though every digest is right', async () => {
    const copy = join(temporaryFolder(), 'copy')
    cpSync(bundleOf('benchmark_output'), copy, { recursive: true })
    const path = 'benchmark_output/releases/r/costs.json'
    writeFileSync(join(copy, path), '{"better": 1}')
    await redigest(copy, path)
    const result = await run('release', 'verify', copy)
    expect(result.code).toBe(1)
    expect(result.stderr).toContain(`${path} differs from what the runs give`)
  })
})

describe('reproduce', () => {
  it('gives the same bytes without data, benchmarks, cache or calls', async () => {
    const elsewhere = createWorkspace()
    const calls = workspace.server.journal().requests
    const result = await medmake(['release', 'reproduce', bundleOf('benchmark_output'), '--json'], {
      cwd: elsewhere,
    })
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(result.stdout)).toMatchObject({ runs: 2, copied: [], problems: [], providerCalls: 0 })
    expect(workspace.server.journal().requests).toBe(calls)
  })

  it.each(['records/open/exact:model=fake_a.json', 'replies/open/exact:model=fake_a.jsonl'])(
    'names a file that is missing: %s',
    async (path) => {
      const copy = join(temporaryFolder(), 'copy')
      cpSync(bundleOf('benchmark_output'), copy, { recursive: true })
      rmSync(join(copy, path))
      const { code, stderr } = await run('release', 'reproduce', copy)
      expect(code).toBe(1)
      expect(stderr).toContain(`${path} is missing [release/changed-file]`)
    },
  )

  it('notices a reply that does not give the released numbers', async () => {
    const copy = join(temporaryFolder(), 'copy')
    cpSync(bundleOf('benchmark_output'), copy, { recursive: true })
    const path = 'replies/open/exact:model=fake_a.jsonl'
    const text = readFileSync(join(copy, path), 'utf8').replace('"text":"', '"text":"other ')
    writeFileSync(join(copy, path), text)
    const changed = await run('release', 'reproduce', copy)
    expect(changed).toMatchObject({ code: 1, stdout: '' })
    expect(changed.stderr).toContain(`${path} is not the file that was released`)
    expect((await run('release', 'import', copy)).stderr).toBe(changed.stderr)
    await redigest(copy, path)
    const result = await run('release', 'reproduce', copy)
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('exact:model=fake_a/scenario_state.json differs from what the runs give')
  })

  it('asks a new model the same requests, with neither data nor benchmarks, and pays for each once', async () => {
    const elsewhere = createWorkspace({
      'models/fake.yaml': readFileSync(join(workspace.root, 'models/fake.yaml'), 'utf8'),
    })
    const again = async () => {
      const result = await medmake(
        ['release', 'reproduce', bundleOf('benchmark_output'), '--model', 'fake/c', '--json'],
        { cwd: elsewhere },
      )
      expect(result).toMatchObject({ code: 0, stderr: '' })
      return JSON.parse(result.stdout) as { readonly providerCalls: number; readonly runs: readonly string[] }
    }
    expect((await again()).runs).toEqual(['exact:model=fake_c', 'summaries:model=fake_c'])
    const { calls, duplicates } = workspace.server.journal()
    expect(calls.filter(({ model }) => model === 'fake/c')).toHaveLength(2 * ROWS)
    expect(duplicates).toBe(0)
    expect((await again()).providerCalls).toBe(0)
    // The same model, run the ordinary way, gives the same files but for the times of the calls.
    expect(await run('run', '-r', 'exact:model=fake/c', '--suite', 'own')).toMatchObject({ code: 0 })
    const state = (root: string, suite: string): string =>
      readFileSync(
        join(root, `benchmark_output/runs/${suite}/exact:model=fake_c/scenario_state.json`),
        'utf8',
      ).replaceAll(/"request_(?:time|datetime)": [\d.e-]+/g, '')
    expect(state(elsewhere, 'r-again')).toBe(state(workspace.root, 'own'))
  })

  it('is told that it would be changed where a new model is asked within it', async () => {
    const cwd = join(temporaryFolder(), 'copy')
    cpSync(bundleOf('benchmark_output'), cwd, { recursive: true })
    const result = await medmake(['release', 'reproduce', '.', '--model', 'baseline/lead'], { cwd })
    expect([result.code, result.stderr]).toEqual([2, expect.stringContaining('[release/within]')])
    expect(await medmake(['release', 'verify', '.'], { cwd })).toMatchObject({ code: 0, stderr: '' })
  })

  it.each([
    ['is emptied', true],
    ['is missing', false],
  ])('asks nobody, and is not done, where what a run was asked %s', async (_, isThere) => {
    const elsewhere = createWorkspace({
      'models/fake.yaml': readFileSync(join(workspace.root, 'models/fake.yaml'), 'utf8'),
    })
    const copy = join(temporaryFolder(), 'copy')
    cpSync(bundleOf('benchmark_output'), copy, { recursive: true })
    const path = 'benchmark_output/runs/open/summaries:model=fake_a/scenario_state.json'
    const { requests } = workspace.server.journal()
    const ask = (): ReturnType<typeof medmake> =>
      medmake(['release', 'reproduce', copy, '--model', 'fake/b'], { cwd: elsewhere })
    const states = JSON.parse(readFileSync(join(copy, path), 'utf8')) as object
    if (isThere) writeFileSync(join(copy, path), JSON.stringify({ ...states, request_states: [] }))
    else rmSync(join(copy, path))
    expect(await ask()).toMatchObject({ code: 1, stdout: '' })
    expect((await ask()).stderr).toContain('release/changed-file')
    if (isThere) {
      // Though every digest is right.
      await redigest(copy, path)
      const { code, stderr } = await ask()
      expect(code).toBe(1)
      expect(stderr).toContain(`has 0 requests, its record tells of ${ROWS}`)
    }
    expect(workspace.server.journal().requests).toBe(requests)
  })
})
