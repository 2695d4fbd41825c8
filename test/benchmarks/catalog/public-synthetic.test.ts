import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { loads } from '../../../benchmarks/python/json.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { standInMirror } from '../../parity/stand-ins.ts'
import { benchmarkContext, instancesOf } from '../../rig/benchmark-context.ts'
import { declaredForm, get, instanceForm, promptOf, scenarioForm, writtenForm } from '../../rig/helm-forms.ts'
import { shared } from '../../rig/shared.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const golden = shared('golden/public-synthetic') ?? ''
const mirror =
  golden === '' || shared('mirror') === undefined ? '' : standInMirror(shared('.') ?? '', temporaryFolder())

const CASES: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  ['medhelm_med_qa', 'med_qa', {}],
  ['medhelm_med_mcqa', 'med_mcqa', {}],
  ['med_dialog', 'med_dialog,subset=healthcaremagic', { subset: 'healthcaremagic' }],
  ['med_dialog', 'med_dialog,subset=icliniq', { subset: 'icliniq' }],
  ['medhallu', 'medhallu', {}],
]

describe.skipIf(mirror === '').each(CASES)('%s, run as %s', (name, run, args) => {
  const readRun = (file: string): PyValue =>
    loads(readFileSync(join(golden, 'runs', `${run}:model=fake_mix,model_deployment=fake_mix`, file), 'utf8'))
  const load = async () => {
    const given = new Map(Object.entries(args))
    const benchmark = await findBenchmark(name, given, benchmarkContext({ mirror }))
    const instances = await instancesOf(benchmark)
    return { benchmark, instances: instances.filter(({ split }) => split !== 'train') }
  }

  test('gives the instances and prompts that HELM gives', async () => {
    const { benchmark, instances } = await load()
    const states = get(readRun('scenario_state.json'), 'request_states') as readonly PyValue[]
    expect(instances.map(instanceForm)).toEqual(states.map((state) => get(state, 'instance')))
    expect(instances.map((instance) => promptOf(benchmark.adapter, instance))).toEqual(
      states.map((state) => get(state, 'request', 'prompt')),
    )
  })

  test('names scenario, adapter, metrics, groups and annotators as HELM does', async () => {
    const { benchmark } = await load()
    const spec = readRun('run_spec.json')
    expect(get(spec, 'name')).toBe(`${benchmark.runName}:model=fake_mix,model_deployment=fake_mix`)
    expect(declaredForm(benchmark)).toEqual(writtenForm(spec))
    expect(scenarioForm(benchmark)).toEqual(readRun('scenario.json'))
  })
})
