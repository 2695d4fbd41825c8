import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { staysDatabase, staysYaml } from '../../rig/stays.ts'
import { createWorkspace } from '../../rig/workspace.ts'

let root: string
let models: string
const bundle = (): string => join(root, 'benchmark_output/releases/r/bundle')
const file = (): string => join(root, 'benchmarks/stays/stays.sqlite')

beforeAll(async () => {
  const server = await fakeServer({ answer: () => 'select name from stay order by age desc limit 1' })
  models = modelsYaml(server, ['fake/a', 'fake/b'])
  root = createWorkspace({
    'models/fake.yaml': models,
    'benchmarks/stays/benchmark.yaml': staysYaml('stays'),
    'benchmarks/stays/questions.csv':
      'question,query\nhow many,select count(*) from stay\noldest,select max(name) from stay\n',
    'targets/main.conf': 'entries: [{description: "stays:model=fake/a"}]',
  })
  writeFileSync(file(), await staysDatabase([50, 60, 99]))
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
  writeFileSync(other, await staysDatabase([1]))
  const wrong = await medmake(['release', 'reproduce', bundle(), '--database', other], { cwd })
  expect(wrong.stderr).toContain('[release/no-database]')
  const missing = await medmake(['release', 'reproduce', bundle(), '--database', 'nowhere'], { cwd })
  expect(missing).toMatchObject({ code: 2 })
  expect(missing.stderr).toContain("nowhere can't be read")
})

it('a database that changed in the workspace is told with both digests', async () => {
  const whole = readFileSync(file())
  writeFileSync(file(), await staysDatabase([50, 60]))
  const { code, stderr } = await medmake(['release', 'reproduce', 'r'], { cwd: root })
  writeFileSync(file(), whole)
  expect(code).toBe(2)
  expect(stderr).toContain('the one here is another')
})
