import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { loads } from '../../../benchmarks/python/json.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { downSample } from '../../../benchmarks/sampling/choose-instances.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { adapterForm, get, instanceForm, objectSpecForm, withoutRunFields } from '../../rig/helm-forms.ts'
import { shared } from '../../rig/shared.ts'

const goldens = [
  ['seed-walkthroughs/exact_match_demo', 'exact_match_demo.yaml', 'EXACT-MATCH-DEMO:'],
  ['seed-walkthroughs/llm_jury_score_demo', 'llm_jury_score_demo.yaml', 'LLM-JURY-SCORE-DEMO:'],
  ['configurable-benchmark', 'b.yaml', 'DEMO-EM:model=simple_model1'],
] as const

describe.skipIf(shared('golden/configurable-benchmark') === undefined).each(goldens)(
  '%s',
  (golden, config, run) => {
    const folder = shared(`golden/${golden}`) ?? ''

    const load = async () => {
      const args = new Map([['config_path', config]])
      const context = benchmarkContext({ cwd: folder, csvTypes: 'pandas' })
      const benchmark = await findBenchmark('medhelm_configurable_benchmark', args, context)
      const instances: Instance[] = []
      for await (const instance of benchmark.instances()) instances.push(instance)
      return { benchmark, instances }
    }
    const written = (file: string): PyValue => {
      const name = readdirSync(join(folder, 'benchmark_output/runs'))
        .flatMap((suite) =>
          readdirSync(join(folder, 'benchmark_output/runs', suite)).map((name) => join(suite, name)),
        )
        .find((path) => path.includes(`/${run}`))
      return loads(readFileSync(join(folder, 'benchmark_output/runs', name ?? '', file), 'utf8'))
    }

    test('gives the instances that HELM writes', async () => {
      const { instances } = await load()
      expect(downSample(instances, 12).map(instanceForm)).toEqual(written('instances.json'))
    })

    test('has the run spec that HELM writes', async () => {
      const { benchmark } = await load()
      const spec = written('run_spec.json')
      expect(get(spec, 'name')).toMatch(new RegExp(`^${benchmark.runName}:`))
      expect(objectSpecForm(benchmark.scenario.spec)).toEqual(get(spec, 'scenario_spec'))
      expect(adapterForm(benchmark.adapter)).toEqual(withoutRunFields(get(spec, 'adapter_spec')))
      expect(benchmark.metrics.map(({ helm }) => objectSpecForm(helm))).toEqual(get(spec, 'metric_specs'))
      expect((get(spec, 'groups') as string[])[0]).toBe(benchmark.groups[0])
      expect(benchmark.annotators?.map(objectSpecForm)).toEqual(get(spec, 'annotators'))
    })

    test('describes its scenario as HELM does', async () => {
      const { benchmark } = await load()
      const { name, description, tags, definitionPath } = benchmark.scenario
      expect([name, description, tags, definitionPath]).toEqual(
        ['name', 'description', 'tags', 'definition_path'].map((key) => get(written('scenario.json'), key)),
      )
    })
  },
)
