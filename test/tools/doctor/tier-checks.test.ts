import { expect, test } from 'vitest'
import { openTier } from '../../../cache/tier/open-tier.ts'
import type { Tier } from '../../../cache/tier/tier.ts'
import { tierChecks } from '../../../tools/doctor/tier-checks.ts'
import { medmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace } from '../../rig/workspace.ts'

test('doctor tries a tier that is named, and says where names or bytes are not what a run needs', async () => {
  const folder = temporaryFolder()
  const told = await medmake(['doctor', '--tier', folder], { cwd: createWorkspace() })
  expect(told.stdout).toMatch(/ok +tier: names: of 16 .* one did/)
  expect(told.stdout).toMatch(/ok +tier: appends/)
  expect(told.stdout).toContain('on another machine, too')
  const tier = await openTier(folder, '/')
  const states = async (broken: Partial<Tier>): Promise<readonly string[]> =>
    (await tierChecks({ ...tier, ...broken })).map(({ name, state }) => `${name} ${state}`)
  expect(await states({ create: async () => true })).toContain('tier: names problem')
  expect(await states({ list: async () => [] })).toContain('tier: names problem')
  const forgets = { append: async () => undefined, close: async () => undefined }
  expect(await states({ writer: () => forgets })).toContain('tier: appends problem')
})
