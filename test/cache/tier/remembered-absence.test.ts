import { mkdirSync, writeFileSync } from 'node:fs'
import type * as Files from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { folderTier } from '../../../cache/tier/folder-tier.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

/** Folders that were not there, as NFS remembers them: until the folder that holds them is listed. */
const { absent } = vi.hoisted(() => ({ absent: new Set<string>() }))

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Files>()
  const readdir = async (path: string, options: object): Promise<unknown> => {
    let at = path
    while (!absent.has(at) && at !== dirname(at)) at = dirname(at)
    const entries = absent.has(at) ? undefined : await real.readdir(path, options).catch(() => undefined)
    if (entries === undefined) {
      absent.add(path)
      throw Object.assign(new Error('not there'), { code: 'ENOENT' })
    }
    for (const known of absent) if (dirname(known) === path) absent.delete(known)
    return entries
  }
  return { ...real, readdir }
})

test('a folder that was not there at the last look is listed once another machine has made it', async () => {
  const place = temporaryFolder()
  const tier = folderTier(place)
  expect(await tier.list('segments/a')).toEqual([])
  const made = join(place, 'medmake-1/segments/a')
  mkdirSync(made, { recursive: true })
  writeFileSync(join(made, '0.log'), '')
  expect(await tier.list('segments/a')).toEqual([{ name: 'segments/a/0.log' }])
})
