import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loads } from '../../../benchmarks/python/json.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { annotationOf, emptyAnnotation } from '../../../targets/jury/stored-judgements.ts'
import { SUB_SPLIT } from '../../../targets/runs/instance-vector.ts'
import type { RequestState } from '../../../targets/record/request-state.ts'
import type { Stat } from '../../../targets/record/stat.ts'
import type { DeclaredFacts } from '../../../tools/helm/declared-run.ts'
import { helmRuns } from '../../../tools/helm/helm-runs.ts'
import { InstanceStats } from '../../../tools/helm/instance-values.ts'
import { readRequestStates } from '../../../tools/helm/read-run.ts'
import { readSuite } from '../../../tools/helm/read-suite.ts'
import { generateSchema } from '../../../tools/helm/summary-schema.ts'
import { openRunFolder, writeRun } from '../../../tools/helm/write/write-run.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { sampleRun, sampleState } from './sample-run.ts'

const statOf = (name: string, sum: number, split?: string): Stat => ({
  name: { name, ...(split === undefined ? {} : { split }) },
  count: 1,
  sum,
  sumSquared: sum * sum,
  min: sum,
  max: sum,
  mean: sum,
  variance: 0,
  varianceIsInt: true,
  stddev: 0,
  float: true,
})

/** A run of which three instances were asked and two have a value; its jury is not its main metric. */
const folderOf = async (
  groups: readonly string[],
  more: readonly RequestState[] = [],
  trials = 1,
): Promise<string> => {
  const output = temporaryFolder()
  const run = sampleRun()
  const answered = more.flatMap(({ instance: { id }, result }) => (result ? [id] : []))
  const helm = { className: 'x.BasicGenerationMetric', args: new Map([['names', ['exact_match']]]) }
  const juried = {
    className: 'helm.benchmark.metrics.llm_jury_metrics.LLMJuryMetric',
    args: new Map<string, unknown>([
      ['metric_name', 'letters_accuracy'],
      ['scenario_name', 'letters'],
      ['annotator_models', new Map([['one', new Map()]])],
      ['default_score', 1],
    ]),
  }
  const folder = await openRunFolder(join(output, 'runs/s', run.runSpec.name), { access: 'public' })
  await writeRun(folder, {
    states: () => [sampleState('id0'), sampleState('id1'), ...more],
    stats: [
      statOf('exact_match', 0.5, 'test'),
      statOf('num_instances', 9, 'valid'),
      statOf('num_instances', 3 + answered.length, 'test'),
    ],
    perInstanceStats: () =>
      Array.from({ length: trials }, (_, trainTrialIndex) =>
        ['id0', 'id1', ...answered].map((instanceId, at) => ({
          instanceId,
          trainTrialIndex,
          stats: [statOf('exact_match', at, 'test'), statOf('letters_accuracy', 1, 'test')],
        })),
      ).flat(),
    runSpec: {
      ...run.runSpec,
      adapter: { ...run.runSpec.adapter, modelDeployment: '', numTrainTrials: trials },
      groups: [...groups],
      metrics: [
        { metric: 'basic_generation', helm },
        { metric: 'llm_jury', helm: juried as typeof helm },
      ],
    },
  })
  return output
}

const MAIN = { name: 'exact_match', split: 'test' }

const read = async (
  declared?: Partial<DeclaredFacts>,
  coverageFloor?: number,
  more: readonly RequestState[] = [],
  trials = 1,
) => readFolder(await folderOf(['sums'], more, trials), declared, coverageFloor)

const readFolder = async (output: string, declared?: Partial<DeclaredFacts>, coverageFloor?: number) => {
  const { runs: folders } = await readSuite(output, 's')
  return helmRuns(folders, {
    suite: 's',
    schemaFile: join(output, 'schema.yaml'),
    registry: { model: () => undefined },
    accessOf: async () => 'public',
    ...(declared && { declaredOf: async () => declared as DeclaredFacts }),
    ...(coverageFloor === undefined ? {} : { coverageFloor }),
  })
}

test('A run of HELM’s files tells how many were asked and have a value, and of judges only where they give the main metric.', async () => {
  const {
    runs: [run],
    problems,
  } = await read({ mainMetric: MAIN })
  expect(problems).toEqual([])
  expect(run?.benchmark).toMatchObject({ name: 'sums', mainMetric: { name: 'exact_match', split: 'test' } })
  expect(await run?.coverage()).toEqual({ evaluated: 3, measured: 2 })
  // A deployment that is not named is the model itself.
  expect(run?.model).toMatchObject({ name: 'a/b', deployment: 'a/b' })
})

