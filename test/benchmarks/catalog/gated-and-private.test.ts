import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { loads } from '../../../benchmarks/python/json.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { downSample } from '../../../benchmarks/sampling/choose-instances.ts'
import type { Benchmark } from '../../../benchmarks/scenario/benchmark.ts'
import { benchmarkContext, instancesOf } from '../../rig/benchmark-context.ts'
import { declaredForm, get, instanceForm, promptOf, scenarioForm, writtenForm } from '../../rig/helm-forms.ts'
import { shared } from '../../rig/shared.ts'

const golden = shared('golden/gated-and-private') ?? ''
const runs = golden === '' ? [] : readdirSync(join(golden, 'runs'))

const nameOf = (run: string): string => run.split(':')[0] ?? ''

/** Where the input file of each benchmark lies whose data_path is a file. */
const inputOf = (benchmark: string): string => {
  const folder = join(golden, 'inputs', benchmark)
  const entries = readdirSync(folder)
  const single = entries.length === 1 && /\.(csv|json|feather)$/.test(entries[0] ?? '')
  return single ? join(folder, entries[0] ?? '') : folder
}

/** The arguments that HELM's run had, with data_path as given. */
const argumentsOf = (spec: PyValue, dataPath: PyValue): ReadonlyMap<string, PyValue> => {
  const args = get(spec, 'scenario_spec', 'args') as ReadonlyMap<string, PyValue>
  return new Map([...args, ['data_path', dataPath]])
}

const readJson = (run: string, file: string): PyValue =>
  loads(readFileSync(join(golden, 'runs', run, file), 'utf8'))

const load = async (run: string, own = true): Promise<Benchmark> => {
  const name = nameOf(run)
  const spec = readJson(run, 'run_spec.json')
  const dataPath = own ? inputOf(name) : (get(spec, 'scenario_spec', 'args', 'data_path') ?? null)
  return findBenchmark(name, argumentsOf(spec, dataPath), benchmarkContext())
}

const states = (run: string): readonly PyValue[] =>
  get(readJson(run, 'scenario_state.json'), 'request_states') as readonly PyValue[]

test.skipIf(golden !== '')('is held to reference results where they lie beside the repository', () => {
  expect(runs).toEqual([])
})
/** One of each benchmark: all 64 are held to HELM's instances and prompts through the program (test/tools/cli/gated-runs). */
const firsts = runs.filter((run, at) => runs.findIndex((other) => nameOf(other) === nameOf(run)) === at)

describe.skipIf(golden === '').each(firsts)('%s', (run) => {
  test('has the instances and prompts of HELM, in its order', async () => {
    const benchmark = await load(run)
    const wanted = states(run)
    const limit = get(readJson(run, 'run_spec.json'), 'adapter_spec', 'max_eval_instances')
    const chosen = downSample(await instancesOf(benchmark), Number(limit))
    expect(chosen.map(instanceForm)).toEqual(wanted.map((state) => get(state, 'instance')))
    for (const [index, state] of wanted.entries()) {
      const instance = chosen[index]
      if (instance === undefined) throw new TypeError('an instance is missing')
      // A small window cuts prompts; that is the adapter's part.
      if (get(state, 'prompt_truncated') === true || run.includes('fake_small')) continue
      expect(promptOf(benchmark.adapter, instance)).toBe(get(state, 'request', 'prompt'))
    }
  })
})

describe.skipIf(golden === '').each(runs)('%s', (run) => {
  test('is named as HELM names it', async () => {
    const benchmark = await load(run, false)
    const spec = readJson(run, 'run_spec.json')
    expect(get(spec, 'name')).toMatch(new RegExp(`^${benchmark.runName}[:,].*model=`))
    expect(declaredForm(benchmark)).toEqual(writtenForm(spec))
    expect(scenarioForm(benchmark)).toEqual(readJson(run, 'scenario.json'))
  })
})
