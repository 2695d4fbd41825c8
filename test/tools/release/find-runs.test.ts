import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findRuns } from '../../../tools/release/import/find-runs.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const FILES = ['run_spec.json', 'scenario_state.json'] as const

it('finds runs that are links, or whose files are, and follows no link round and round', async () => {
  const root = temporaryFolder()
  const kept = join(root, 'kept')
  const suite = join(root, 'out/runs/s')
  const linked = join(suite, 'files-linked')
  for (const folder of [kept, linked]) mkdirSync(folder, { recursive: true })
  for (const name of FILES) {
    writeFileSync(join(kept, name), '{}')
    symlinkSync(join(kept, name), join(linked, name))
  }
  symlinkSync(kept, join(suite, 'folder-linked'))
  symlinkSync(join(root, 'out'), join(suite, 'back'))
  const found = await findRuns(join(root, 'out'), () => true)
  expect(found).toEqual([linked, join(suite, 'folder-linked')])
})

it('finds no run in what is a file, and says so', async () => {
  const file = join(temporaryFolder(), 'runs.txt')
  writeFileSync(file, '')
  await expect(findRuns(file, () => true)).rejects.toThrow('release/no-runs')
})
