import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { staysDatabase, staysYaml } from '../../rig/stays.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const QUESTIONS = `question,query
how many stays,select count(*) from stay
who is oldest,select name from stay order by age desc limit 1
delete them all,select count(*) from stay where age > 90
`

/** What the model answers, by a word of the question. */
const ANSWERS: readonly (readonly [string, string])[] = [
  ['how many', '```sql\nselect count(age) from stay;\n```'],
  ['oldest', 'select name from stay order by age limit 1'],
  ['delete', 'delete from stay'],
]

interface Json {
  readonly providerCalls: number
  readonly stages: Readonly<Record<string, { readonly executed: number; readonly cached: number }>>
  readonly failures: readonly { readonly instance: string; readonly code: string }[]
}

it('runs gold and predicted queries on the database, stores what they gave, and runs them anew on another', async () => {
  const answer = ({ prompt }: { readonly prompt: string }): string =>
    ANSWERS.find(([word]) => prompt.includes(word))?.[1] ?? ''
  const root = createWorkspace({
    'models/fake.yaml': modelsYaml(await fakeServer({ answer }), ['fake/a']),
    'benchmarks/ehr_sql/benchmark.yaml': staysYaml('ehr_sql'),
    'benchmarks/ehr_sql/questions.csv': QUESTIONS,
    'targets/main.conf': 'entries: [{description: "ehr_sql:model=fake/a"}]',
  })
  const database = join(root, 'benchmarks/ehr_sql/stays.sqlite')
  writeFileSync(database, await staysDatabase([50, 60, 99]))
  const before = readFileSync(database)
  const run = async (...flags: readonly string[]): Promise<Json> => {
    const { code, stdout, stderr } = await medmake(['run', '--json', ...flags], { cwd: root })
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout) as Json
  }
  const state = (): readonly { annotations: Record<string, unknown> }[] =>
    (
      JSON.parse(
        readFileSync(
          join(root, 'benchmark_output/runs/main/ehr_sql:model=fake_a/scenario_state.json'),
          'utf8',
        ),
      ) as { request_states: { annotations: Record<string, unknown> }[] }
    ).request_states

  const first = await run()
  expect(first.stages['annotations']).toEqual({ executed: 3, cached: 0 })
  expect(first.failures).toMatchObject([{ instance: 'id2', code: 'sql/refused' }])
  expect(state().map(({ annotations }) => annotations['ehr_sql'])).toEqual([
    { predicted_result: [[3]], ground_truth_result: [[3]], query_error: null },
    { predicted_result: [['p50']], ground_truth_result: [['p99']], query_error: null },
    { predicted_result: [], ground_truth_result: [[1]], query_error: 'not authorized' },
  ])
  expect(readFileSync(database)).toEqual(before)
  expect((await run()).stages['annotations']).toEqual({ executed: 0, cached: 3 })

  writeFileSync(database, await staysDatabase([50]))
  const { stdout } = await medmake(['run', '--dry-run', '--json'], { cwd: root })
  expect(stdout).toContain('"annotations"')
  const other = await run()
  expect(other.providerCalls).toBe(0)
  expect(other.stages['annotations']).toEqual({ executed: 3, cached: 0 })
  expect(state()[1]?.annotations['ehr_sql']).toEqual({
    predicted_result: [['p50']],
    ground_truth_result: [['p50']],
    query_error: null,
  })
})
