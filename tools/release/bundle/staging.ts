import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../../cache/files/folders.ts'
import { stagedName, sweepStaged } from '../../../cache/files/write.ts'

/**
 * Lets `fill` write a folder beside its place and puts it there when all of it is written; what stood there goes.
 * If anything fails, everything stays as it was.
 */
export const writeFolder = async <T>(target: string, fill: (staged: string) => Promise<T>): Promise<T> => {
  makeFolder(dirname(target))
  const staging = stagedName(target)
  try {
    const staged = join(staging, 'new')
    await mkdir(staged, { recursive: true })
    const result = await fill(staged)
    await rename(target, join(staging, 'old')).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    await rename(staged, target)
    sweepStaged(dirname(target))
    return result
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}
