import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canary, filesWithCanaries, foundIn, storedWithCanaries } from '../../rig/canary.ts'
import { medmake, startMedmake } from '../../rig/medmake.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'

const benchmark = (name: string, access: string, mark: number): Files => ({
  [`benchmarks/${name}/benchmark.yaml`]: `name: ${name}
description: Asks whether a patient smokes.
${access}
prompt_file: prompt.txt
dataset_file: data.csv
max_tokens: 5
metrics: [{name: exact_match}]
`,
  [`benchmarks/${name}/prompt.txt`]: `Of ${canary(mark)}: {note}`,
  [`benchmarks/${name}/data.csv`]: `note,correct_answer\n${canary(mark + 1)},${canary(mark + 2)}\n`,
})

/** Marks of the public benchmark: what may be shown is not what is looked for. */
const open = (name: string): Files => ({
  ...benchmark(name, 'access: public', 0),
  [`benchmarks/${name}/prompt.txt`]: 'Open: {note}',
  [`benchmarks/${name}/data.csv`]: 'note,correct_answer\nsmokes openly,yes\n',
})

const NAMES = ['wards', 'licensed', 'silent', 'asked'] as const
let cwd = ''

/** A file of each run, as an address below the server. */
const runFile = (name: string, file: string, suite = 'all'): string =>
  `benchmark_output/runs/${suite}/${encodeURIComponent(`${name}:model=m_m`)}/${file}`

const FILES = [
  'scenario_state.json',
  'instances.json',
  'per_instance_stats.json',
  'run_spec.json',
  'display_predictions.json',
]

beforeAll(async () => {
  cwd = createWorkspace({
    'models/m.yaml': 'model_deployments: [{name: m/m, client_spec: {class_name: medmake.simple}}]\n',
    ...benchmark('wards', 'access: private\ncluster: patient', 10),
    'benchmarks/wards/data.csv': `note,patient,correct_answer\n${[11, 12, 13]
      .map((mark) => `${canary(mark)},${mark % 2},${canary(14)}\n`)
      .join('')}`,
    ...benchmark('licensed', 'access: gated', 20),
    // Says nothing of its access.
    ...benchmark('silent', '', 30),
    ...open('asked'),
    'targets/all.conf': `entries: [${NAMES.map((name) => `{description: "${name}:model=m/m"}`).join(', ')}]\n`,
  })
  for (const args of [['run'], ['report'], ['summarize', '--suite', 'all']]) {
    const { code, stderr } = await medmake(args, { cwd })
    expect(code, stderr).toBe(0)
  }
})

const serving: ReturnType<typeof startMedmake>[] = []
afterAll(() => {
  for (const server of serving) server.kill('SIGKILL')
})

const serve = async (...args: readonly string[]): Promise<URL> => {
  const server = startMedmake(['serve', '--port', '0', ...args], { cwd })
  serving.push(server)
  return new URL(
    await new Promise<string>((resolve, reject) => {
      server.stdout.on('data', (chunk: Buffer) => {
        const found = /http:\S+/.exec(String(chunk))
        if (found !== null) resolve(found[0])
      })
      void server.then(({ stderr }) => reject(new Error(stderr)))
    }),
  )
}

const statusOf = async (path: string, url: URL): Promise<number> => (await fetch(new URL(path, url))).status

