import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listBenchmarks } from '../../../benchmarks/lookup/list.ts'
import { loads } from '../../../benchmarks/python/json.ts'
import { parseYaml } from '../../../cache/problems/yaml-document.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import type { TableModel, TableRegistry } from '../../../targets/tables/models.ts'
import { declaredRuns, declaredScenarios } from '../../../tools/helm/declared-run.ts'
import { readSuite } from '../../../tools/helm/read-suite.ts'
import { generateSchema } from '../../../tools/helm/summary-schema.ts'
import { summarize, type SummarizeOptions } from '../../../tools/helm/summarize.ts'
import { shared } from '../../rig/shared.ts'
import { sortedMethods } from './sorted-methods.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'golden-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const golden = (path: string): string => shared(`golden/${path}`) ?? ''

interface ShownModel {
  readonly name: string
  readonly display_name: string
  readonly description: string
  readonly creator_organization: string
  readonly access: string
  readonly release_date?: string
  readonly num_parameters?: number
}

const fromShown = (model: ShownModel): TableModel => ({
  name: model.name,
  displayName: model.display_name,
  description: model.description,
  creatorOrganization: model.creator_organization,
  access: model.access,
  ...(model.release_date === undefined ? {} : { releaseDate: model.release_date }),
  ...(model.num_parameters === undefined ? {} : { numParameters: model.num_parameters }),
})

const yaml = async (file: string): Promise<unknown> =>
  parseYaml(await readFile(file, 'utf8'), file, { room: 'test' }).value

interface Deployments {
  readonly model_deployments: readonly { readonly name: string; readonly model_name?: string }[]
}

/** The deployments that the golden's own files declare; of its models what it says of them itself. */
const registry = async (place: string, deployments: string): Promise<TableRegistry> => {
  const schema = JSON.parse(await readFile(join(place, 'schema.json'), 'utf8')) as {
    models: readonly ShownModel[]
  }
  const declared = (await yaml(deployments)) as Deployments
  return {
    models: schema.models.filter(({ creator_organization: maker }) => maker !== 'Unknown').map(fromShown),
    deployments: declared.model_deployments.map(({ name, model_name: modelName }) => ({
      name,
      modelName: modelName ?? name,
    })),
  }
}

/** Without the texts on the adapter's fields, which are our own. */
const comparable = (file: string, text: string): string =>
  sortedMethods(file.endsWith('schema.json') ? text.replace(/ {2}"adapter": \[.*?\n {2}\],\n/s, '') : text)

interface Case {
  readonly from: string
  readonly place: string
  readonly deployments: string
  readonly prefix?: string
  readonly options: Pick<SummarizeOptions, 'suite' | 'release' | 'suites' | 'schemaPath' | 'helmExact'>
}

/** Summarises a copy of a golden output whose summary was taken away; gives the files that came out otherwise. */
const summarizeAgain = async ({
  from,
  place,
  deployments,
  prefix = '',
  options,
}: Case): Promise<readonly string[]> => {
  const source = golden(from)
  const copy = join(await mkdtemp(join(root, 'case-')), 'benchmark_output')
  await cp(source, copy, { recursive: true })
  const { date } = JSON.parse(await readFile(join(source, place, 'summary.json'), 'utf8')) as { date: string }
  const modelRegistry = await registry(join(source, place), golden(deployments))
  await rm(join(copy, place, 'groups'), { recursive: true, force: true })
  for (const file of [
    'groups',
    'groups_metadata',
    'runs',
    'run_specs',
    'summary',
    'schema',
    'costs',
    'runs_to_run_suites',
  ]) {
    await rm(join(copy, place, `${file}.json`))
  }
  await summarize({ ...options, outputPath: copy, schemaValidation: 'error', modelRegistry, today: date })
  const files = await readdir(source, { recursive: true })
  const wrong: string[] = []
  for (const file of files.filter((name) => name.startsWith(place) && /\.(?:json|tex)$/.test(name))) {
    const text = await readFile(join(copy, file), 'utf8').catch(() => 'missing')
    const ours = text.replaceAll(copy, `${prefix}benchmark_output`)
    const theirs = await readFile(join(source, file), 'utf8')
    if (comparable(file, ours) !== comparable(file, theirs)) wrong.push(file)
  }
  const extra = (await readdir(copy, { recursive: true })).filter((file) => !files.includes(file))
  return [...wrong, ...extra]
}

const local = 'public-benchmarks/local/model_deployments.yaml'
const schemaPath = golden('official-inputs/schema_medhelm-0.5.16.yaml')

