import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder as made } from '../../../cache/files/write.ts'
import { formatIdentity, identifyProcess } from '../../../cache/processes/process-identity.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

test('what a process left that was killed goes with the next folder, what lives and what is another’s stays', () => {
  const parent = temporaryFolder()
  vi.stubEnv('TMPDIR', parent)
  onTestFinished(() => void vi.unstubAllEnvs())
  const own = identifyProcess()
  const name = (identity: typeof own): string => `medmake-release-${formatIdentity(identity)}-abc123`
  const [gone, alive] = [name({ ...own, start: '1' }), name(own)]
  const elsewhere = name({ ...own, boot: 'f'.repeat(16) })
  for (const each of [gone, alive, elsewhere, 'medmake-mine', 'other']) mkdirSync(join(parent, each))
  writeFileSync(join(parent, gone, 'text.json'), 'a text')
  // Not even what nobody touched for years.
  for (const each of ['medmake-mine', 'other']) utimesSync(join(parent, each), 0, 0)
  const folder = made('check')
  expect(readdirSync(parent).sort()).toEqual(
    [alive, elsewhere, 'medmake-mine', 'other', folder.slice(parent.length + 1)].sort(),
  )
})
