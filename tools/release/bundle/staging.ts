import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeSyncedFolder, syncFolder } from '../../../cache/files/folders.ts'
import { sideBySide } from '../../../cache/lists.ts'
import { leftStaged, putBack, REPLACED, stagedName } from '../../../cache/files/write.ts'

/**
 * Lets `fill` write a folder beside its place and puts it there when all of it is written, and then what it put into
 * `beside` next to it, all of it to stay; what stood there goes. If anything fails, everything stays as it was, at the
 * latest with the next `restoreFolder`.
 */
export const writeFolder = async <T>(
  target: string,
  fill: (staged: string, beside: string) => Promise<T>,
): Promise<T> => {
  const isNew = !existsSync(dirname(target))
  makeSyncedFolder(dirname(target))
  const staging = stagedName(target)
  try {
    const [staged, beside, replaced] = [join(staging, 'new'), join(staging, 'more'), join(staging, REPLACED)]
    for (const folder of [staged, beside, replaced]) await mkdir(folder, { recursive: true })
    const result = await fill(staged, beside)
    for (const folder of [staged, beside]) await syncBelow(folder)
    await rename(target, join(replaced, basename(target))).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    await rename(staged, target)
    for (const name of await readdir(beside)) await rename(join(beside, name), join(dirname(target), name))
    syncFolder(dirname(target))
    return result
  } finally {
    putBack(dirname(target), staging)
    await rm(staging, { recursive: true, force: true })
    // Goes only where nothing came to lie in it.
    if (isNew) await rmdir(dirname(target)).catch(() => undefined)
  }
}

/** One after the other, thousands of them take minutes. */
const SYNCED_AT_ONCE = 16

/** Brings a folder and all below it to disk: a site's files are not, each by itself. */
const syncBelow = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return
  const below = await readdir(folder, { recursive: true })
  await sideBySide(['', ...below], SYNCED_AT_ONCE, async (path) => {
    const file = await open(join(folder, path))
    await file.sync().finally(() => file.close())
  })
}

/** Puts back a folder whose writer was killed after it had moved the older one away. */
export const restoreFolder = (target: string): void => {
  const around = dirname(target)
  if (existsSync(target) || !existsSync(around)) return
  try {
    for (const name of leftStaged(around)) putBack(around, join(around, name))
  } catch {
    // Who may not write there is told that it is not there.
  }
}
