import { existsSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
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

test('Where none can be made, that is told with its place', async () => {
  const found = await problemOf(() => withScratch({ TMPDIR: '/dev/null/none' }, async () => undefined))
  expect(found).toMatchObject({ code: 'cache/no-scratch', where: { file: '/dev/null/none' } })
})
