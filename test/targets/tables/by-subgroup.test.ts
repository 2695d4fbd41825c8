import { expect, test } from 'vitest'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import { ADAPTER_DEFAULTS } from '../../../benchmarks/scenario/adapter-spec.ts'
import { groupRuns } from '../../../targets/tables/grouped-runs.ts'
import { groupsIndex } from '../../../targets/tables/groups-index.ts'
import { indexModels } from '../../../targets/tables/models.ts'
import { indexSchema, RUN_GROUP_DEFAULTS } from '../../../targets/tables/schema/schema.ts'
import type { TableRun } from '../../../targets/tables/table.ts'
import { tablesBySubgroup } from '../../../targets/tables/group-tables.ts'

const run = (model: string, className: string, groups: readonly string[]): TableRun => ({
  name: `${className}:model=${model}`,
  groups,
  scenario: { className, args: new Map() },
  metrics: [],
  adapter: { ...ADAPTER_DEFAULTS, method: 'generation', model, modelDeployment: model },
  stats: [{ name: { name: 'em', split: 'test' }, count: 1, sum: 1 }],
})

const parent = { ...RUN_GROUP_DEFAULTS, name: 'all', subgroups: ['notes'] }
const index = indexSchema({
  metrics: [{ name: 'em', lowerIsBetter: false }],
  perturbations: [],
  metricGroups: [{ name: 'main', metrics: [{ name: 'em', split: 'test' }] }],
  runGroups: [parent, { ...RUN_GROUP_DEFAULTS, name: 'notes', displayName: 'Notes', metricGroups: ['main'] }],
})

test('A group’s tables by sub-group: of a scenario the group’s own runs, of all of them every run of the sub-group, none without metrics.', () => {
  const runs = ['a.One', 'a.Two'].flatMap((scenario) => [
    run('own', scenario, ['notes', 'all']),
    run('other', scenario, ['notes']),
  ])
  const models = indexModels({ models: [], deployments: [] }, '2026-01-01')
  const tables = tablesBySubgroup(parent, groupRuns(runs), { index, models, debug: false })
  expect(tables.map(({ title, rows }) => [title, rows.map(([first]) => first?.value)])).toEqual([
    ['Notes', ['other', 'own']],
    ['Notes ', ['own']],
    ['Notes ', ['own']],
  ])
})

test('The index of groups counts instances on average, and tokens in all, each by its own stat.', () => {
  const counted = (model: string, sum: number) => ({
    ...run(model, 'a.One', ['notes']),
    stats: ['em', 'num_instances', 'num_references', 'num_prompt_tokens', 'num_completion_tokens'].map(
      (name, at) => ({ name: { name, split: 'test' }, count: 1, sum: sum * 10 ** at }),
    ),
  })
  const [{ rows } = { rows: [] }] = groupsIndex(groupRuns([counted('a', 1), counted('b', 3)]), index)
  expect(rows[1]?.slice(2).map(({ value }) => value)).toEqual([
    'generation',
    ...[20, 200, 4000, 40_000].map(float),
    2,
  ])
})

test('The index of groups links to each by its name with everything escaped, as the tables’ own links do.', () => {
  const runGroups = ['Köln: a/b', 'DEMO-EM'].map((name) => ({ ...RUN_GROUP_DEFAULTS, name }))
  const named = indexSchema({ ...index.schema, runGroups })
  const [{ rows } = { rows: [] }] = groupsIndex(groupRuns([]), named)
  expect(rows.map(([first]) => first?.href)).toEqual(['?group=K%C3%B6ln%3A%20a%2Fb', '?group=DEMO-EM'])
})
