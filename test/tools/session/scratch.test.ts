import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { formatIdentity, identifyProcess } from '../../../cache/processes/process-identity.ts'
import { withScratch } from '../../../tools/session/tier/scratch.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

test('A task’s own folder goes with the task, however it ends', async () => {
  const parent = temporaryFolder()
  const env = { TMPDIR: parent }
  const used = await withScratch(env, async ({ storePath }) => {
    expect(readdirSync(dirname(storePath))).toEqual(['owner'])
    return dirname(storePath)
  })
  expect(existsSync(used)).toBe(false)
  await expect(withScratch(env, () => Promise.reject(new Error('ended')))).rejects.toThrow('ended')
  expect(readdirSync(parent)).toEqual([])
})

test('One that holds what could not be brought elsewhere stays, and no later task takes it for left', async () => {
  const [parent, elsewhere] = [temporaryFolder(), temporaryFolder()]
  // Slurm’s own comes first.
  const env = { SLURM_TMPDIR: parent, TMPDIR: elsewhere }
  const kept = await withScratch(env, async ({ storePath, keep }) => {
    keep()
    return dirname(storePath)
  })
  await withScratch(env, async () => undefined)
  expect(existsSync(kept)).toBe(true)
  expect(readdirSync(kept)).toEqual([])
  expect(readdirSync(elsewhere)).toEqual([])
})

test('What killed tasks left goes with the next start, also of an earlier boot, and nothing that may be alive', async () => {
  const parent = temporaryFolder()
  const own = identifyProcess()
  const LONG_AGO = 1_000_000
  const left = (name: string, owner: Partial<typeof own>, written: number): string => {
    const folder = join(parent, `medmake-shard-${name}`)
    mkdirSync(join(folder, 'store/values'), { recursive: true })
    const files = ['owner', 'store/values/00000001.log']
    for (const file of files) writeFileSync(join(folder, file), formatIdentity({ ...own, ...owner }))
    for (const file of [...files, 'store/values', 'store']) utimesSync(join(folder, file), LONG_AGO, LONG_AGO)
    utimesSync(join(folder, 'store/values/00000001.log'), written, written)
    return `medmake-shard-${name}`
  }
  const now = Date.now() / 1000
  left('killed', { start: '1' }, now)
  left('before', { boot: 'f'.repeat(16) }, LONG_AGO)
  const kept = [
    left('alive', {}, LONG_AGO),
    left('elsewhere', { boot: 'f'.repeat(16) }, now),
    left('contained', { namespace: '1' }, LONG_AGO),
  ]
  await withScratch({ TMPDIR: parent }, async () => undefined)
  expect(readdirSync(parent).toSorted()).toEqual(kept.toSorted())
})

test('Where none can be made, that is told with its place', async () => {
  const found = await problemOf(() => withScratch({ TMPDIR: '/dev/null/none' }, async () => undefined))
  expect(found).toMatchObject({ code: 'cache/no-scratch', where: { file: '/dev/null/none' } })
})