describe.skipIf(shared('golden') === undefined)(
  'summaries of golden runs equal what the real HELM wrote',
  () => {
    it('for a suite of the public benchmarks', async () => {
      const options = { suite: 'public', schemaPath }
      const wrong = await summarizeAgain({
        from: 'public-benchmarks/benchmark_output',
        place: 'runs/public',
        deployments: local,
        options,
      })
      expect(wrong).toEqual([])
    })

    it('for a release of the public benchmarks', async () => {
      const options = { release: 'v1', suites: ['public'], schemaPath }
      const wrong = await summarizeAgain({
        from: 'public-benchmarks/benchmark_output',
        place: 'releases/v1',
        deployments: local,
        options,
      })
      expect(wrong).toEqual([])
    })

    it('for a release whose runs have stats only', async () => {
      const options = { release: 'r1', suites: ['v1'], schemaPath }
      const wrong = await summarizeAgain({
        from: 'release/benchmark_output',
        place: 'releases/r1',
        deployments: local,
        options,
      })
      expect(wrong).toEqual([])
    })

    it.each(['exact_match_demo', 'llm_jury_score_demo'])('for the walkthrough %s', async (demo) => {
      const from = `seed-walkthroughs/${demo}/benchmark_output`
      const options = { suite: 'DEMO', schemaPath: golden(`${from}/runs/DEMO/schema.json`) }
      const deployments = `seed-walkthroughs/${demo}/prod_env/model_deployments.yaml`
      const wrong = await summarizeAgain({ from, place: 'runs/DEMO', deployments, prefix: './', options })
      expect(wrong).toEqual([])
    })

    it('for the configurable benchmark', async () => {
      const from = 'configurable-benchmark/benchmark_output'
      const options = { suite: 's2', schemaPath: golden(`${from}/runs/s2/schema.json`) }
      const deployments = 'configurable-benchmark/prod_env/model_deployments.yaml'
      expect(await summarizeAgain({ from, place: 'runs/s2', deployments, options })).toEqual([])
    })

    it('for runs that no group of the schema has', async () => {
      const from = 'simple-scenarios/benchmark_output'
      const options = { suite: 's1', schemaPath: golden(`${from}/runs/s1/schema.json`) }
      expect(await summarizeAgain({ from, place: 'runs/s1', deployments: local, options })).toEqual([])
    })
  },
)

/** Without the texts on metrics, which are our own; their names, directions and groups decide the tables. */
const untold = (metrics: readonly unknown[]): readonly unknown[] =>
  metrics.map((metric) => {
    const {
      display_name: _,
      short_display_name: __,
      description: ___,
      ...told
    } = metric as Record<string, unknown>
    return told
  })

/** A generated schema without the order that Python's sets gave it. */
const unordered = (text: string): unknown => {
  const byText = (values: readonly unknown[]): readonly string[] =>
    values.map((value) => JSON.stringify(value)).toSorted()
  const schema = JSON.parse(text) as Record<string, { metric_groups?: string[] }[]>
  const groups = schema['run_groups'] ?? []
  return {
    metrics: byText(untold(schema['metrics'] ?? [])),
    metricGroups: byText(schema['metric_groups'] ?? []),
    runGroups: byText(groups.map((group) => ({ ...group, metric_groups: group.metric_groups?.toSorted() }))),
    models: schema['models'],
    keys: Object.keys(schema),
  }
}

describe.skipIf(shared('golden') === undefined)('a generated schema', () => {
  const demos = [
    { home: 'configurable-benchmark', suite: 's2' },
    { home: 'seed-walkthroughs/exact_match_demo', suite: 'DEMO' },
    { home: 'seed-walkthroughs/llm_jury_score_demo', suite: 'DEMO' },
  ]

  it.each(demos)('says what HELM’s says, of $home', async ({ home, suite }) => {
    const output = `${home}/benchmark_output`
    const deployments = `${home}/prod_env/model_deployments.yaml`
    const copy = join(await mkdtemp(join(root, 'schema-')), 'benchmark_output')
    const place = join(golden(output), 'runs', suite)
    await cp(golden(output), copy, { recursive: true })
    const theirs = await readFile(join(place, 'schema.json'), 'utf8')
    const modelRegistry = await registry(place, golden(deployments))
    const { date } = JSON.parse(await readFile(join(place, 'summary.json'), 'utf8')) as { date: string }
    const shape = { outputPath: copy, suite, schemaValidation: 'error', modelRegistry, today: date } as const
    const { problems } = await summarize({ ...shape, helmExact: true })
    expect(problems).toEqual([])
    const schema = join(copy, 'runs', suite, 'schema.json')
    const exact = await readFile(schema, 'utf8')
    expect(unordered(exact)).toEqual(unordered(theirs))
    expect(exact).not.toContain('"adapter"')
    await summarize(shape)
    const fixed = loads(await readFile(schema, 'utf8')) as ReadonlyMap<string, readonly unknown[]>
    expect(fixed.get('adapter')).toHaveLength(32)
  })

  it('describes scenarios by their declarations as HELM does by its classes', async () => {
    const { runs } = await readSuite(golden('public-benchmarks/benchmark_output'), 'public')
    const place = { workspace: root, cwd: root }
    const scenarioOf = declaredScenarios(declaredRuns(await listBenchmarks({ workspace: root }), place))
    const { runGroups } = await generateSchema(runs, scenarioOf, { helmExact: false })
    const told = runGroups
      // HELM's class of ehr_sql tells nothing of itself, and what that of medi_qa tells is not what its own schema says.
      .filter(({ name }) => !['all_scenarios', 'ehr_sql', 'medi_qa'].includes(name))
      .map(({ name, displayName, shortDisplayName = '', description, taxonomy, environment }) =>
        [
          name,
          displayName,
          shortDisplayName,
          description,
          ...(['task', 'what', 'who', 'when', 'language'] as const).map((field) => taxonomy?.[field]),
          ...['main_name', 'main_split'].map((field) => environment.get(field)),
        ].join('\t'),
      )
    expect(told).toHaveLength(10)
    expect(digestOf(told.toSorted().join('\n'))).toBe(
      '8829d0dbd1478cc86c54117acec1887ad2857b2a8fe5d20aa9c0532272ce9824',
    )
    const files = await generateSchema(runs, undefined, { helmExact: false })
    expect(files.runGroups[1]).toMatchObject({ name: runGroups[1]?.name, displayName: runGroups[1]?.name })
  })
})
