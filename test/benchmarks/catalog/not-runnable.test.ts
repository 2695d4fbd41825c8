import { expect, test } from 'vitest'
import { createWorkspace } from '../../rig/workspace.ts'
import { medmake } from '../../rig/medmake.ts'

const NAMES = ['health_admin_bench', 'vqa_rad', 'radiology', 'mental_disorders']

test('Benchmarks that can not be run here are refused with what they need, and the others of a suite are run.', async () => {
  const cwd = createWorkspace()
  const model = 'model=baseline/first-choice'
  const entries = [...NAMES.map((name) => `${name}:task_set=x,${model}`), `demo_multiple_choice:${model}`]
  const { code, stdout, stderr } = await medmake(['run', '-r', ...entries, '-m', '2'], { cwd })
  expect(code).toBe(1)
  expect(stdout).toContain('1 target: 0 fresh, 1 built')
  for (const name of NAMES)
    expect(stderr).toMatch(new RegExp(`${name} can't be run here: it needs .* \\[benchmarks/not-runnable\\]`))
  const alone = await medmake(['run', '-r', `vqa_rad:${model}`], { cwd })
  expect(alone).toMatchObject({ code: 2, stdout: '' })
  const { stdout: data } = await medmake(['data', 'status'], { cwd })
  expect(data).toContain('sct_bench')
  expect(data).not.toContain('vqa_rad')
})

test('A declaration without a protocol must say what the benchmark needs.', async () => {
  const files = { 'benchmarks/odd/benchmark.yaml': 'name: odd\ndescription: d\nprotocols: []\n' }
  const { code, stderr } = await medmake(['taxonomy'], { cwd: createWorkspace(files) })
  expect(code).toBe(1)
  expect(stderr).toContain('benchmarks/no-protocol')
})