describe('serve', () => {
  test.each([[[]], [['-o', 'benchmark_output', '--suite', 'all']]])(
    '%j hands out the files of public runs alone',
    async (args) => {
      const url = await serve(...args)
      for (const file of FILES) {
        expect([file, await statusOf(runFile('asked', file), url)]).toEqual([file, 200])
        for (const name of ['wards', 'licensed', 'silent'])
          expect([name, file, await statusOf(runFile(name, file), url)]).toEqual([name, file, 404])
      }
      for (const table of ['groups.json', 'schema.json', 'summary.json', 'groups/wards.json'])
        expect([table, await statusOf(`benchmark_output/runs/all/${table}`, url)]).toEqual([table, 200])
      for (const list of ['runs.json', 'run_specs.json']) {
        const text = await (await fetch(new URL(`benchmark_output/runs/all/${list}`, url))).text()
        expect(foundIn(text)).toEqual([])
        expect(JSON.parse(text)).toHaveLength(1)
        expect(text).toContain('asked:model=m_m')
      }
      expect(await (await fetch(url)).text()).toContain('wards')
    },
  )

  test('hands out no run of a benchmark that is not there any more, and follows no link to one', async () => {
    const runs = join(cwd, 'benchmark_output/runs')
    execFileSync('cp', ['-r', join(runs, 'all'), join(runs, 'copied')])
    const copied = join(runs, 'copied')
    execFileSync('mv', [join(copied, 'wards:model=m_m'), join(copied, 'gone:model=m_m')])
    const spec = join(copied, 'gone:model=m_m/run_spec.json')
    chmodSync(join(copied, 'gone:model=m_m'), 0o755)
    writeFileSync(spec, readFileSync(spec, 'utf8').replaceAll('wards', 'gone'))
    symlinkSync(
      join(copied, 'gone:model=m_m/scenario_state.json'),
      join(copied, 'asked:model=m_m/linked.json'),
    )
    const url = await serve()
    expect(await statusOf(runFile('gone', 'scenario_state.json', 'copied'), url)).toBe(404)
    expect(await statusOf(runFile('asked', 'linked.json', 'copied'), url)).toBe(404)
    expect(await statusOf(runFile('asked', 'stats.json', 'copied'), url)).toBe(200)
  })

  test.skipIf(process.platform === 'win32')('hands out no run that was closed to others', async () => {
    const folder = join(cwd, 'benchmark_output/runs/all/asked:model=m_m')
    chmodSync(folder, 0o700)
    const url = await serve()
    expect(await statusOf(runFile('asked', 'stats.json'), url)).toBe(404)
    chmodSync(folder, 0o755)
    expect(await statusOf(runFile('asked', 'stats.json'), url)).toBe(200)
  })

  test('shows numbers of runs, and neither their texts nor their instances, from HELM’s files', async () => {
    const output = join(cwd, 'elsewhere')
    mkdirSync(output)
    execFileSync('cp', ['-r', join(cwd, 'benchmark_output/runs'), join(output, 'runs')])
    const url = await serve('--suite', 'all', '-o', 'elsewhere')
    const page = async (path: string): Promise<string> => (await fetch(new URL(path, url))).text()
    const { runs } = JSON.parse(await page('manifest.json')) as {
      readonly runs: Readonly<Record<string, { readonly files: Readonly<Record<string, number>> }>>
    }
    const pages = Object.values(runs).flatMap(({ files }) => Object.keys(files))
    const texts = await Promise.all(
      ['index.html', 'board.json', ...pages, ...pages.map((each) => each.replace('.html', '/p0.js'))].map(
        page,
      ),
    )
    expect(pages).toHaveLength(4)
    expect(texts.filter((text) => foundIn(text).length > 0)).toEqual([])
    expect(texts.some((text) => text.includes('smokes openly'))).toBe(true)
    expect(texts.join('')).toContain('silent')
  })

  test('with --include-restricted shows all to whoever brings the token first', async () => {
    const printed = await serve('--include-restricted', '--suite', 'all')
    const url = new URL('/', printed)
    const path = runFile('wards', 'scenario_state.json')
    expect([await statusOf('/', url), await statusOf(path, url)]).toEqual([403, 403])
    expect(await statusOf('/?token=0', url)).toBe(403)
    const welcome = await fetch(printed, { redirect: 'manual' })
    expect([welcome.status, welcome.headers.get('location')]).toEqual([303, '/'])
    const cookie = welcome.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^medmake=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict$/)
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    const textOf = async (asked: string) => (await fetch(new URL(asked, url), { headers })).text()
    expect(foundIn(await textOf(path)).length).toBeGreaterThan(0)
    const page = /runs\/all-wards-[^"]*(?=\.html)/.exec(await textOf('/'))?.[0] ?? ''
    expect(foundIn(await textOf(`${page}/p0.js`)).length).toBeGreaterThan(0)
    // HELM's files name no patients, and would give narrower intervals.
    const reported = readFileSync(join(cwd, 'benchmark_output/site/board.json'), 'utf8')
    expect(reported).toContain('over 2 sources')
    expect((await textOf('board.json')).replaceAll('"local"', '"private"')).toBe(
      reported.replaceAll('"gated"', '"private"'),
    )
    expect((await fetch(printed)).status).toBe(403)
    expect(await statusOf(path, url)).toBe(403)
  })

  test.each([
    [['--include-restricted', '--host', '0.0.0.0']],
    [['--include-restricted', '--export-path', 'copy']],
  ])('%j is refused', async (args) => {
    const { code, stderr } = await medmake(['serve', ...args], { cwd })
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cli/bad-flag') as string,
    })
    expect(existsSync(join(cwd, 'copy'))).toBe(false)
  })
})

