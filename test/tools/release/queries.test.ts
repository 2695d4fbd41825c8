import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import init from '@sqlite.org/sqlite-wasm'
import { beforeAll, expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

// A name of its own: the data of the built-in one would be asked for on the net.
const BENCHMARK = `name: stays
description: Questions about a small database.
access: public
protocols:
  - version: '1'
    data:
      questions: { path: questions.csv, format: csv }
      database: { path: stays.sqlite, format: sqlite }
    instances:
      - from: questions
        split: test
        input: '{question}'
        references: [{ text: '{query}', correct: true }]
    adapter: { method: generation, max_train_instances: 0, max_tokens: 100, stop_sequences: [] }
    metrics: [ehr_sql]
    main_metric: { name: ehr_sql_execution_accuracy, split: test }
`

const database = async (ages: readonly number[]): Promise<Uint8Array> => {
  const { oo1, capi } = await init()
  const db = new oo1.DB()
  db.exec('create table stay(name text, age integer)')
  for (const age of ages) db.exec({ sql: 'insert into stay values (?, ?)', bind: [`p${age}`, age] })
  const bytes = capi.sqlite3_js_db_export(db)
  db.close()
  return bytes
}

let root: string
let models: string
const bundle = (): string => join(root, 'benchmark_output/releases/r/bundle')
const file = (): string => join(root, 'benchmarks/stays/stays.sqlite')

beforeAll(async () => {
  const server = await fakeServer({ answer: () => 'select name from stay order by age desc limit 1' })
  models = modelsYaml(server, ['fake/a', 'fake/b'])
  root = createWorkspace({
    'models/fake.yaml': models,
    'benchmarks/stays/benchmark.yaml': BENCHMARK,
    'benchmarks/stays/questions.csv':
      'question,query\nhow many,select count(*) from stay\noldest,select max(name) from stay\n',
    'targets/main.conf': 'entries: [{description: "stays:model=fake/a"}]',
  })
  writeFileSync(file(), await database([50, 60, 99]))
  expect(await medmake(['run'], { cwd: root })).toMatchObject({ code: 0 })
  expect(await medmake(['release', 'create', 'r'], { cwd: root })).toMatchObject({ code: 0 })
})

it('answers that are queries are run again on the workspace’s database', async () => {
  const result = await medmake(['release', 'reproduce', 'r', '--json'], { cwd: root })
  expect(result).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(result.stdout)).toMatchObject({ runs: 1, copied: [], problems: [] })
})

it('elsewhere they are run on the file that is named, for another model, too', async () => {
  const cwd = createWorkspace({ 'models/fake.yaml': models })
  const again = (...args: readonly string[]) =>
    medmake(['release', 'reproduce', bundle(), '--database', file(), ...args], { cwd })
  expect(await again()).toMatchObject({ code: 0, stderr: '' })
  expect(await again('--model', 'fake/b')).toMatchObject({ code: 0, stderr: '' })
  const stats = readFileSync(join(cwd, 'benchmark_output/runs/r-again/stays:model=fake_b/stats.json'), 'utf8')
  expect(stats).toContain('ehr_sql_execution_accuracy')
})

it('without the database, or with another, nothing is called reproduced', async () => {
  const cwd = createWorkspace()
  const none = await medmake(['release', 'reproduce', bundle()], { cwd })
  expect(none.code).toBe(2)
  expect(none.stderr).toContain('[release/no-database]')
  expect(none.stderr).toContain('--database')
  const other = join(cwd, 'other.sqlite')
  writeFileSync(other, await database([1]))
  const wrong = await medmake(['release', 'reproduce', bundle(), '--database', other], { cwd })
  expect(wrong.stderr).toContain('[release/no-database]')
  const missing = await medmake(['release', 'reproduce', bundle(), '--database', 'nowhere'], { cwd })
  expect(missing).toMatchObject({ code: 2 })
  expect(missing.stderr).toContain("nowhere can't be read")
})

it('a database that changed in the workspace is told with both digests', async () => {
  const whole = readFileSync(file())
  writeFileSync(file(), await database([50, 60]))
  const { code, stderr } = await medmake(['release', 'reproduce', 'r'], { cwd: root })
  writeFileSync(file(), whole)
  expect(code).toBe(2)
  expect(stderr).toContain('the one here is another')
})
