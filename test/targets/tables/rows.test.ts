import { expect, test } from 'vitest'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import { ADAPTER_DEFAULTS } from '../../../benchmarks/scenario/adapter-spec.ts'
import { buildColumns } from '../../../targets/tables/columns.ts'
import { groupRuns } from '../../../targets/tables/grouped-runs.ts'
import { groupTables } from '../../../targets/tables/group-tables.ts'
import { findModel, indexModels, usedModels } from '../../../targets/tables/models.ts'
import { rowLabels } from '../../../targets/tables/group-table.ts'
import { completeSchema, needsScenarios } from '../../../targets/tables/schema/auto-schema.ts'
import {
  indexSchema,
  NO_SCHEMA,
  RUN_GROUP_DEFAULTS,
  type RunGroup,
  type Schema,
} from '../../../targets/tables/schema/schema.ts'
import { equalityKey, type HelmTable, type TableRun } from '../../../targets/tables/table.ts'

const run = (name: string, model: string, more: Partial<TableRun> = {}): TableRun => ({
  name,
  groups: ['notes'],
  scenario: { className: 'a.NotesScenario', args: new Map() },
  metrics: [],
  adapter: { ...ADAPTER_DEFAULTS, method: 'generation', model, modelDeployment: model },
  stats: [{ name: { name: 'em', split: 'test' }, count: 1, sum: 1 }],
  ...more,
})

const model = (name: string, displayName = name) => ({
  name,
  displayName,
  description: '',
  creatorOrganization: 'a',
  access: 'open',
})

const NO_MODELS = indexModels({ models: [], deployments: [] }, '2026-01-01')

const tablesOf = (
  group: string,
  runs: readonly TableRun[],
  visibility: RunGroup['visibility'] = 'all_groups',
  lowerIsBetter = false,
): readonly HelmTable[] => {
  const leaf = (name: string) => ({ ...RUN_GROUP_DEFAULTS, name, metricGroups: ['main'] })
  const index = indexSchema({
    metrics: [{ name: 'em', lowerIsBetter }],
    perturbations: [],
    metricGroups: [{ name: 'main', metrics: [{ name: 'em', split: 'test' }] }],
    runGroups: [
      { ...RUN_GROUP_DEFAULTS, name: 'all', subgroups: ['notes', 'codes'] },
      leaf('notes'),
      leaf('codes'),
      { ...leaf('hidden'), visibility },
    ],
  })
  const found = index.runGroups.get(group)
  if (found === undefined) throw new RangeError(`no group ${group}`)
  return groupTables(found, groupRuns(runs), { index, models: NO_MODELS, debug: false })
}

test('Up to five runs of a scenario have a link that compares them, one alone and six have none.', () => {
  const linksOf = (count: number): number =>
    tablesOf(
      'notes',
      Array.from({ length: count }, (_, at) => run(`notes:model=m${at}`, `m${at}`)),
    )[0]?.links.length ?? NaN
  expect([1, 2, 5, 6].map(linksOf)).toEqual([0, 1, 1, 0])
})

test('A model of which a table shows no run has no row in it.', () => {
  const runs = [run('notes:model=a', 'a'), run('notes:model=b', 'b', { groups: ['notes', 'hidden'] })]
  const rowsOf = (visibility: RunGroup['visibility']) =>
    tablesOf('all', runs, visibility)[0]?.rows.map(([first]) => first?.value)
  expect(rowsOf('all_groups')).toEqual(['a', 'b'])
  expect(rowsOf('no_groups')).toEqual(['a'])
  expect(rowsOf('this_group_only')).toEqual(['a'])
})

test('The best score of a column is bold, whichever end is the better, and those that are as good.', () => {
  const scored = (name: string, sum: number) =>
    run(`notes:model=${name}`, name, { stats: [{ name: { name: 'em', split: 'test' }, count: 1, sum }] })
  const runs = [scored('a', 0.5), scored('b', 0.75), scored('c', 0.25), scored('d', 0.75)]
  const boldOf = (lowerIsBetter: boolean) =>
    tablesOf('notes', runs, 'all_groups', lowerIsBetter)[0]?.rows.flatMap(([first, ...cells]) =>
      cells.some(({ style }) => style?.get('font-weight') === 'bold') ? [first?.value] : [],
    )
  expect([boldOf(false), boldOf(true)]).toEqual([['b', 'd'], ['c']])
})

test('Dicts are equal in any order, as Python holds them, and whole numbers to their floats.', () => {
  const dict = (...entries: readonly (readonly [string, number])[]) => new Map(entries)
  expect(equalityKey(dict(['a', 1], ['b', 2]))).toBe(equalityKey(dict(['b', 2], ['a', 1])))
  expect(equalityKey(new Map([['a', float(1)]]))).toBe(equalityKey(dict(['a', 1])))
  expect(equalityKey(dict(['a', 1]))).not.toBe(equalityKey(dict(['a', 2])))
})

test('A row of which one run is not public tells none of the words of its prompts.', () => {
  const rows = ['Patient Ann Miller', 'Patient Bob'].map((instructions) => ({
    adapter: { ...run('', 'm').adapter, instructions },
    runs: [{}, { isRestricted: true as const }],
  }))
  expect(rowLabels(rows, NO_MODELS).join()).not.toMatch(/Ann|Bob/)
  const open = rows.map(({ adapter }) => ({ adapter, runs: [{}, {}] }))
  expect(rowLabels(open, NO_MODELS).join()).toMatch(/Ann.*Bob/)
})

