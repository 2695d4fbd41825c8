import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { packageRoot } from '../../../cache/package-root.ts'
import { loadRegistry } from '../../../models/registry/load.ts'
import { resolveEntries } from '../../../targets/entries/resolve.ts'
import { runEntryOf } from '../../../targets/entries/run-entry.ts'
import { jsonChunks } from '../../../tools/helm/write/staged-file.ts'
import { helmRunSpec, runSpecForm } from '../../../tools/helm/forms/run-spec.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { problemOf } from '../../rig/problem-of.ts'

/**
 * Run entries with what run_entries_to_run_specs of crfm-helm 0.5.16 makes of them without flags: each run's name and the head of the
 * SHA-256 of its run_spec.json; null where HELM raises.
 */
const expected = JSON.parse(
  await readFile(join(import.meta.dirname, '../../fixtures/run-specs/expanders.json'), 'utf8'),
) as Readonly<Record<string, readonly (readonly [string, string])[] | null>>

const context = benchmarkContext()
const registry = await loadRegistry({
  catalog: `${packageRoot()}/models/catalog`,
  workspace: context.workspace,
  localPath: `${context.workspace}/prod_env`,
})

const resolve = async (description: string): Promise<readonly (readonly [string, string])[]> => {
  const specs = await resolveEntries([runEntryOf(description)], {
    registry,
    findBenchmark: (name, args, where) => findBenchmark(name, args, context, where),
    options: {},
  })
  return specs.map((spec) => {
    const text = [...jsonChunks(runSpecForm.write(helmRunSpec(spec)))].join('')
    return [spec.name, createHash('sha256').update(text).digest('hex').slice(0, 16)] as const
  })
}

describe('run expanders', () => {
  it("give HELM's run specs, byte for byte", async () => {
    // HELM makes specs of several requests alike, and can run none of them.
    const entries = Object.entries(expected).filter(
      ([entry, specs]) => specs !== null && !entry.includes('num_trials='),
    )
    const ours = await Promise.all(entries.map(async ([entry]) => [entry, await resolve(entry)]))
    expect(entries.length).toBeGreaterThan(200)
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(entries))
  })

  it.each(Object.entries(expected).flatMap(([entry, specs]) => (specs === null ? [entry] : [])))(
    'refuse %s, where HELM raises',
    async (entry) => {
      expect(await problemOf(() => resolve(entry))).toMatchObject({ code: 'targets/expander-value' })
    },
  )

  it.each([
    'data_augmentation=canonical',
    'process_output=helm.benchmark.metrics.output_processors.remove_deepseek_r1_thinking',
    'tokenizer=default',
    'num_prompt_tokens=256',
    'chatml=1',
    'num_trials=2',
    'num_trials=heim_efficiency',
  ])('refuse %s by name: it is not done here', async (argument) => {
    expect(
      await problemOf(() => resolve(`pubmed_qa:model=openai/gpt-4o-2024-05-13,${argument}`)),
    ).toMatchObject({
      code: 'targets/unsupported-expander',
      message: expect.stringContaining(argument) as string,
    })
  })

  it.each(['num_train_trials', 'max_eval_instances', 'max_train_instances', 'num_outputs'])(
    'refuse %s below 0',
    async (key) => {
      const entry = `pubmed_qa:model=openai/gpt-4o-2024-05-13,${key}=-1`
      expect(await problemOf(() => resolve(entry))).toMatchObject({ code: 'targets/expander-value' })
    },
  )

  it.each(['0.5', '1e3'])('refuse %s more tokens: servers count whole ones', async (more) => {
    const entry = `pubmed_qa:model=openai/gpt-4o-2024-05-13,increase_max_tokens=${more}`
    expect(await problemOf(() => resolve(entry))).toMatchObject({ code: 'targets/expander-value' })
  })

  it('ask once where an entry says so', async () => {
    const [[name] = []] = await resolve('pubmed_qa:model=openai/gpt-4o-2024-05-13,num_trials=1')
    expect(name).toBe('pubmed_qa:model=openai_gpt-4o-2024-05-13,num_trials=1')
  })

  it.each(['prompt=constructor', 'stop=toString', 'instructions=x', 'output_format_instructions=valueOf'])(
    'know no %s',
    async (argument) => {
      const entry = `medication_qa:model=openai/gpt-4o-2024-05-13,${argument}`
      expect(await problemOf(() => resolve(entry))).toMatchObject({ code: 'targets/expander-value' })
    },
  )
})