test.each([
  [1, 'Wilson'],
  [2, 'Gaffke'],
])('Values of %d trials have an interval that is %s’s, whatever the values are.', async (trials, method) => {
  const { runs } = await read({ mainMetric: MAIN }, undefined, [], trials)
  const { sample } = (await runs[0]?.measured()) ?? {}
  expect(sample?.found).toMatchObject({ n: 2, measured: 2, mean: 0.5, method })
})

test('A sub-split of HELM’s files groups the instances that have it, and no others.', async () => {
  const output = await folderOf(['sums'])
  const {
    runs: [folder],
  } = await readSuite(output, 's')
  const file = join(folder?.path ?? '', 'per_instance_stats.json')
  const rows = JSON.parse(readFileSync(file, 'utf8')) as [{ stats: [{ name: Record<string, string> }] }]
  rows[0].stats[0].name['sub_split'] = 'easy'
  writeFileSync(file, JSON.stringify(rows))
  const { runs } = await readFolder(output, { mainMetric: MAIN })
  expect(await runs[0]?.instanceGroups?.()).toEqual({
    attributes: [],
    groups: new Map([['id0', { [SUB_SPLIT]: 'easy' }]]),
  })
})

test('An instance that lacks the value of a trial has none, and leaves the mean open.', async () => {
  const output = await folderOf(['sums'], [], 2)
  const {
    runs: [folder],
  } = await readSuite(output, 's')
  const file = join(folder?.path ?? '', 'per_instance_stats.json')
  const kept = (JSON.parse(readFileSync(file, 'utf8')) as unknown[]).slice(0, -1)
  writeFileSync(file, JSON.stringify(kept))
  const { runs } = await readFolder(output, { mainMetric: MAIN })
  const { sample, vector } = (await runs[0]?.measured()) ?? {}
  expect([...(vector?.values ?? [])]).toEqual([0, NaN])
  expect(sample?.found).toMatchObject({ n: 2, measured: 1, bounds: { low: 0, high: 0.5 } })
})

test('What it was asked are its instances, each once and none of them perturbed, and their trials.', async () => {
  const again = { ...sampleState('id0'), trainTrialIndex: 1 }
  const perturbed = sampleState('id2')
  const changed = { ...perturbed, instance: { ...perturbed.instance, perturbation: { name: 'typos' } } }
  const { runs } = await read({ mainMetric: MAIN }, undefined, [again, changed])
  const asked = await runs[0]?.asked?.()
  expect(asked?.instances.map(({ id }) => id)).toEqual(['id0', 'id1'])
  expect(asked?.trials).toBe(2)
})

test('A file of states without any is none that helm-run wrote.', async () => {
  const folder = temporaryFolder()
  const read = async (text: string): Promise<number> => {
    writeFileSync(join(folder, 'scenario_state.json'), text)
    let count = 0
    for await (const _ of readRequestStates(folder)) count += 1
    return count
  }
  const problem = { code: 'tools/not-helm-form', where: { field: 'request_states' } }
  for (const text of ['{}', '{"adapter_spec": {}}', '{"adapter_spec": {"request_states": []}}'])
    expect(await problemOf(() => read(text))).toMatchObject(problem)
  expect(await read('{"adapter_spec": {},\n  "request_states": [\n  ]}')).toBe(0)
  expect(await read('{"request_states": []}')).toBe(0)
})

test('Requests that it holds without an answer count as asked, and leave the mean open.', async () => {
  const { result: _result, ...unanswered } = sampleState('id2')
  const elsewhere = {
    ...unanswered,
    instance: { ...unanswered.instance, id: 'id3', split: 'valid' as const },
  }
  // Options asked one by one: several requests of an instance.
  const { runs } = await read({ mainMetric: MAIN }, undefined, [unanswered, unanswered, elsewhere])
  expect(await runs[0]?.coverage()).toEqual({ evaluated: 4, measured: 2 })
  const { sample } = (await runs[0]?.measured()) ?? {}
  expect(sample).toMatchObject({ requests: 2, found: { n: 3, measured: 2 } })
})

