import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { shared } from '../../rig/shared.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const published = shared('published/helm-run-medication_qa-gpt-4o')
const mirror = shared('mirror')

interface Stat {
  readonly name: { readonly name: string }
}

/** Metrics of this run that want a GPU's models. */
const UNCOMPUTED = new Set(['BERTScore-P', 'BERTScore-R', 'BERTScore-F', 'summac'])

const JUDGE = '  - {name: extra, model: fake/extra, model_deployment: fake/extra}\n'
const JUDGES = `judges:
  - {name: gpt, model: openai/gpt-4o-2024-05-13, model_deployment: stanfordhealthcare/gpt-4o-2024-05-13}
  - {name: llama, model: meta/llama-3.3-70b-instruct, model_deployment: stanfordhealthcare/llama-3.3-70b-instruct}
  - {name: claude, model: anthropic/claude-3-7-sonnet-20250219, model_deployment: stanfordhealthcare/claude-3-7-sonnet-20250219}
`

describe.skipIf(published === undefined || mirror === undefined)("a published run of HELM's", () => {
  it('is scored again to its own numbers for nothing, and one more judge costs one call an instance', async () => {
    const server = await fakeServer()
    const root = createWorkspace({ 'models/fake.yaml': modelsYaml(server, ['fake/extra']) })
    const folder = published ?? ''
    const imported = await medmake(['release', 'import', folder, '--json'], { cwd: root })
    expect(JSON.parse(imported.stdout)).toMatchObject({
      runs: [{ completions: 10, judgements: 30, skipped: {} }],
    })
    const name =
      'medication_qa:model=openai_gpt-4o-2024-05-13,model_deployment=stanfordhealthcare_gpt-4o-2024-05-13'
    const entry = name.replace('openai_', 'openai/').replace('stanfordhealthcare_', 'stanfordhealthcare/')
    const run = async () => {
      const result = await medmake(
        ['run', '--json', '-m', '10', '-r', entry, '--suite', 'pub', '--mirror', mirror ?? ''],
        { cwd: root },
      )
      return JSON.parse(result.stdout) as { readonly providerCalls: number; readonly targets: unknown }
    }
    expect(await run()).toMatchObject({ providerCalls: 0, targets: { built: 1 } })
    const stats = (path: string): readonly Stat[] =>
      (JSON.parse(readFileSync(join(path, 'stats.json'), 'utf8')) as readonly Stat[]).filter(
        (stat) => !UNCOMPUTED.has(stat.name.name),
      )
    const own = stats(folder)
    expect(own).toHaveLength(78)
    expect(stats(join(root, 'benchmark_output/runs/pub', name))).toEqual(expect.arrayContaining([...own]))
    writeFiles(root, { 'benchmarks/judges.yaml': JUDGES + JUDGE })
    expect(await run()).toMatchObject({ providerCalls: 10, targets: { built: 1 } })
  })
})
