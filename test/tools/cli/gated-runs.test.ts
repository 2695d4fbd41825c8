import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loads } from '../../../benchmarks/python/json.ts'
import { str } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { get } from '../../rig/helm-forms.ts'
import { RUN_FILES, timelessFile } from '../../rig/helm-run-files.ts'
import { medmake } from '../../rig/medmake.ts'
import { referenceServer, referenceYaml } from '../../rig/reference-server.ts'
import { shared } from '../../rig/shared.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const golden = shared('golden/gated-and-private') ?? ''
const absent = golden === '' || shared('tools/fake-llm.mjs') === undefined
const runs = absent ? [] : readdirSync(join(golden, 'runs'))

const runSpec = (run: string): PyValue =>
  loads(readFileSync(join(golden, 'runs', run, 'run_spec.json'), 'utf8'))

/** Where the invented files of a benchmark lie in the workspace. */
const dataPath = (benchmark: string): string => {
  const entries = readdirSync(join(golden, 'inputs', benchmark))
  const single = entries.length === 1 && /\.(csv|json|feather)$/.test(entries[0] ?? '')
  return ['inputs', benchmark, ...(single ? entries : [])].join('/')
}

/** HELM's run entry of a run, with the data where we have it. */
const entryOf = (run: string): string => {
  const name = run.split(':')[0] ?? ''
  const args = get(runSpec(run), 'scenario_spec', 'args') as ReadonlyMap<string, PyValue>
  const own = [...args].filter(([key]) => key !== 'data_path').map(([key, value]) => `${key}=${str(value)}`)
  const model = str(get(runSpec(run), 'adapter_spec', 'model_deployment') ?? '')
  const limit = name === 'clear' ? ['max_eval_instances=100'] : []
  return `${name}:${[...own, ...limit, `model=${model}`, `model_deployment=${model}`, `data_path=${dataPath(name)}`].join(',')}`
}

const metadata = (name: string): string => `
- name: ${name}
  display_name: ${name}
  description: A deterministic fake.
  creator_organization_name: Fake
  access: open
  release_date: 2026-01-01
  tags: [TEXT_MODEL_TAG, LIMITED_FUNCTIONALITY_TEXT_MODEL_TAG, INSTRUCTION_FOLLOWING_MODEL_TAG]`

const workspace = async (): Promise<string> => {
  const host = await referenceServer(join(golden, 'answers.json'))
  const judges = JSON.parse(readFileSync(join(golden, 'judges.json'), 'utf8')) as Record<string, string>
  const models = ['two', 'three', 'small']
  const makers: Readonly<Record<string, string>> = { gpt: 'openai', llama: 'meta', claude: 'anthropic' }
  const judged = Object.entries(judges).map(([name, served]) => {
    const model = name.split('/')[1] ?? ''
    return referenceYaml(name, served, host, { model: `${makers[model.split('-')[0] ?? '']}/${model}` })
  })
  const cwd = createWorkspace({
    'local/model_deployments.yaml': `model_deployments:${models
      .map((model) => referenceYaml(`fake/${model}`, model, host, model === 'small' ? { window: 400 } : {}))
      .join('')}${judged.join('')}\n`,
    'local/model_metadata.yaml': `models:${models.map((model) => metadata(`fake/${model}`)).join('')}\n`,
  })
  symlinkSync(join(golden, 'inputs'), join(cwd, 'inputs'))
  return cwd
}

/**
 * The place of the data is a matter of the machine; whether an equal prompt of the same run was answered before this one
 * was sent is a matter of threads in HELM.
 */
const lasting = (text: string): string =>
  text.replace(/"data_path": "[^"]*"/, '"data_path": ""').replaceAll('"cached": true', '"cached": false')

describe.skipIf(absent)("HELM's files of the gated and private benchmarks, through the real program", () => {
  test.each([
    ['all but the lab tasks', 1000, (run: string) => !run.includes('lab_')],
    ['the lab tasks, sampled twice', 12, (run: string) => run.includes('lab_')],
  ])('%s', { timeout: 300_000 }, async (_, size, wanted) => {
    const cwd = await workspace()
    const asked = runs.filter(wanted)
    const { code, stderr } = await medmake(
      [
        'run',
        '--run-entries',
        ...asked.map(entryOf),
        '--suite',
        'g',
        '-m',
        String(size),
        '--local-path',
        'local',
      ],
      { cwd },
    )
    expect(code, stderr).toBe(0)
    const folder = join(cwd, 'benchmark_output/runs/g')
    expect(readdirSync(folder).filter((name) => asked.includes(name))).toEqual(asked)
    const different = asked.flatMap((run) =>
      RUN_FILES.filter(
        (file) =>
          lasting(timelessFile(join(folder, run), file)) !==
          lasting(timelessFile(join(golden, 'runs', run), file)),
      ).map((file) => `${run}/${file}`),
    )
    expect(different).toEqual([])
  })
})
