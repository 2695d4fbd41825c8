import { expect, test } from 'vitest'
import { parseYaml } from '../../../cache/problems/yaml-document.ts'
import { checkRuns } from '../../../targets/board/check-runs.ts'
import { parseSchema } from '../../../targets/tables/schema/parse-schema.ts'
import { indexSchema } from '../../../targets/tables/schema/schema.ts'
import type { TableRun } from '../../../targets/tables/table.ts'

const problemsOf = (environment: string, groups: readonly string[] = []) => {
  const schema = `
metrics: [{name: em}]
metric_groups: [{name: acc, metrics: [{name: other, split: test}, {name: "\${main}", split: test}]}]
run_groups: [{name: ward, metric_groups: [acc], environment: ${environment}}]
`
  const index = indexSchema(parseSchema(parseYaml(schema, 'schema.yaml', { room: 'targets' })))
  const runs = groups.map((group) => ({ name: `of ${group}`, groups: ['all', group] }) as unknown as TableRun)
  return checkRuns(runs, index).map(({ code, where }) => [code, where?.field])
}

test('a metric that a group names by a variable, and the schema does not define, is told with its group', () => {
  expect(problemsOf('{main: em}')).toEqual([])
  expect(problemsOf('{main: f1}')).toEqual([['targets/undefined-metric', 'run_groups.ward.environment']])
  expect(problemsOf('{}')).toEqual([['targets/undefined-variable', 'run_groups.ward.environment.main']])
})

test('a run is told that has none of the schema’s groups', () => {
  expect(problemsOf('{main: em}', ['ward', 'clinic'])).toEqual([['targets/run-in-no-group', 'run_groups']])
})
