import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { writeFiles } from '../../rig/workspace.ts'
import { problemsOf } from '../../rig/problem-of.ts'
import { FILES, JURY, load, RUBRIC, yaml } from './demo.ts'

describe('cells', () => {
  test('stay as written', async () => {
    const { instances } = await load()
    expect(instances).toEqual([
      {
        id: 'id0',
        input: { text: 'Note 001: a, b\nAnswer:' },
        references: [
          { text: 'Yes', tags: ['correct'] },
          { text: 'No', tags: [] },
        ],
        split: 'test',
      },
      {
        id: 'id1',
        input: { text: 'Note 002: \nAnswer:' },
        references: [{ text: 'No', tags: ['correct'] }],
        split: 'test',
      },
    ])
  })

  test('are typed as HELM types them where the file asks for it', async () => {
    const { instances } = await load(yaml((text) => `${text}csv_types: pandas\n`))
    expect(instances.map(({ input }) => input.text)).toEqual([
      'Note 1: a, b\nAnswer:',
      'Note 2: nan\nAnswer:',
    ])
  })

  test('show a list of wrong answers as Python prints it to who reads as HELM, and as written to others', async () => {
    const files = {
      'p.txt': '{incorrect_answers}',
      'd.csv': `id,correct_answer,incorrect_answers\n1,a,"[""it's"", ""\\u00e9""]"\n`,
    }
    const textOf = async (csvTypes: 'pandas' | 'text') =>
      (await load(files, { csvTypes })).instances[0]?.input.text
    expect(await textOf('pandas')).toBe(`["it's", 'é']`)
    expect(await textOf('text')).toBe(`["it's", "\\u00e9"]`)
  })

  test.each(['d.csv.gz', 'D.CSV.GZ'])('are unpacked of %s, as pandas does', async (name) => {
    const files = yaml((text) => text.replace('d.csv', name))
    const { instances } = await load({ ...files, [name]: gzipSync(FILES['d.csv']) })
    expect(instances).toHaveLength(2)
  })

  test('of a flag do not overrule what the file says', async () => {
    const { instances } = await load(
      yaml((text) => `${text}csv_types: text\n`),
      { csvTypes: 'pandas' },
    )
    expect(instances[0]?.input.text).toBe('Note 001: a, b\nAnswer:')
  })
})

describe('metrics', () => {
  test('rouge variants share one summarization metric', async () => {
    const { benchmark } = await load(
      yaml((text) => text.replace('exact_match', 'rouge_l\n  - name: rouge_1\n  - name: exact_match')),
    )
    expect(benchmark.mainMetric).toEqual({ name: 'rouge_l', split: 'test' })
    expect(benchmark.metrics.map(({ metric }) => metric)).toEqual([
      'summarization',
      'basic_generation',
      'basic_reference',
      'instances_per_split',
      'basic_generation',
      'basic_reference',
      'instances_per_split',
    ])
    expect(benchmark.metrics[0]?.helm.args.get('task')).toBe('demo')
  })

  test('a jury alone needs no right answers and brings the basic metrics', async () => {
    const { benchmark, instances } = await load({
      ...yaml((text) => text.replace(/metrics:[^]*/, JURY)),
      'd.csv': 'id,note\n1,x\n',
    })
    expect(instances[0]?.references).toEqual([])
    expect(benchmark.metrics.map(({ metric }) => metric)).toEqual([
      'llm_jury',
      'basic_generation',
      'basic_reference',
      'instances_per_split',
    ])
    expect(benchmark.jury).toMatchObject({
      annotator: 'demo',
      template: RUBRIC,
      criteria: new Map([['accuracy', ['score', 'why']]]),
      scale: { least: 0, most: 5 },
      judges: [
        { name: 'a/b', model: 'a/b', deployment: 'a/b', where: { field: 'metrics[0].judges[0].name' } },
      ],
    })
  })
})

test('an answer that no judge scored has the score that the form says, so that it can lie on its scale', async () => {
  const jury = JURY.replace('jury_score', 'jury_score\n    scale: [1, 5]\n    default_score: 1')
  const { benchmark } = await load(yaml((text) => text.replace(/metrics:[^]*/, jury)))
  const args = benchmark.metrics.find(({ metric }) => metric === 'llm_jury')?.helm.args
  expect(args?.get('default_score')).toEqual(float(1))
  expect(benchmark.jury?.scale).toEqual({ least: 1, most: 5 })
})

test('the file is read as YAML 1.1, where 010 is eight, and its errata are those that it has', async () => {
  const { benchmark } = await load(yaml((text) => `${text}max_tokens: 010\n`))
  expect(benchmark.adapter).toMatchObject({ maxTokens: 8, maxTrainInstances: 0 })
  const cwd = temporaryFolder()
  writeFiles(cwd, FILES)
  const args = new Map([
    ['config_path', 'b.yaml'],
    ['errata', 'none-such'],
  ])
  const context = benchmarkContext({ cwd, workspace: cwd })
  const [problem] = await problemsOf(findBenchmark('medhelm_configurable_benchmark', args, context))
  expect(problem?.code).toBe('benchmarks/unknown-erratum')
})

describe('paths', () => {
  test('are taken from the working folder, then from the folder of the YAML', async () => {
    const cwd = temporaryFolder()
    writeFiles(cwd, {
      'sub/b.yaml': FILES['b.yaml'],
      'sub/p.txt': 'below {id}',
      'sub/d.csv': FILES['d.csv'],
      'd.csv': 'id,correct_answer\nhere,x\n',
    })
    const context = benchmarkContext({ cwd, workspace: cwd })
    const args = new Map([['config_path', 'sub/b.yaml']])
    const benchmark = await findBenchmark('medhelm_configurable_benchmark', args, context)
    expect(benchmark.files).toEqual(['sub/b.yaml', 'sub/p.txt', 'd.csv'])
    expect(benchmark.scenario.spec.args.get('config_path')).toBe('sub/b.yaml')
    for await (const { input } of benchmark.instances()) expect(input.text).toBe('below here')
  })

  test('of a benchmark in a folder of its own have usual names', async () => {
    const workspace = temporaryFolder()
    writeFiles(workspace, {
      'benchmarks/my_bench/benchmark.yaml':
        'name: my_bench\ndescription: Mine.\nmetrics: [{name: exact_match}]\n',
      'benchmarks/my_bench/prompt.txt': 'Say {word}',
      'benchmarks/my_bench/data.csv': 'word,correct_answer\nyes,yes\n',
    })
    const benchmark = await findBenchmark('my_bench', new Map(), benchmarkContext({ workspace }))
    expect(benchmark.runName).toBe('my_bench')
    for await (const { input } of benchmark.instances()) expect(input.text).toBe('Say yes')
  })
})

describe('the key', () => {
  test('changes with prompt, data, typing and sources, and with no name of a file', async () => {
    const keys = await Promise.all(
      [
        {},
        { 'p.txt': 'Other {id}' },
        { 'd.csv': FILES['d.csv'].replace('Yes', 'yes') },
        yaml((text) => `${text}csv_types: pandas\n`),
        yaml((text) => `${text}cluster: id\n`),
      ].map(async (files) => JSON.stringify(await (await load(files)).benchmark.identity())),
    )
    expect(new Set(keys).size).toBe(5)
    const renamed = await load({
      ...yaml((text) => text.replace('d.csv', 'e.csv')),
      'e.csv': FILES['d.csv'],
    })
    expect(JSON.stringify(await renamed.benchmark.identity())).toBe(keys[0])
  })
})
