import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { summarize, type SummarizeOptions } from '../../../tools/helm/summarize.ts'
import { writeRun, openRunFolder } from '../../../tools/helm/write/write-run.ts'
import { sampleRun } from './sample-run.ts'

let root = ''
let outputPath = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'summarize-'))
})
beforeEach(async () => {
  outputPath = await mkdtemp(join(root, 'out-'))
  await writeRun(
    await openRunFolder(join(outputPath, 'runs', 's', 'whole'), { access: 'public' }),
    withMetric(),
  )
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** The sample run with a metric object that a schema can be generated from. */
const withMetric = () => {
  const run = sampleRun()
  const helm = { className: 'x.BasicGenerationMetric', args: new Map([['names', ['exact_match']]]) }
  return { ...run, runSpec: { ...run.runSpec, metrics: [{ metric: 'basic_generation', helm }] } }
}

const SCHEMA = `metrics: [{ name: exact_match, display_name: Exact match }]
perturbations: []
metric_groups: [{ name: accuracy, metrics: [{ name: exact_match, split: test }] }]
run_groups:
  - { name: sums, display_name: Sums, metric_groups: [accuracy], adapter_keys_shown: [model, instructions] }
`

const options = (more: Partial<SummarizeOptions> = {}): SummarizeOptions => ({
  outputPath,
  schemaValidation: 'warn',
  modelRegistry: { models: [], deployments: [] },
  today: '2026-01-01',
  ...more,
})

const json = async (file: string): Promise<unknown> =>
  JSON.parse(await readFile(join(outputPath, file), 'utf8'))

describe('summarising', () => {
  it('names a directory without stats and goes on', async () => {
    await mkdir(join(outputPath, 'runs', 's', 'begun'))
    const { runs, problems } = await summarize(options({ suite: 's' }))
    expect(runs).toBe(1)
    expect(problems).toMatchObject([
      { code: 'tools/partial-run', where: { file: `${outputPath}/runs/s/begun` } },
    ])
    expect(problems[0]?.message).toContain('no run_spec.json and no stats.json')
  })

  it('counts a run that is a link to its folder, as HELM does, and writes its page there', async () => {
    const elsewhere = join(outputPath, 'elsewhere')
    await rename(join(outputPath, 'runs', 's', 'whole'), elsewhere)
    await symlink(elsewhere, join(outputPath, 'runs', 's', 'linked'))
    await symlink(join(outputPath, 'nowhere'), join(outputPath, 'runs', 's', 'broken'))
    expect(await summarize(options({ suite: 's' }))).toMatchObject({ runs: 1, problems: [] })
    expect(await json('elsewhere/instances.json')).toHaveLength(1)
  })

  it.each(['su/ms', '../../../sums'])(
    'refuses tables of the group %s, which would lie elsewhere',
    async (name) => {
      const folder = join(outputPath, 'runs', 's', 'whole')
      const spec = await readFile(join(folder, 'run_spec.json'), 'utf8')
      await writeFile(join(folder, 'run_spec.json'), spec.replace('"sums"', JSON.stringify(name)))
      const schemaPath = join(outputPath, 'schema.yaml')
      await writeFile(schemaPath, SCHEMA.replace('name: sums', `name: ${name}`))
      await expect(summarize(options({ suite: 's', schemaPath }))).rejects.toMatchObject({
        problems: [{ code: 'tools/group-name' }],
      })
    },
  )

  it('takes HELM’s defaults for fields of a run spec that an older HELM did not write', async () => {
    await summarize(options({ suite: 's' }))
    const before = await json('runs/s/run_specs.json')
    const file = join(outputPath, 'runs/s/whole/run_spec.json')
    const spec = await readFile(file, 'utf8')
    const late = /^ +"(chain_of_thought_\w+|global_suffix|num_trials|seeds_per_instance)": .*\n/gm
    expect(spec.match(late)).toHaveLength(5)
    await writeFile(file, spec.replace(late, '').replace(/,(?=\s*\})/g, ''))
    expect((await summarize(options({ suite: 's' }))).problems).toEqual([])
    expect(await json('runs/s/run_specs.json')).toEqual(before)
  })

  it('names a damaged file of a run and goes on', async () => {
    const damaged = join(outputPath, 'runs', 's', 'damaged')
    await writeRun(await openRunFolder(damaged, { access: 'public' }), withMetric())
    const file = join(damaged, 'stats.json')
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, -9))
    const { runs, problems } = await summarize(options({ suite: 's' }))
    expect(runs).toBe(1)
    expect(problems).toMatchObject([{ code: 'tools/bad-json', where: { file } }])
  })

  it('refuses a suite of which every run is left out, and leaves its tables as they were', async () => {
    await summarize(options({ suite: 's' }))
    const before = await json('runs/s/runs.json')
    await rm(join(outputPath, 'runs', 's', 'whole', 'stats.json'))
    await expect(summarize(options({ suite: 's' }))).rejects.toMatchObject({
      problems: [{ code: 'tools/partial-run', where: { file: `${outputPath}/runs/s/whole` } }],
      exitCode: 2,
    })
    expect(await json('runs/s/runs.json')).toEqual(before)
  })

  it.each([
    ['public', true],
    ['gated', false],
    [undefined, true],
  ] as const)(
    'tells rows of a %s benchmark apart by words: %s, whoever wrote the run',
    async (access, told) => {
      for (const [name, instructions] of [
        ['terse', 'Be brief.'],
        ['long', 'Explain it all.'],
      ] as const) {
        const run = withMetric()
        const runSpec = { ...run.runSpec, name, adapter: { ...run.runSpec.adapter, instructions } }
        // As HELM leaves them: open to all.
        await writeRun(await openRunFolder(join(outputPath, 'runs', 's', name), { access: 'public' }), {
          ...run,
          runSpec,
        })
      }
      const schemaPath = join(outputPath, 'schema.yaml')
      await writeFile(schemaPath, SCHEMA)
      const declared = access && { access, mainMetric: { name: 'exact_match', split: 'test' } }
      await summarize(options({ suite: 's', schemaPath, declaredOf: () => Promise.resolve(declared) }))
      const table = await readFile(join(outputPath, 'runs/s/groups/sums.json'), 'utf8')
      expect(table).toContain('instructions: ')
      expect(table.includes('Explain it all.')).toBe(told)
      expect(table.includes('[15 characters withheld]')).toBe(!told)
    },
  )

  it('writes empty tables of a suite without runs, as HELM does', async () => {
    await mkdir(join(outputPath, 'runs', 'none'))
    expect(await summarize(options({ suite: 'none' }))).toMatchObject({ runs: 0, problems: [] })
    expect(await json('runs/none/runs.json')).toEqual([])
  })

  it('keeps lists that repeat the specs of runs for their owner, even where nothing else changed', async () => {
    const modes = async () =>
      Promise.all(
        ['runs.json', 'run_specs.json', 'summary.json'].map(
          async (name) => (await stat(join(outputPath, 'runs/s', name))).mode & 0o077,
        ),
      )
    await summarize(options({ suite: 's' }))
    const open = 0o044 & ~process.umask()
    expect(await modes()).toEqual([open, open, open])
    // One that is its owner's alone, beside one that is not.
    await cp(join(outputPath, 'runs/s/whole'), join(outputPath, 'runs/s/open'), { recursive: true })
    await chmod(join(outputPath, 'runs/s/whole'), 0o700)
    await summarize(options({ suite: 's' }))
    expect(await modes()).toEqual([0, 0, open])
    await rm(join(outputPath, 'runs/s/runs.json'))
    await summarize(options({ suite: 's' }))
    expect(await modes()).toEqual([0, 0, open])
  })

  it('counts a run whose states are torn, leaves its old page alone and says so', async () => {
    await summarize(options({ suite: 's' }))
    const file = join(outputPath, 'runs', 's', 'whole', 'scenario_state.json')
    const page = join(outputPath, 'runs', 's', 'whole', 'display_predictions.json')
    const before = await readFile(page, 'utf8')
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, -300))
    const { runs, problems } = await summarize(options({ suite: 's' }))
    expect(runs).toBe(1)
    expect(problems).toMatchObject([{ code: 'tools/torn-file', where: { file } }])
    expect(await readFile(page, 'utf8')).toBe(before)
  })

  it('generates a schema that describes any scenario by its run’s own files', async () => {
    const { problems } = await summarize(options({ suite: 's' }))
    expect(problems).toEqual([])
    expect(await json('runs/s/schema.json')).toMatchObject({
      metrics: [{ name: 'training_co2_cost' }, { name: 'exact_match' }],
      run_groups: [
        { name: 'all_scenarios', subgroups: ['sums'] },
        {
          name: 'sums',
          description: 'Adds numbers.',
          environment: { main_name: 'exact_match', main_split: 'test' },
        },
      ],
    })
    const [table] = (await json('runs/s/groups/sums.json')) as { rows: { value: unknown }[][] }[]
    expect(table?.rows[0]?.map(({ value }) => value).slice(0, 2)).toEqual(['a/b', 1])
  })

  it('keeps finished pages when asked to skip them', async () => {
    await summarize(options({ suite: 's' }))
    const page = join(outputPath, 'runs', 's', 'whole', 'instances.json')
    await writeFile(page, 'kept')
    await summarize(options({ suite: 's', skipCompletedRunDisplayJson: true }))
    expect(await readFile(page, 'utf8')).toBe('kept')
    await summarize(options({ suite: 's' }))
    expect(await readFile(page, 'utf8')).not.toBe('kept')
  })

  it('writes the same bytes a second time', async () => {
    await summarize(options({ release: 'r', suites: ['s'] }))
    const first = await readFile(join(outputPath, 'releases/r/runs.json'), 'utf8')
    await summarize(options({ release: 'r', suites: ['s'] }))
    expect(await readFile(join(outputPath, 'releases/r/runs.json'), 'utf8')).toBe(first)
    expect(await json('releases/r/summary.json')).toEqual({ release: 'r', suites: ['s'], date: '2026-01-01' })
  })

  it('names runs that no group of the schema has', async () => {
    const schemaPath = join(outputPath, 'schema.yaml')
    await writeFile(schemaPath, 'run_groups: [{name: other}]')
    const { problems } = await summarize(options({ suite: 's', schemaPath }))
    expect(problems).toMatchObject([{ code: 'targets/run-in-no-group' }])
  })

  it('refuses a schema with faults when told to', async () => {
    const schemaPath = join(outputPath, 'schema.yaml')
    await writeFile(schemaPath, 'run_groups: [{name: sums, metric_groups: [nope]}]')
    await expect(
      summarize(options({ suite: 's', schemaPath, schemaValidation: 'error' })),
    ).rejects.toMatchObject({
      problems: [{ code: 'targets/inconsistent-schema', where: { file: schemaPath } }],
    })
    const { problems } = await summarize(options({ suite: 's', schemaPath, schemaValidation: 'off' }))
    expect(problems).toEqual([])
  })

  it('names a suite and a schema that are not there', async () => {
    const noSuite = summarize(options())
    await expect(noSuite).rejects.toMatchObject({
      problems: [
        { code: 'tools/no-such-suite', remedy: expect.stringContaining('Suites there: s') as unknown },
      ],
    })
    await expect(noSuite).rejects.toThrow('suite default')
    await expect(summarize(options({ suite: 's', schemaPath: 'nope.yaml' }))).rejects.toThrow(
      'tools/no-schema',
    )
  })

  it.each([
    { suite: 's', release: 'r' },
    { release: 'r' },
    { suites: ['s'] },
    { suite: 's', schemaPath: 'x.yaml', autoGenerateSchema: true },
  ])('refuses options that exclude each other: %o', async (more) => {
    await expect(summarize(options(more))).rejects.toThrow('tools/bad-options')
  })

  it('leaves no temporary file behind', async () => {
    await summarize(options({ suite: 's' }))
    await expect(stat(join(outputPath, 'runs', 's', 'groups.json'))).resolves.toBeDefined()
    const files = await readdir(outputPath, { recursive: true })
    expect(files.filter((file) => file.endsWith('.tmp'))).toEqual([])
  })
})
