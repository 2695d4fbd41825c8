import { expect, test } from 'vitest'
import { createNodes } from '../../../tools/nx/plugin.ts'
import { gridEntry, gridFiles } from '../../bench/grid-files.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const FILES = {
  ...gridFiles({ benchmarks: 2, models: 2, rows: 1 }),
  'targets/second.conf': `entries: [{description: "${gridEntry('b01', 'm01')}", priority: 1}]\n`,
}

/** The projects by their folder, and the file that they are told of. */
const nodesOf = async (files: readonly string[], options?: unknown) => {
  const [found] = await createNodes(files, options, { workspaceRoot: createWorkspace(FILES) })
  return { of: found?.[0], projects: found?.[1].projects ?? {} }
}

test('Nx is told a project of each pair, benchmark and model, of the first file that is a suite', async () => {
  const { of, projects } = await nodesOf(['medmake.yaml', 'targets/grid.conf', 'targets/second.conf'])
  expect(of).toBe('targets/grid.conf')
  const byTag = (tag: string): readonly (string | undefined)[] =>
    Object.values(projects).flatMap(({ tags, name }) => (tags?.includes(tag) === true ? [name] : []))
  expect(byTag('leaderboard')).toEqual(['leaderboard'])
  expect(new Set(byTag('pair'))).toEqual(
    new Set(['m00--b00', 'm00--b01', 'm01--b00', 'm01--b01'].map((pair) => `grid_${pair}`)),
  )
  expect(byTag('benchmark')).toEqual(['benchmarks/b00', 'benchmarks/b01'])
  expect(byTag('model')).toEqual(['models/grid_m00', 'models/grid_m01'])
  expect(projects['benchmarks/b00']).toMatchObject({ metadata: { description: 'Made up.' }, targets: {} })
})

test('A pair hangs on medmake.yaml and on every suite of the workspace that asks for it', async () => {
  const { projects } = await nodesOf(['targets/grid.conf'])
  const inputs = (pair: string): string => {
    const project = Object.values(projects).find(({ name }) => name === pair)
    return JSON.stringify(project?.targets?.['generate']?.inputs)
  }
  const suites = (pair: string): readonly string[] =>
    ['medmake.yaml', 'targets/grid.conf', 'targets/second.conf'].filter((file) =>
      inputs(pair).includes(`/${file}"`),
    )
  expect(suites('grid_m00--b00')).toEqual(['medmake.yaml', 'targets/grid.conf'])
  expect(suites('grid_m01--b01')).toEqual(['medmake.yaml', 'targets/grid.conf', 'targets/second.conf'])
})

test('A workspace without suites has the projects of those that nx.json names, and none where it names none', async () => {
  expect(await nodesOf(['medmake.yaml'])).toEqual({ of: undefined, projects: {} })
  expect(await nodesOf([], { suites: ['grid'] })).toEqual({ of: undefined, projects: {} })
  const named = await nodesOf(['medmake.yaml'], { suites: ['second'] })
  expect(named.of).toBe('medmake.yaml')
  expect(Object.keys(named.projects)).toHaveLength(4)
})
