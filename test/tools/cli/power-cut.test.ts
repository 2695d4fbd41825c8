import { expect, test } from 'vitest'
import { fakeServer } from '../../rig/fake-server.ts'
import { medmake, spawnMedmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { watchNames } from '../../rig/unsynced.ts'
import { createWorkspace } from '../../rig/workspace.ts'
import { gridFiles } from '../../bench/grid-files.ts'
import { planStudy } from '../rating-desk/plan-study.ts'
import { ratedWorkspace } from '../rating-desk/rated-workspace.ts'

test('Each name that leads to a paid reply or to the key of the vault is on disk when a run ends', async () => {
  const { url } = await fakeServer()
  const cwd = createWorkspace({ ...gridFiles({ benchmarks: 1, models: 1, rows: 3, url, access: 'private' }) })
  const watched = watchNames()
  // The key lies apart from the store: what is written to one disk takes nothing to another.
  const env = { ...watched.env, HOME: temporaryFolder(), MEDMAKE_VAULT_KEY: '' }
  expect(await spawnMedmake(['run'], { cwd, env })).toMatchObject({ code: 0 })
  // The rest is made again.
  const isRemade = /\/(benchmark_output|claims|\.cache|medmake-test-limits)(\/|$)/
  expect(watched.unsynced().filter((path) => !isRemade.test(path))).toEqual([])
})

test('A drawn plan is on disk when it is told of', async () => {
  const cwd = await ratedWorkspace({ notes: 6, models: ['fake/a'] })
  await planStudy(cwd, { raters: 'ann', labels: 3 })
  const watched = watchNames()
  const args = ['rate', 'plan', '--study', 'other', '--raters', 'bob', '--labels', '3']
  expect(await spawnMedmake(args, { cwd, env: watched.env })).toMatchObject({ code: 0 })
  expect(watched.unsynced().filter((path) => path.includes('/ratings'))).toEqual([])
})

test('A release is on disk when it is told of, its site and its archive, too', async () => {
  const cwd = createWorkspace(gridFiles({ benchmarks: 1, models: 1, rows: 1 }))
  expect(await medmake(['run'], { cwd })).toMatchObject({ code: 0 })
  const watched = watchNames()
  const args = ['release', 'create', 'r']
  expect(await spawnMedmake(args, { cwd, env: watched.env })).toMatchObject({ code: 0 })
  expect(watched.unsynced().filter((path) => path.includes('/releases'))).toEqual([])
})
