import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestOf } from '../../../cache/values/digest.ts'
import type { BenchmarkContext } from '../../../benchmarks/context/context.ts'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { listBenchmarks } from '../../../benchmarks/lookup/list.ts'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { benchmarkContext, instancesOf } from '../../rig/benchmark-context.ts'
import { problemsOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { writeFiles, type Files } from '../../rig/workspace.ts'

const DECLARATION = `name: mine
description: Mine.
errata:
  - id: typo
    about: Row two asks nothing.
    drop: [id1]
protocols:
  - version: first
    arguments:
      part:
        choices: { a: { label: the first part }, b: { label: the second part } }
      data_path: { kind: path, default: data }
      limit: { type: number, default: null }
    data:
      rows: { path: '{data_path}/{part}.csv', format: csv, dialect: python }
    instances:
      - from: rows
        split: train
        keep: [{ column: kind, equals: example }]
        input: '{question}'
        references: [{ text: '{answer}', correct: true }]
      - from: rows
        split: test
        keep: [{ column: kind, differs_from: example }, { column: question, is: filled }]
        input: '{question}'
        references:
          - { text: 'yes', correct: { value: '{answer}', is: 'yes' } }
          - { text: '{other}', absent: none of these }
        extra_data: { kind: '{kind}' }
    adapter: { method: generation, instructions: "Read {label} {not an argument}.\\n", temperature: 0.5 }
    metrics: [basic]
    main_metric: { name: exact_match, split: test }
    helm:
      run_name: 'mine:part={part},limit={limit}'
      scenario:
        class_name: helm.benchmark.scenarios.mine_scenario.MineScenario
        args: { part: '{part}', limit: '{limit}', path: 'at/{data_path}' }
  - version: second
    apply_errata: [typo]
    data:
      rows: { path: rows.json, format: json }
    instances:
      - { from: rows, split: test, id: '{n}', input: '{q}' }
    adapter: { method: multiple_choice_joint }
    metrics: [exact_match]
    main_metric: { name: exact_match, split: test }
`
const FILES: Files = {
  'benchmarks/mine/benchmark.yaml': DECLARATION,
  'benchmarks/mine/data/a.csv':
    'kind,question,answer\nasked,Q1,yes\nexample,Q0,four\nasked,,no\nasked,Q2,no\n',
  'benchmarks/mine/rows.json': '[{"n": 10, "q": "Q10"}, {"n": 2, "q": "Q2"}]',
}
const PART_A = new Map<string, PyValue>([['part', 'a']])

const inWorkspace = (files: Files = {}, given: Partial<BenchmarkContext> = {}) => {
  const workspace = temporaryFolder()
  writeFiles(workspace, { ...FILES, ...files })
  return benchmarkContext({ ...given, workspace })
}
const edited = (from: string, to: string): Files => ({
  'benchmarks/mine/benchmark.yaml': DECLARATION.replace(from, to),
})

describe('a declared benchmark', () => {
  test('makes instances of rows, numbered over all splits', async () => {
    const benchmark = await findBenchmark('mine', PART_A, inWorkspace())
    const asked = (id: string, text: string, kind: string, tags: string[]) => ({
      id,
      input: { text },
      references: [
        { text: 'yes', tags },
        { text: 'none of these', tags: [] },
      ],
      split: 'test',
      extraData: new Map([['kind', kind]]),
    })
    expect(await instancesOf(benchmark)).toEqual([
      { id: 'id0', input: { text: 'Q0' }, references: [{ text: 'four', tags: ['correct'] }], split: 'train' },
      asked('id1', 'Q1', 'asked', ['correct']),
      asked('id2', 'Q2', 'asked', []),
    ])
  })

  test('fills arguments into names, paths and instructions', async () => {
    const benchmark = await findBenchmark('mine', PART_A, inWorkspace())
    expect(benchmark.runName).toBe('mine:part=a,limit=None')
    expect(benchmark.adapter.instructions).toBe('Read the first part {not an argument}.\n')
    expect(benchmark.adapter.temperature).toBe(0.5)
    expect([...benchmark.scenario.spec.args]).toEqual([
      ['part', 'a'],
      ['limit', null],
      ['path', 'at/data'],
    ])
    expect(benchmark.files).toEqual(['benchmarks/mine/benchmark.yaml', 'benchmarks/mine/data/a.csv'])
  })

  test('has a key of arguments and digests, not of paths or names', async () => {
    const context = inWorkspace({
      'benchmarks/mine/elsewhere/a.csv': FILES['benchmarks/mine/data/a.csv'] ?? '',
    })
    const key = await (await findBenchmark('mine', PART_A, context)).identity()
    expect(key['arguments']).toEqual({ part: 'a', limit: null })
    const moved = new Map<string, PyValue>([...PART_A, ['data_path', 'elsewhere']])
    expect(await (await findBenchmark('mine', moved, context)).identity()).toEqual(key)
    const renamed = inWorkspace(edited('description: Mine.', 'description: Ours.\ndisplay_name: X'))
    expect(await (await findBenchmark('mine', PART_A, renamed)).identity()).toEqual(key)
    const mapped = inWorkspace(
      edited("input: '{question}'\n        references:", "input: 'Q: {question}'\n        references:"),
    )
    expect(await (await findBenchmark('mine', PART_A, mapped)).identity()).not.toEqual(key)
  })

  test('has a key of all that decides its instances, and of nothing else', async () => {
    const identity = async (yaml = DECLARATION, files: Files = {}, given: Partial<BenchmarkContext> = {}) => {
      const context = inWorkspace({ ...files, 'benchmarks/mine/benchmark.yaml': yaml }, given)
      return (
        await findBenchmark('mine', given.protocol === 'second' ? new Map() : PART_A, context)
      ).identity()
    }
    const key = {
      benchmark: 'mine',
      loader: 1,
      protocol: 'first',
      mapping: expect.any(String),
      arguments: { part: 'a', limit: null },
      data: { rows: digestOf(FILES['benchmarks/mine/data/a.csv'] ?? '') },
      errata: [],
      reading: { rows: expect.any(String) },
    }
    const found = await identity()
    expect(found).toStrictEqual(key)
    const own = { ...key, mapping: found['mapping'], reading: found['reading'] }
    const said = (line: string) =>
      DECLARATION.replace('description: Mine.\n', `description: Mine.\n${line}\n`)
    expect(await identity(said('attributes: { kind: kind }'))).toStrictEqual({
      ...own,
      attributes: { kind: { column: 'kind' } },
    })
    const parts = "attributes: { age: { column: kind, pattern: '(\\d+)', bands: [18, 65] } }"
    expect(await identity(said(parts))).toStrictEqual({
      ...own,
      attributes: { age: { column: 'kind', pattern: '(\\d+)', bands: [18, 65] } },
    })
    expect(await identity(DECLARATION, {}, { skipBadRows: true })).toStrictEqual({
      ...own,
      badRows: 'skipped',
    })
    expect(await identity(DECLARATION, {}, { errata: 'corrected' })).toStrictEqual({
      ...own,
      errata: ['typo'],
      dropped: expect.any(String),
    })
    expect(
      await identity(DECLARATION.replace('- version: first', '- version: first\n    loader: 7')),
    ).toStrictEqual({ ...own, loader: 7 })
    for (const alike of ['category: Sums', 'licence: MIT', 'coverage_floor: 0.5'])
      expect(await identity(said(alike))).toStrictEqual(own)
    const coded = DECLARATION.replace(/    instances:\n {6}- \{ from: rows[^\n]*\n/, '')
    const withCode = (code: string) =>
      identity(coded, { 'benchmarks/mine/scenario.mjs': code }, { protocol: 'second' })
    const [one, other] = [
      await withCode('export const instances = () => []\n'),
      await withCode('export const instances = () => [1]\n'),
    ]
    expect(one).toMatchObject({ protocol: 'second', mapping: digestOf('null'), code: expect.any(String) })
    expect({ ...other, code: one['code'] }).toStrictEqual(one)
    expect(other['code']).not.toBe(one['code'])
  })

  test('has the ids of its data where it names them, and drops errata where a protocol says so', async () => {
    const context = inWorkspace(edited('drop: [id1]', 'drop: [2]'), { protocol: 'second' })
    const benchmark = await findBenchmark('mine', new Map(), context)
    expect(benchmark.scenario.spec.className).toBe('medmake.benchmarks.mine')
    expect((await instancesOf(benchmark)).map(({ id }) => id)).toEqual([10])
    expect((await benchmark.identity())['errata']).toEqual(['typo'])
  })

  test('takes its instances from scenario.js where it declares none', async () => {
    const declaration = DECLARATION.replace(/    instances:\n {6}- \{ from: rows[^\n]*\n/, '')
    const context = inWorkspace(
      {
        'benchmarks/mine/benchmark.yaml': declaration,
        'benchmarks/mine/scenario.mjs':
          "export const instances = (data) => [{ input: { text: data.json.get('rows').value[0].get('q') }, references: [], split: 'test' }]\n",
      },
      { protocol: 'second' },
    )
    const benchmark = await findBenchmark('mine', new Map(), context)
    expect(benchmark.files).toContain('benchmarks/mine/scenario.mjs')
    expect(await instancesOf(benchmark)).toEqual([
      { id: 'id0', input: { text: 'Q10' }, references: [], split: 'test' },
    ])
  })
})

describe('a mistake is reported with its place:', () => {
  test.each([
    [
      'unknown data',
      edited('from: rows, split', 'from: row, split'),
      'unknown-data',
      43,
      'protocols[1].instances[0].from',
    ],
    [
      'unknown erratum',
      edited('apply_errata: [typo]', 'apply_errata: [tipo]'),
      'unknown-erratum',
      39,
      'protocols[1].apply_errata[0]',
    ],
    [
      'a protocol twice',
      edited('version: second', 'version: first'),
      'duplicate-protocol',
      38,
      'protocols[1].version',
    ],
    [
      'a jury metric without a jury',
      edited('metrics: [basic]', 'metrics: [basic, llm_jury]'),
      'jury-without-metric',
      31,
      'protocols[0].metrics',
    ],
    ['another name than the folder', edited('name: mine', 'name: yours'), 'name-differs', 1, 'name'],
    [
      'an unknown metric',
      edited('metrics: [basic]', 'metrics: [basics]'),
      'unknown-metric',
      31,
      'protocols[0].metrics[0]',
    ],
    ['neither URL nor path', edited('path: rows.json, ', ''), 'bad-value', 41, 'protocols[1].data.rows'],
    [
      'an unknown key',
      edited('split: train', 'split: train\n        idd: x'),
      'unknown-key',
      19,
      'protocols[0].instances[0].idd',
    ],
  ])('%s', async (_, files, code, line, field) => {
    const [problem] = await problemsOf(findBenchmark('mine', PART_A, inWorkspace(files)))
    expect(problem).toMatchObject({ code: `benchmarks/${code}`, where: { line, field } })
  })

  test('a column that the data lacks', async () => {
    const context = inWorkspace(edited("input: '{question}'", "input: '{qestion}'"))
    const benchmark = await findBenchmark('mine', PART_A, context)
    const [problem] = await problemsOf(instancesOf(benchmark))
    expect(problem).toMatchObject({
      code: 'benchmarks/missing-column',
      where: {
        file: join(context.workspace, 'benchmarks/mine/data/a.csv'),
        line: 1,
        field: 'qestion',
      },
    })
    expect(problem?.remedy).toContain('"question"')
  })

  test('data that is not there', async () => {
    const context = inWorkspace()
    const benchmark = await findBenchmark('mine', new Map([['part', 'b']]), context)
    const [problem] = await problemsOf(benchmark.identity())
    expect(problem).toMatchObject({
      code: 'benchmarks/missing-file',
      where: { file: join(context.workspace, 'benchmarks/mine/data/b.csv') },
    })
  })
})

describe('arguments', () => {
  const where = { file: 'suite.conf', line: 3 }
  test.each([
    [{}, 'missing-argument', 'one of a, b'],
    [{ part: 'c' }, 'bad-argument', 'one of a, b'],
    [{ part: 'a', limit: 'many' }, 'bad-argument', 'a number'],
    [{ part: 'a', prat: 1 }, 'unknown-argument', 'Did you mean "part"?'],
  ])('%j are refused where the run entry stands', async (given, code, remedy) => {
    const args = new Map<string, PyValue>(Object.entries(given))
    const [problem] = await problemsOf(findBenchmark('mine', args, inWorkspace(), where))
    expect(problem).toMatchObject({ code: `benchmarks/${code}`, where })
    expect(problem?.remedy).toContain(remedy)
  })

  test('keep the type that the run entry gave them', async () => {
    const args = new Map<string, PyValue>([...PART_A, ['limit', float(2)]])
    const benchmark = await findBenchmark('mine', args, inWorkspace())
    expect(benchmark.runName).toBe('mine:part=a,limit=2.0')
    expect(benchmark.scenario.spec.args.get('limit')).toEqual(float(2))
  })
})

describe('judges', () => {
  const JUDGES = 'judges:\n  - { name: solo, model: a/b, model_deployment: c/b }\n'

  test('come from jury_config_path, which is taken from the working folder', async () => {
    const context = inWorkspace({ 'judges/mine.yaml': JUDGES })
    const args = new Map([['jury_config_path', 'judges/mine.yaml']])
    const benchmark = await findBenchmark('medication_qa', args, context)
    expect(benchmark.jury?.judges).toMatchObject([
      { name: 'solo', model: 'a/b', deployment: 'c/b', where: { line: 2, column: 31 } },
    ])
    expect(benchmark.files).toContain('judges/mine.yaml')
    expect(benchmark.metrics.at(-1)?.helm.args.get('default_score')).toEqual(float(1))
    expect(benchmark.metrics.at(-1)?.helm.args.get('annotator_models')).toEqual(
      new Map([
        [
          'solo',
          new Map([
            ['model_name', 'a/b'],
            ['model_deployment', 'c/b'],
          ]),
        ],
      ]),
    )
  })

  test('else from the workspace', async () => {
    const context = inWorkspace({ 'benchmarks/judges.yaml': JUDGES })
    const benchmark = await findBenchmark('medication_qa', new Map(), context)
    expect(benchmark.jury?.judges.map(({ name }) => name)).toEqual(['solo'])
  })

  test('of one name are refused: HELM would silently drop one', async () => {
    const context = inWorkspace({ 'benchmarks/judges.yaml': JUDGES + JUDGES.split('\n')[1] })
    expect(await problemsOf(findBenchmark('medication_qa', new Map(), context))).toMatchObject([
      { code: 'benchmarks/duplicate-judge', where: { line: 3 } },
    ])
  })

  test('are no argument of a benchmark without a jury', async () => {
    const args = new Map([['jury_config_path', 'x.yaml']])
    expect(await problemsOf(findBenchmark('pubmed_qa', args, inWorkspace()))).toMatchObject([
      { code: 'benchmarks/unknown-argument' },
    ])
  })
})

describe('the catalog', () => {
  test('lists the workspace before the package, by name', async () => {
    const list = await listBenchmarks(inWorkspace())
    const names = list.map(({ name }) => name)
    expect(names).toEqual(names.toSorted())
    expect(names).toEqual(expect.arrayContaining(['medbullets', 'medication_qa', 'mine', 'pubmed_qa']))
    expect(list.find(({ name }) => name === 'mine')).toMatchObject({
      origin: 'workspace',
      protocols: ['first', 'second'],
      arguments: ['part', 'data_path', 'limit'],
    })
    expect(list.find(({ name }) => name === 'pubmed_qa')).toMatchObject({
      origin: 'built-in',
      displayName: 'PubMedQA',
      access: 'public',
      category: 'Medical Research Assistance',
      subcategory: 'Conducting Literature Research',
      mainMetric: { name: 'exact_match', split: 'test' },
    })
  })

  test('knows what a mistyped name means', async () => {
    const where = { file: 'suite.conf', line: 3 }
    const [problem] = await problemsOf(findBenchmark('pubmedqa', new Map(), inWorkspace(), where))
    expect(problem).toMatchObject({ code: 'benchmarks/unknown', where })
    expect(problem?.remedy).toContain('Did you mean "pubmed_qa"?')
  })

  test.each(['../mine', 'a/b', ''])('finds nothing under %j', async (name) => {
    expect(await problemsOf(findBenchmark(name, new Map(), inWorkspace()))).toMatchObject([
      { code: 'benchmarks/unknown' },
    ])
  })
})
