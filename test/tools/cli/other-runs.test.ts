import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'

const benchmark = (name: string): Files => ({
  [`benchmarks/${name}/benchmark.yaml`]: `name: ${name}\ndescription: Asks.\naccess: public\nmax_tokens: 5\nmetrics: [{name: exact_match}]\n`,
  [`benchmarks/${name}/prompt.txt`]: 'Say {word}',
  [`benchmarks/${name}/data.csv`]: 'word,correct_answer\nyes,yes\n',
})

const suiteOf = (...names: readonly string[]): string =>
  `entries: [${names.map((name) => `{description: "${name}:model=m/m"}`).join(', ')}]\n`

test('report leaves runs that a suite asks for no more out of HELM’s tables, and says so', async () => {
  const cwd = createWorkspace({
    'models/m.yaml': 'model_deployments: [{name: m/m, client_spec: {class_name: medmake.simple}}]\n',
    ...benchmark('kept'),
    ...benchmark('dropped'),
    'targets/all.conf': suiteOf('kept', 'dropped'),
  })
  const namesIn = (): readonly string[] => {
    const text = readFileSync(join(cwd, 'benchmark_output/runs/all/runs_to_run_suites.json'), 'utf8')
    return Object.keys(JSON.parse(text) as object)
  }
  const done = async (...args: readonly string[]): Promise<string> => {
    const { code, stderr } = await medmake(args, { cwd })
    expect(code, stderr).toBe(0)
    return stderr
  }
  await done('run')
  expect(await done('report')).toBe('')
  expect(namesIn()).toEqual(['dropped:model=m_m', 'kept:model=m_m'])
  writeFileSync(join(cwd, 'targets/all.conf'), suiteOf('kept'))
  expect(await done('report')).toBe(
    `Not in HELM's tables: 1 run in benchmark_output/runs/all that is not asked for here (dropped:model=m_m).`,
  )
  expect(namesIn()).toEqual(['kept:model=m_m'])
  expect(existsSync(join(cwd, 'benchmark_output/runs/all/dropped:model=m_m/stats.json'))).toBe(true)
  await done('summarize', '--suite', 'all')
  expect(namesIn()).toEqual(['dropped:model=m_m', 'kept:model=m_m'])
  // What is left out because it can't be read is no success.
  writeFileSync(join(cwd, 'benchmark_output/runs/all/dropped:model=m_m/stats.json'), '[{')
  expect(await medmake(['summarize', '--suite', 'all'], { cwd })).toMatchObject({ code: 1 })
  expect(namesIn()).toEqual(['kept:model=m_m'])
})
