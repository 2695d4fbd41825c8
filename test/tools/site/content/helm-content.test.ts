import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { BoardAccess } from '../../../../targets/access/suppress-small.ts'
import { createRegistry } from '../../../../models/registry/registry.ts'
import { helmContent } from '../../../../tools/site/content/helm-content.ts'
import { newestScope } from '../../../../tools/cli/serve/shown-site.ts'
import { shared } from '../../../rig/shared.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'

const registry = createRegistry([], [])
const accessOf = async (): Promise<BoardAccess> => 'local'

const release = shared('golden/release/benchmark_output')

interface HelmTable {
  readonly title: string
  readonly header: readonly { readonly value: string }[]
  readonly rows: readonly (readonly { readonly value?: number }[])[]
}

describe.skipIf(release === undefined)('a release that HELM summarised', () => {
  const outputPath = release ?? ''

  test('has HELM’s own values and win rates, to the last digit', async () => {
    const { suite, problems } = await helmContent(
      { kind: 'release', name: 'r1' },
      { outputPath, registry, accessOf },
    )
    expect(problems).toEqual([])
    const file = join(outputPath, 'releases/r1/groups/medhelm_scenarios.json')
    const [accuracy] = JSON.parse(readFileSync(file, 'utf8')) as readonly HelmTable[]
    const helm = (accuracy?.rows ?? []).map((row) =>
      row.slice(1).flatMap(({ value }) => (value === undefined ? [] : [value])),
    )
    const numbers = (row: readonly (number | undefined | null)[]): readonly number[] =>
      row.filter((value): value is number => typeof value === 'number').sort((a, b) => a - b)
    const ours = suite.board.rows.map(({ winRate, cells }) =>
      numbers([winRate, ...cells.map(({ value }) => value)]),
    )
    expect(new Set(ours.map(String))).toEqual(new Set(helm.map((row) => String(numbers(row)))))
  })

  test('is what is shown when nothing was asked for', async () => {
    expect(await newestScope(outputPath)).toMatchObject({ name: expect.any(String) as string })
    expect(await newestScope(temporaryFolder())).toBeUndefined()
  })

  test('that is not there is named', async () => {
    await expect(
      helmContent({ kind: 'release', name: 'r9' }, { outputPath, registry, accessOf }),
    ).rejects.toMatchObject({ problems: [{ code: 'tools/no-such-release' }] })
  })
})

const walkthrough = shared('golden/seed-walkthroughs/llm_jury_score_demo/benchmark_output')

describe.skipIf(walkthrough === undefined)('the documentation’s walkthrough', () => {
  const outputPath = walkthrough ?? ''

  test('shows mean, interval, instances and what the judges said', async () => {
    const { suite, problems } = await helmContent(
      { kind: 'suite', name: 'DEMO' },
      { outputPath, registry, accessOf },
    )
    expect(problems).toEqual([])
    const [row] = suite.board.rows
    expect(row?.label).toBe('qwen/qwen2.5-7b-instruct')
    expect(row?.cells[0]).toMatchObject({ value: 3.1, n: 2, evaluated: 2 })
    const shown = []
    for await (const instance of suite.runs[0]?.instances?.() ?? []) shown.push(instance)
    expect(shown.map(({ id }) => id)).toEqual(['id0', 'id1'])
    expect(shown[0]?.judges[0]?.scores.map(({ criterion }) => criterion)).toContain('faithfulness')
    expect(shown[0]?.metrics[0]?.[0]).toBe('jury_score')
    expect(shown[0]?.judgePrompt).toContain('<QUESTION>')
  })

  test('pairs two models by question where their data stand in another order', async () => {
    const folder = temporaryFolder()
    const run = readdirSync(join(outputPath, 'runs/DEMO')).find((name) => name.includes('model=')) ?? ''
    for (const model of ['qwen2.5-7b-instruct', 'moved']) {
      const copy = join(folder, 'runs/DEMO', `${run.replace(/model=.*/, '')}model=qwen_${model}`)
      cpSync(join(outputPath, 'runs/DEMO', run), copy, { recursive: true })
      for (const file of readdirSync(copy)) {
        const text = readFileSync(join(copy, file), 'utf8').replaceAll('qwen2.5-7b-instruct', model)
        const turned = text.replaceAll(/id[01](?=")/g, (id) => (id === 'id0' ? 'id1' : 'id0'))
        writeFileSync(join(copy, file), model === 'moved' ? turned : text)
      }
    }
    const { suite, problems } = await helmContent(
      { kind: 'suite', name: 'DEMO' },
      { outputPath: folder, registry, accessOf },
    )
    expect(problems).toEqual([])
    const told = (suite.values ?? []).map(({ vector }) =>
      Object.fromEntries(vector.ids.map((id, at) => [id, vector.values[at]])),
    )
    expect(told).toHaveLength(2)
    expect(new Set(Object.values(told[0] ?? {})).size).toBe(2)
    expect(told[1]).toEqual(told[0])
  })

  test('shows no instance where the catalog knows the benchmark as private', async () => {
    const { suite } = await helmContent(
      { kind: 'suite', name: 'DEMO' },
      { outputPath, registry, accessOf: async () => 'private' },
    )
    expect(suite.runs[0]?.instances).toBeUndefined()
    expect(suite.runs[0]?.facts.spec.find(([label]) => label === 'Scenario')?.[1]).not.toContain('{')
  })
})