test.each([[[]], [['-o', 'elsewhere', '--suite', 'all']]])(
  'serve --export-path %j writes public runs alone',
  async (args) => {
    const target = `static-${args.length}`
    const { code, stderr } = await medmake(['serve', '--export-path', target, ...args], { cwd })
    expect(code, stderr).toBe(0)
    expect(filesWithCanaries(join(cwd, target))).toEqual([])
    const runs = join(cwd, target, 'benchmark_output/runs/all')
    expect(readdirSync(runs).filter((name) => name.includes(':'))).toEqual(['asked:model=m_m'])
    expect(readdirSync(join(runs, 'asked:model=m_m'))).toEqual(
      expect.arrayContaining(FILES.map((file) => file)),
    )
    expect(existsSync(join(runs, 'groups.json'))).toBe(true)
  },
)

describe('sub-splits that a schema lists', () => {
  const SCHEMA = `metrics: [{name: exact_match, display_name: EM, description: e}]
perturbations: []
metric_groups: [{name: accuracy, display_name: A, metrics: [{name: exact_match, split: test}]}]
run_groups:
  - {name: visits, display_name: V, description: d, metric_groups: [accuracy], environment: {main_name: exact_match, main_split: test}, sub_splits: [${canary(40)}, ${canary(41)}]}
`
  const visits = (access: string): Files => ({
    'models/m.yaml': 'model_deployments: [{name: m/m, client_spec: {class_name: medmake.simple}}]\n',
    'benchmarks/visits/benchmark.yaml': `name: visits
display_name: Visits
description: Asks.
access: ${access}
category: Clinical Note Generation
protocols:
  - version: medmake-1
    data: { letters: { path: letters.csv, format: csv } }
    instances:
      - { from: letters, split: test, sub_split: '{who}', input: '{letter}', references: [{ text: 'yes', correct: true }] }
    adapter: { method: generation, max_train_instances: 0, max_tokens: 5 }
    metrics: [exact_match]
    main_metric: { name: exact_match, split: test }
`,
    'benchmarks/visits/letters.csv': `who,letter\n${Array.from({ length: 12 }, (_, row) => `${canary(40 + row)},says yes\n`).join('')}`,
    'targets/all.conf': 'entries: [{description: "visits:model=m/m"}]\n',
    'schema.yaml': SCHEMA,
  })
  const TABLE = `benchmark_output/runs/all/groups/json/visits_visits:sub_split=${canary(40)}.json`

  test.each([
    ['private', false],
    ['public', true],
  ])('of a %s benchmark are in what is handed out, and in the open store: %s', async (access, isThere) => {
    const root = createWorkspace(visits(access))
    for (const args of [
      ['run'],
      ['report'],
      ['summarize', '--suite', 'all', '--schema-path', 'schema.yaml'],
      ['serve', '--export-path', 'static'],
    ]) {
      const { code, stderr } = await medmake(args, { cwd: root })
      expect(code, stderr).toBe(0)
    }
    expect(foundIn(readFileSync(join(root, TABLE)))).not.toEqual([])
    expect((await storedWithCanaries(root)).length > 0).toBe(isThere)
    const shown = filesWithCanaries(join(root, 'static'))
    expect(shown.length > 0).toBe(isThere)
    expect(existsSync(join(root, 'static', TABLE))).toBe(isThere)
    expect(filesWithCanaries(join(root, 'benchmark_output/site')).length > 0).toBe(isThere)
  })
})
