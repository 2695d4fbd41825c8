import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const benchmark = (prompt: string) =>
  shortBenchmark({ name: 'notes', access: 'public', metrics: ['exact_match'] }, { data: DATA, prompt })

const DATA = 'note,correct_answer\na,yes\nb,no\n'

it('tells of files that an incomplete run left from before an edit, until they are written anew', async () => {
  const server = await fakeServer({
    answer: ({ prompt }) =>
      prompt.includes('Broken: b') ? { status: 400, body: { error: { message: 'no' } } } : 'yes',
  })
  const cwd = createWorkspace({
    'models/fake.yaml': modelsYaml(server, ['fake/a']),
    ...benchmark('Say: {note}'),
    'targets/main.conf': 'entries: [{description: "notes:model=fake/a"}]',
  })
  const run = (...flags: string[]) => medmake(['run', 'main', ...flags], { cwd })
  const summarize = () => medmake(['summarize', '--suite', 'main'], { cwd })
  const stats = () =>
    readFileSync(join(cwd, 'benchmark_output/runs/main/notes:model=fake_a/stats.json'), 'utf8')
  expect(await run()).toMatchObject({ code: 0 })
  expect((await summarize()).code).toBe(0)
  const before = stats()

  writeFiles(cwd, benchmark('Broken: {note}'))
  const broken = await run()
  expect(broken.code).toBe(1)
  expect(broken.stderr).toContain(
    'files of an earlier state, which `medmake summarize` tells: notes:model=fake_a',
  )
  expect(stats()).toBe(before)
  const told = await summarize()
  expect(told.code).toBe(1)
  expect(told.stderr).toMatch(/the files of notes:model=fake_a are of an earlier state.*\[tools\/stale-run\]/)

  // Accepted as they are, the files are of now, also for a run that does not accept them.
  expect((await run('--allow-failures')).code).toBe(0)
  expect((await summarize()).stderr).not.toContain('stale-run')
  expect((await run()).stderr).not.toContain('earlier state')

  writeFiles(cwd, benchmark('Say: {note}'))
  expect(await run()).toMatchObject({ code: 0, stderr: '' })
  expect(stats()).toBe(before)
  expect((await summarize()).code).toBe(0)
})
