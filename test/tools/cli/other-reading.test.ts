import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { FakeAnswer, FakeCall } from '../../bench/fake-answer.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const ENTRY = 'ward:model=simple/model1'
const files = {
  'benchmarks/ward/data.csv': 'id,text,answer\na,x,yes\nb,y,no\n',
  'benchmarks/ward/benchmark.yaml': `
name: ward
description: Two rows.
access: public
errata: [{ id: second-row, about: The second row is wrong., drop: [b] }]
protocols:
  - version: helm-0.5.16
    data: { rows: { path: data.csv, format: csv } }
    instances: [{ from: rows, split: test, id: '{id}', input: '{text}', references: [{ text: '{answer}', correct: true }] }]
    adapter: { method: generation, max_train_instances: 0, max_tokens: 5, stop_sequences: [] }
    metrics: [exact_match]
    main_metric: { name: exact_match, split: test }
`,
}

it('takes no corrected or otherwise read run into the folder of one that reproduces', async () => {
  const cwd = createWorkspace(files)
  const run = (...flags: string[]) => medmake(['run', '-r', ENTRY, ...flags], { cwd })
  const folder = join(cwd, 'benchmark_output/runs/s/ward:model=simple_model1')
  const stats = () => readFileSync(join(folder, 'stats.json'), 'utf8')
  const first = await run('--suite', 's')
  expect(first.code, first.stderr).toBe(0)
  const reproduced = stats()

  for (const flags of [
    ['--errata', 'corrected'],
    ['--profile', 'paper-2025'],
  ]) {
    const refused = await run('--suite', 's', ...flags)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('runs/other-reading')
    expect(refused.stderr).toContain('Give another --output-path')
    expect(stats()).toBe(reproduced)
    const elsewhere = await run('--suite', flags[1] ?? '', ...flags)
    expect(elsewhere.code, elsewhere.stderr).toBe(0)
  }
  expect((await run('--suite', 's')).stdout).toContain('1 fresh')
  rmSync(folder, { recursive: true })
  expect((await run('--suite', 's', '--errata', 'corrected')).code).toBe(0)
  expect(stats()).not.toBe(reproduced)
})

it('tells runs of one suite that are read in several ways', async () => {
  const cwd = createWorkspace(files)
  const run = (entry: string, ...flags: string[]) =>
    medmake(['run', '-r', entry, '--suite', 's', ...flags], { cwd })
  expect((await run(ENTRY)).code).toBe(0)
  const summarize = async () => (await medmake(['summarize', '--suite', 's'], { cwd })).stderr
  expect(await summarize()).toBe('')
  expect((await run(`${ENTRY},max_train_instances=0`, '--profile', 'paper-2025')).code).toBe(0)
  expect(await summarize()).toMatch(
    /read in 2 ways: ward:model=simple_model1 is read by the profile helm-0\.5\.16 [^]*profile paper-2025 [^]*tools\/mixed-readings/,
  )
  const note = join(cwd, 'benchmark_output/runs/s/ward:model=simple_model1/.medmake-reading.json')
  for (const damaged of ['{', '{"profile":"another","corrected":[]}']) {
    writeFileSync(note, damaged)
    expect(await summarize()).toContain('tools/reading-note')
  }
})

it('reads judges’ scores of a folder of ours in the way of its run, whatever the workspace’s is', async () => {
  // As texts these are numbers to medhelm 0.8 alone; HELM 0.5.16 takes its default in their place.
  const answer = ({ model, prompt }: FakeCall): FakeAnswer =>
    model === 'fake/judge'
      ? `{"accuracy": {"score": ${prompt.includes('odd') ? '"3.5"' : 4}, "explanation": ""}}`
      : `${model} says: ${prompt}`
  const server = await fakeServer({ answer })
  const cwd = createWorkspace({
    'medmake.yaml': 'coverage_floor: 0.1\n',
    'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/b', 'fake/judge']),
    ...shortBenchmark(
      { name: 'notes', access: 'public', judges: ['fake/judge'] },
      { prompt: '{note}', data: 'note\nodd fever\ncough\nrash\n' },
    ),
    'targets/main.conf':
      'entries: [{description: "notes:model=fake/a", priority: 1}, {description: "notes:model=fake/b", priority: 1}]',
  })
  expect((await medmake(['run'], { cwd })).code).toBe(0)
  const compared = async (...flags: string[]) =>
    (
      JSON.parse(
        (
          await medmake(['compare', 'fake/a', 'fake/b', '--suite', 'main', '--format', 'json', ...flags], {
            cwd,
          })
        ).stdout,
      ) as { readonly comparisons: readonly { readonly result: object }[] }
    ).comparisons[0]?.result
  const own = await compared()
  expect(own).toMatchObject({ n: 3, common: 2, meanA: 4 })
  const from = ['--store', 'none', '--from', 'benchmark_output', '--profile', 'medhelm-0.8']
  expect(await compared(...from)).toEqual(own)
})
