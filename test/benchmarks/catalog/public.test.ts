import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { digestOf } from '../../../cache/values/digest.ts'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { loads } from '../../../benchmarks/python/json.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { downSample } from '../../../benchmarks/sampling/choose-instances.ts'
import type { Benchmark } from '../../../benchmarks/scenario/benchmark.ts'
import { benchmarkContext, instancesOf } from '../../rig/benchmark-context.ts'
import { declaredForm, get, instanceForm, promptOf, scenarioForm, writtenForm } from '../../rig/helm-forms.ts'
import { shared } from '../../rig/shared.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { standInMirror } from '../../parity/stand-ins.ts'

const golden = shared('golden/public-benchmarks') ?? ''
const root = shared('.') ?? ''
const mirror = golden === '' || shared('mirror') === undefined ? '' : standInMirror(root, temporaryFolder())

const readJson = (path: string): PyValue => loads(readFileSync(path, 'utf8'))

/** What HELM wrote for the run with 40 instances. */
const runFile = (benchmark: string, file: string): PyValue => {
  const runs = join(golden, 'benchmark_output/runs/public')
  const run = readdirSync(runs).find((name) => name.startsWith(`${benchmark}:`) && name.includes('mix')) ?? ''
  return readJson(join(runs, run, file))
}

const find = (name: string): Promise<Benchmark> =>
  findBenchmark(name, new Map(), benchmarkContext({ mirror }))

const load = async (name: string) => {
  const benchmark = await find(name)
  const instances = await instancesOf(benchmark)
  // HELM's results show the questions that are asked.
  return { benchmark, instances: instances.filter(({ split }) => split !== 'train') }
}

const BENCHMARKS = [
  'aci_bench',
  'ehr_sql',
  'head_qa',
  'medbullets',
  'medcalc_bench',
  'medec',
  'medi_qa',
  'medication_qa',
  'mtsamples_procedures',
  'mtsamples_replicate',
  'pubmed_qa',
  'race_based_med',
]

describe.skipIf(mirror === '').each(BENCHMARKS)('%s', (name) => {
  let loaded: ReturnType<typeof load>
  beforeAll(() => {
    loaded = load(name)
    return loaded
  })

  test('gives the ids, splits and prompts that HELM gives', async () => {
    const { benchmark, instances } = await loaded
    const rows = instances.map((instance) =>
      [instance.id, instance.split, digestOf(promptOf(benchmark.adapter, instance))].join('\t'),
    )
    expect(rows).toEqual(get(readJson(join(golden, `digests/${name}.json`)), 'rows'))
  })

  test('samples the instances that HELM samples', async () => {
    const { instances } = await loaded
    const sampled = get(readJson(join(golden, `digests/${name}.json`)), 'sampled_ids') as Map<string, PyValue>
    expect(sampled.size).toBeGreaterThan(0)
    for (const [size, ids] of sampled)
      expect(downSample(instances, Number(size)).map(({ id }) => id)).toEqual(ids)
  })

  test('gives the references that HELM writes', async () => {
    const { instances } = await loaded
    expect(downSample(instances, 40).map(instanceForm)).toEqual(runFile(name, 'instances.json'))
  })

  test('names scenario, adapter, metrics, groups and annotators as HELM does', async () => {
    const benchmark = await find(name)
    const spec = runFile(name, 'run_spec.json')
    const next = benchmark.runName.includes(':') ? ',' : ':'
    expect(get(spec, 'name')).toBe(`${benchmark.runName}${next}model=fake_mix,model_deployment=fake_mix`)
    expect(declaredForm(benchmark)).toEqual(writtenForm(spec))
  })

  test('describes its scenario as HELM does', async () => {
    const benchmark = await find(name)
    expect(scenarioForm(benchmark)).toEqual(runFile(name, 'scenario.json'))
  })
})

/** sha256 of each rubric. */
const RUBRICS = [
  ['aci_bench', '15877ca0dfbd744aec29e6c8b0727ced14fa691c5dbfa7a61e1a466eb11bc36e'],
  ['med_dialog', '33125c31bf94a4cba7ed6d6332d15ece4e50128dfb0237ff83c44c324eaafed7'],
  ['medi_qa', '7cf6821d8fff2d1e899bd0d505976c437d9dd6ee4b94e5af70821f013c495f23'],
  ['medication_qa', '6b5b2b22752e2270d1c6de14dff7775e8899e1c242c0de0f74ca1b6cdafa1b04'],
  ['mtsamples_procedures', '2ccb74230313bced35872866b7b8ebefc3bf0e2a39fa1d1703c085a0bd1195be'],
  ['mtsamples_replicate', '8e4979f57cdc89dc6fe7a4e683582c4790e8fb1e69f1def2ad9e13c13046cbd8'],
] as const

describe('the jury', () => {
  test.each(RUBRICS)('of %s reads the rubric of the protocol', async (name, digest) => {
    const args = new Map<string, PyValue>(name === 'med_dialog' ? [['subset', 'icliniq']] : [])
    const { jury } = await findBenchmark(name, args, benchmarkContext())
    expect(digestOf(jury?.template ?? '')).toBe(digest)
    expect([...(jury?.criteria.keys() ?? [])]).toEqual(['accuracy', 'completeness', 'clarity'])
    expect(jury?.judges.map((judge) => judge.name)).toEqual(['gpt', 'llama', 'claude'])
  })
})

describe.skipIf(mirror === '')('keys', () => {
  test('hold the digests of data, and change with nothing else that reading gives', async () => {
    const context = benchmarkContext({ mirror })
    const first = await (await findBenchmark('pubmed_qa', new Map(), context)).identity()
    const again = await (await findBenchmark('pubmed_qa', new Map(), context)).identity()
    expect(again).toEqual(first)
    expect(first['data']).toEqual({
      questions: '8b3276be8942ebbd77f3ddcda12c1749bf0e490045a736fd8438ee40cf37a41d',
    })
    expect(context.fileDigests.reads).toBe(1)
  })
})