test('Of two models of one name the later is shown, at the place of the first; a deployment leads to its model.', () => {
  const index = indexModels(
    {
      models: [model('a/x', 'old'), model('a/y'), model('a/x', 'new')],
      deployments: [{ name: 'host/y', modelName: 'a/y' }],
    },
    '2026-01-01',
  )
  expect(index.place.get('a/x')).toBe(0)
  expect(usedModels([run('r', 'a/x')], index).map(({ displayName }) => displayName)).toEqual(['new'])
  expect(findModel({ model: '', modelDeployment: 'host/y' }, index)?.name).toBe('a/y')
  expect(findModel({ model: 'host/y', modelDeployment: '' }, index)?.name).toBe('a/y')
})

test('A schema that is made of runs says of each metric what is better.', () => {
  const scored = run('r', 'a', {
    metrics: [{ className: 'helm.benchmark.metrics.basic_metrics.BasicGenerationMetric', args: new Map() }],
    stats: ['exact_match', 'inference_runtime', 'num_prompt_tokens'].map((name) => ({
      name: { name, split: 'test' },
      count: 1,
      sum: 1,
    })),
  })
  const { metrics } = completeSchema(NO_SCHEMA, [scored], [], { helmExact: false })
  const better = new Map(metrics.map(({ name, lowerIsBetter }) => [name, lowerIsBetter]))
  expect([better.get('inference_runtime'), better.get('num_prompt_tokens')]).toEqual([true, undefined])
})

test('A schema that is made of runs shows calibration in two groups, as HELM’s does.', () => {
  const names = ['ece_10_bin', 'ece_1_bin', 'selective_acc@10', 'selective_cov_acc_area', 'platt_coef']
  const scored = run('r', 'a', {
    metrics: [{ className: 'helm.benchmark.metrics.basic_metrics.BasicGenerationMetric', args: new Map() }],
    stats: names.toReversed().map((name) => ({ name: { name, split: 'test' }, count: 1, sum: 1 })),
  })
  const { metricGroups } = completeSchema(NO_SCHEMA, [scored], [], { helmExact: true })
  const [, ...groups] = metricGroups.map(({ name, metrics }) => [name, metrics.map((each) => each.name)])
  expect(groups).toEqual([
    ['calibration', names.slice(0, 1)],
    ['calibration_detailed', names.slice(1)],
  ])
})

test('A schema that lacks groups of groups gets one of all; what it says itself stays.', () => {
  const leaf = { ...RUN_GROUP_DEFAULTS, name: 'notes', metricGroups: ['main'] }
  const given = { ...NO_SCHEMA, metrics: [{ name: 'em' }], runGroups: [leaf, { ...leaf, name: 'codes' }] }
  const scenario = { name: 'notes', mainMetric: 'em', mainSplit: 'test' }
  const complete = (schema: Schema) =>
    completeSchema(schema, [run('r', 'a')], [scenario], { helmExact: false })
  const { runGroups, metricGroups, metrics } = complete(given)
  expect(runGroups.map(({ name, subgroups }) => [name, subgroups])).toEqual([
    ['all_scenarios', ['notes', 'codes']],
    ['notes', []],
    ['codes', []],
  ])
  expect([metrics, metricGroups]).toEqual([given.metrics, []])
  const parent = { ...leaf, name: 'parent', subgroups: ['notes'] }
  const whole = { ...given, runGroups: [parent, leaf] }
  expect(complete(whole)).toEqual(whole)
  // Leaves come from the runs, metric groups with the metrics.
  const bare = complete({ ...given, metrics: [], runGroups: [parent] })
  expect(bare.runGroups.map(({ name, metricGroups: own }) => [name, own])).toEqual([
    ['parent', ['main']],
    ['notes', ['main_metric']],
  ])
  const named = { ...given, metrics: [], metricGroups: [{ name: 'own', metrics: [] }] }
  expect(complete(named).metricGroups).toEqual(named.metricGroups)
  expect([given, whole].map(needsScenarios)).toEqual([false, false])
  expect([NO_SCHEMA, { ...given, runGroups: [parent] }, named].map(needsScenarios)).toEqual([
    true,
    true,
    true,
  ])
})

test('Empty names and descriptions of a schema count as none.', () => {
  const metric = { name: 'em', displayName: '', shortDisplayName: '', description: '' }
  const group = { ...RUN_GROUP_DEFAULTS, name: 'notes', metricGroups: ['main'], shortDescription: '' }
  const headerOf = (description: string) => {
    const shown = { ...group, description }
    const metrics = [{ name: 'em', split: 'test', perturbationName: 'typos' }]
    const schema = {
      metrics: [metric],
      perturbations: [{ name: 'typos', displayName: '', description: '' }],
      metricGroups: [{ name: 'main', metrics }],
      runGroups: [shown],
    }
    const requests = [{ group: shown, metricGroup: { name: 'main', metrics } }]
    return buildColumns(requests, indexSchema(schema))[0]?.header
  }
  expect(headerOf('')).toMatchObject({
    value: 'em (typos)',
    description: 'em: \n- Perturbation typos: ???',
  })
  expect(headerOf('Of notes.')?.description).toMatch(/^Of notes\.\n\nem: /)
})
