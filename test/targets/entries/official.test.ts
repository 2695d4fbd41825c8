import { describe, expect, it } from 'vitest'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { packageRoot } from '../../../cache/package-root.ts'
import { loadRegistry } from '../../../models/registry/load.ts'
import { resolveEntries } from '../../../targets/entries/resolve.ts'
import { readRunEntries } from '../../../targets/entries/run-entry.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { shared } from '../../rig/shared.ts'

describe.skipIf(shared('golden') === undefined)("HELM's three suites", () => {
  it('resolve to 702 runs of 37 benchmarks, every name once', async () => {
    const context = benchmarkContext()
    const registry = await loadRegistry({
      catalog: `${packageRoot()}/models/catalog`,
      workspace: context.workspace,
      localPath: `${context.workspace}/prod_env`,
    })
    const names: string[] = []
    const benchmarks = new Set<string>()
    const failed: unknown[] = []
    for (const file of ['public', 'gated', 'private_stanford']) {
      const entries = await readRunEntries(
        shared(`golden/official-inputs/run_entries_medhelm_${file}.conf`) ?? '',
      )
      for (const entry of entries) {
        const [spec] = await resolveEntries([entry], {
          registry,
          findBenchmark: (name, args, where) => findBenchmark(name, args, context, where),
          options: { maxEvalInstances: 1000, numTrainTrials: 1 },
        }).catch((error: unknown) => {
          failed.push(error)
          return []
        })
        if (spec === undefined) continue
        names.push(spec.name)
        benchmarks.add(spec.benchmark.name)
      }
    }
    expect(failed.map(String)).toEqual([
      expect.stringContaining("health_admin_bench can't be run here: it needs the harness"),
    ])
    expect(benchmarks.size).toBe(37)
    expect(names).toHaveLength(702)
    expect(new Set(names).size).toBe(702)
    expect(names).toContain(
      'head_qa:language=en,category=None,model=openai_gpt-4o-2024-05-13,model_deployment=stanfordhealthcare_gpt-4o-2024-05-13',
    )
    expect(names).toContain(
      'ehrshot:subject=guo_readmission,num_output_tokens=4000,model=deepseek-ai_deepseek-r1,model_deployment=stanfordhealthcare_deepseek-r1',
    )
    expect(names).toContain(
      'med_dialog,subset=icliniq:model=openai_gpt-4o-2024-05-13,model_deployment=stanfordhealthcare_gpt-4o-2024-05-13',
    )
  })
})
