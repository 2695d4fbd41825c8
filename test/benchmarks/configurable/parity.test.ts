import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { loads } from '../../../benchmarks/python/json.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { downSample } from '../../../benchmarks/sampling/choose-instances.ts'
import { benchmarkContext, instancesOf } from '../../rig/benchmark-context.ts'
import { declaredForm, get, instanceForm, scenarioForm, writtenForm } from '../../rig/helm-forms.ts'
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
      return { benchmark, instances: await instancesOf(benchmark) }
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
      const [group] = get(spec, 'groups') as readonly string[]
      expect(benchmark.groups[0]).toBe(group)
      const groups = benchmark.groups
      expect(declaredForm(benchmark)).toEqual({ ...writtenForm(spec), groups })
    })

    test('describes its scenario as HELM does', async () => {
      const { benchmark } = await load()
      expect(scenarioForm(benchmark)).toEqual(written('scenario.json'))
    })
  },
)