test('A value that HELM gave for lack of any judge’s score is no measurement; what some judges gave is.', async () => {
  const judged = (id: string, replies: readonly (readonly [string, PyValue])[] | 'blank') => ({
    ...sampleState(id),
    annotations: new Map([
      ['letters', replies === 'blank' ? emptyAnnotation() : annotationOf('Judge.', replies)],
    ]),
  })
  const score = loads('{"accuracy": {"score": 4}}')
  const more = [
    judged('id2', [['one', score]]),
    judged('id3', [['one', loads('"4"')]]),
    judged('id4', 'blank'),
  ]
  const { runs } = await read({ mainMetric: { name: 'letters_accuracy', split: 'test' } }, undefined, more)
  // Of five values those of id0, id1 and id3 stand on no judge.
  expect(await runs[0]?.coverage()).toEqual({
    evaluated: 6,
    measured: 2,
    judgements: { wanted: 5, read: 2 },
  })
  const { vector } = (await runs[0]?.measured()) ?? {}
  const lacking = vector?.ids.filter((_, at) => Number.isNaN(vector.values[at]))
  expect(lacking).toEqual(['id0', 'id1', 'id3'])
})

test('Its floor of coverage is its declaration’s, else the workspace’s, else ours.', async () => {
  const floor = async (...given: Parameters<typeof read>) =>
    (await read(...given)).runs[0]?.benchmark.coverageFloor
  const ours = await floor()
  expect(await floor({ mainMetric: MAIN }, 0.5)).toBe(0.5)
  expect(await floor({ mainMetric: MAIN, coverageFloor: 0.7 }, 0.5)).toBe(0.7)
  expect(ours).toBeGreaterThan(0.7)
})

test('A schema that names a main metric and no split means that of test, and says what is better.', async () => {
  const output = await folderOf(['sums'])
  const schemaFile = join(output, 'schema.json')
  const schema = {
    metrics: [{ name: 'exact_match', display_name: 'EM', lower_is_better: true }],
    run_groups: [{ name: 'sums', environment: { main_name: 'exact_match' } }],
  }
  writeFileSync(schemaFile, JSON.stringify(schema))
  const { runs: folders } = await readSuite(output, 's')
  const { runs } = await helmRuns(folders, {
    suite: 's',
    schemaFile,
    registry: { model: () => undefined },
    accessOf: async () => 'public',
  })
  const mainMetric = { name: 'exact_match', split: 'test', displayName: 'EM', lowerIsBetter: true }
  expect(runs[0]?.benchmark.mainMetric).toMatchObject(mainMetric)
})

test.each([
  [['others', 'sums'], 'sums'],
  [['others', 'more'], 'others'],
])('A schema made of runs of groups %j calls their scenario %s, as HELM does', async (groups, name) => {
  const { runs: folders } = await readSuite(await folderOf(groups), 's')
  const told = async () => ({ mainMetric: MAIN }) as never
  const { runGroups } = await generateSchema(folders, told, { helmExact: false })
  expect(runGroups.map((group) => group.name)).toEqual(['all_scenarios', name])
})

test('One that no group of the schema shows is left out and told.', async () => {
  const output = await folderOf([])
  const { runs: folders } = await readSuite(output, 's')
  const { runs, problems } = await helmRuns(folders, {
    suite: 's',
    schemaFile: join(output, 'schema.yaml'),
    registry: { model: () => undefined },
    accessOf: async () => 'public',
  })
  expect(runs).toEqual([])
  expect(problems).toMatchObject([{ code: 'site/run-without-group' }])
})

test('Values of a page’s rows are kept by instance, perturbation and trial; of several of a name the last counts.', () => {
  const values = new InstanceStats(new Set(['exact_match', 'f1']))
  const stat = (name: string, mean: number) => ({ ...statOf(name, mean), mean })
  const perturbation = new Map([['name', 'typos']])
  const add = (trial: number, means: readonly (readonly [string, number])[], more = {}): void =>
    values.add({
      instanceId: 'id0',
      trainTrialIndex: trial,
      stats: means.map(([name, mean]) => stat(name, mean)),
      ...more,
    })
  add(0, [
    ['exact_match', 1],
    ['hidden', 5],
  ])
  add(1, [
    ['f1', 2],
    ['exact_match', 3],
    ['f1', 4],
  ])
  add(0, [['exact_match', 6]], { perturbation })
  const row = (key: object) => [...values.row({ id: 'id0', trial: 0, ...key })]
  expect(row({})).toEqual([['exact_match', 1]])
  expect(row({ trial: 1 })).toEqual([
    ['f1', 4],
    ['exact_match', 3],
  ])
  expect(row({ perturbation })).toEqual([['exact_match', 6]])
  expect(row({ trial: 2 })).toEqual([])
})
