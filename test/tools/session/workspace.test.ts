import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findWorkspace, storePathOf } from '../../../tools/session/workspace/workspace.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace } from '../../rig/workspace.ts'

test('A workspace is found from any folder in it, with its settings; without one the folder itself is it', async () => {
  const root = createWorkspace({ 'medmake.yaml': 'max_eval_instances: 3\n' })
  const deep = join(root, 'benchmarks/a/b')
  mkdirSync(deep, { recursive: true })
  const found = await findWorkspace(deep)
  expect(found).toMatchObject({ root, config: { max_eval_instances: 3 } })
  expect([found.path('cache/store'), found.path('/x')]).toEqual([join(root, 'cache/store'), '/x'])
  expect(storePathOf(found, { MEDMAKE_STORE: 'other' })).toBe(join(root, 'other'))
  expect(storePathOf(found, { MEDMAKE_STORE: '' })).toBe(join(root, 'cache/store'))
  const lone = realpathSync(temporaryFolder())
  expect((await findWorkspace(lone)).root).toBe(lone)
})
