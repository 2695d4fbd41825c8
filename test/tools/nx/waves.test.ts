import { expect, it } from 'vitest'
import { gridFiles } from '../../bench/grid-files.ts'
import { createNxWorkspace } from '../../rig/nx.ts'
import { nxRun } from '../../rig/nx-tasks.ts'

it('more pairs than one wave takes are finished by further waves', async () => {
  const cwd = createNxWorkspace(gridFiles({ benchmarks: 24, models: 13, rows: 1 }))
  const shown = { NX_DEFAULT_OUTPUT_STYLE: 'static' }
  const { code, ran, output } = await nxRun(['run-many', '-t', 'generate'], { cwd, env: shown })
  expect({ code, ran: ran.length }, output.slice(-2000)).toEqual({ code: 0, ran: 312 })
  expect(output.match(/Running \d+ tasks? with medmake:generate/g)?.length).toBeGreaterThan(1)
})
