import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loads } from '../../../benchmarks/python/json.ts'
import { str } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { get } from '../../rig/helm-forms.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const files = (data: string, types = '') => ({
  'own.yaml': `name: own
description: A benchmark.
prompt_file: prompt.txt
dataset_file: data.csv
max_tokens: 5
metrics: [{ name: exact_match }]
access: public
${types}`,
  'prompt.txt': 'Patient ID: {id}',
  'data.csv': data,
  'own.conf':
    'entries: [{description: "medhelm_configurable_benchmark:config_path=own.yaml,model=baseline/lead"}]\n',
})

const promptOf = (root: string, suite: string): string => {
  const file = join(root, 'benchmark_output/runs', suite, 'own:model=baseline_lead/scenario_state.json')
  const states = get(loads(readFileSync(file, 'utf8')), 'request_states') as readonly PyValue[]
  return str(get(states[0] ?? null, 'instance', 'input', 'text') ?? null)
}

const SIZE = '--max-eval-instances'
const flags = (suite: string): readonly string[] => ['--conf-paths', 'own.conf', '--suite', suite, SIZE, '9']

test('helm-run reads cells as HELM does and says so in a line; medmake run keeps them as written.', async () => {
  const root = createWorkspace(files('id,correct_answer\n001,yes\n'))
  const helm = await medmake(['-c', 'own.conf', ...flags('helm').slice(2)], { cwd: root }, 'helm-run')
  expect(helm.stderr).toMatch(/cells of own are read as HELM's pandas reads them/)
  expect(promptOf(root, 'helm')).toBe('Patient ID: 1')
  const own = await medmake(['run', ...flags('own')], { cwd: root })
  expect([own.code, own.stderr]).toEqual([0, expect.not.stringContaining('pandas')])
  expect(promptOf(root, 'own')).toBe('Patient ID: 001')
})

test('What the benchmark itself says of its cells holds for both.', async () => {
  const root = createWorkspace(files('id,correct_answer\n001,yes\n', 'csv_types: text\n'))
  const helm = await medmake(['-c', 'own.conf', ...flags('helm').slice(2)], { cwd: root }, 'helm-run')
  expect([helm.code, helm.stderr]).toEqual([0, expect.not.stringContaining('pandas')])
  expect(promptOf(root, 'helm')).toBe('Patient ID: 001')
})

test.each([
  ['semicolons', 'id;correct_answer\n001;yes\n'],
  ['tabs', 'id\tcorrect_answer\n001\tyes\n'],
])('A table that is separated by %s is named as such.', async (name, data) => {
  const root = createWorkspace(files(data))
  const { code, stderr } = await medmake(['run', ...flags('own')], { cwd: root })
  expect([code, stderr]).toEqual([2, expect.stringContaining(`separated by ${name}`)])
})
