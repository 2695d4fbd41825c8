import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gridFiles } from '../../bench/grid-files.ts'
import { medmake } from '../../rig/medmake.ts'
import { createNxWorkspace, nx } from '../../rig/nx.ts'
import { nxRun } from '../../rig/nx-tasks.ts'
import { writeFiles } from '../../rig/workspace.ts'

interface Graph {
  readonly nodes: Readonly<
    Record<string, { readonly data: { readonly metadata?: object; readonly targets?: object } }>
  >
  readonly dependencies: Readonly<Record<string, readonly { readonly target: string }[]>>
}

const graphOf = async (cwd: string): Promise<Graph> => {
  const { code, output } = await nx(['graph', '--file=graph.json'], { cwd })
  expect(code, output).toBe(0)
  return (JSON.parse(readFileSync(join(cwd, 'graph.json'), 'utf8')) as { graph: Graph }).graph
}

it('The plugin is found by the name that Nx 20 and 21 ask for, too.', () => {
  const plugin = createRequire(import.meta.url)('../../../tools/nx/index.cjs') as Record<string, unknown>
  expect(plugin['createNodesV2']).toBeDefined()
  expect(plugin['createNodesV2']).toBe(plugin['createNodes'])
})

describe('the graph of Nx', () => {
  it('leads from benchmark and model over the pair to the leaderboard, and says what each is', async () => {
    const { nodes, dependencies } = await graphOf(
      createNxWorkspace(gridFiles({ benchmarks: 2, models: 2, rows: 1 })),
    )
    const targets = (source: string): readonly string[] =>
      (dependencies[source] ?? []).map(({ target }) => target).toSorted((a, b) => (a < b ? -1 : 1))
    expect(targets('grid_m00--b01')).toEqual(['benchmarks/b01', 'models/grid_m00'])
    expect(targets('leaderboard')).toEqual([
      'grid_m00--b00',
      'grid_m00--b01',
      'grid_m01--b00',
      'grid_m01--b01',
    ])
    expect(nodes['grid_m00--b01']?.data).toMatchObject({
      metadata: { technologies: ['medmake'], description: expect.stringContaining('grid/m00') as unknown },
      targets: {
        score: { metadata: { technologies: ['medmake'], help: { command: 'npx medmake explain --help' } } },
      },
    })
    expect(nodes['benchmarks/b00']?.data.targets).toEqual({})
  })
})

const withOptions = (cwd: string, options: object): void => {
  const nxJson = JSON.parse(readFileSync(join(cwd, 'nx.json'), 'utf8')) as object
  writeFiles(cwd, {
    'nx.json': JSON.stringify({ ...nxJson, plugins: [{ plugin: 'medmake/nx', options }] }),
  })
}

describe("the plugin's options", () => {
  it('choose suites and name targets', async () => {
    const cwd = createNxWorkspace({
      ...gridFiles({ benchmarks: 2, models: 1, rows: 1 }),
      'targets/one.conf': 'entries: [{description: "b01:model=grid/m00"}]',
    })
    withOptions(cwd, { suites: ['one', 'demo'], generateTargetName: 'ask', scoreTargetName: 'measure' })
    const { code, ran, output } = await nxRun(['run', 'leaderboard:report'], { cwd })
    expect(code, output).toBe(0)
    const [demo, own] = [/^baseline_/, /^grid_/].map((start) => ran.filter((task) => start.test(task)))
    // The built-in demo names its models: four of three benchmarks.
    expect(demo).toHaveLength(24)
    expect(own).toEqual(['grid_m00--b01:ask', 'grid_m00--b01:measure'])
    expect(ran.at(-1)).toBe('leaderboard:report')
  })

  it('make a graph of built-in suites where the workspace has none of its own', async () => {
    const cwd = createNxWorkspace({})
    withOptions(cwd, { suites: ['demo'] })
    const { code, output } = await nx(['show', 'projects'], { cwd })
    expect(code, output).toBe(0)
    expect(output).toContain('baseline_lead--demo_multiple_choice')
    expect(output).toContain('leaderboard')
  })

  it('are named when they are none', async () => {
    const cwd = createNxWorkspace(gridFiles({ benchmarks: 1, models: 1, rows: 1 }))
    withOptions(cwd, { suite: ['one'] })
    const { code, output } = await nx(['show', 'projects'], { cwd })
    expect(code).toBe(1)
    expect(output).toContain('[nx/bad-option]')
    expect(output).toContain('Its options: suites, generateTargetName')
  })
})

describe('the generators', () => {
  it('make a benchmark and a model that medmake takes, and overwrite neither', async () => {
    const cwd = createNxWorkspace({ 'targets/main.conf': 'entries: []' })
    const made = [
      await nx(['g', 'medmake:benchmark', 'smoking', '--ownMetric=negation'], { cwd }),
      await nx(['g', 'medmake:model', 'meta/llama-3', '--baseUrl=http://127.0.0.1:9/v1'], { cwd }),
    ]
    for (const { code, output } of made) expect(code, output).toBe(0)
    const planned = await medmake(['run', '--dry-run', '-r', 'smoking:model=meta/llama-3', '--suite', 's'], {
      cwd,
    })
    expect(planned.code, planned.stderr).toBe(0)
    expect(planned.stdout).toContain('smoking')
    const again = await nx(['g', 'medmake:benchmark', 'smoking'], { cwd })
    expect(again.code).toBe(1)
    expect(again.output).toContain('[benchmarks/exists]')
    // Code of the workspace may not end a process; Nx, which each of these tasks is a process of, may.
    writeFiles(cwd, { 'targets/main.conf': 'entries: [{description: "smoking:model=baseline/lead"}]' })
    const built = await nx(['run', 'leaderboard:report', '--batch=false'], { cwd })
    expect(built.code, built.output).toBe(0)
  })

  it('set up a workspace that has Nx and nothing of medmake', async () => {
    const cwd = createNxWorkspace({ 'nx.json': '{"analytics": false}\n', '.gitignore': 'node_modules/' })
    const { code, output } = await nx(['g', 'medmake:init'], { cwd })
    expect(code, output).toBe(0)
    expect(readFileSync(join(cwd, '.gitignore'), 'utf8')).toContain('node_modules/\n.nx/\n/cache/\n')
    const shown = await nx(['show', 'projects'], { cwd })
    expect(shown.output).toContain('baseline_first-choice--demo_multiple_choice')
  })
})
