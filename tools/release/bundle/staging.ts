import { mkdtemp, mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../../../cache/make-folder.ts'

/**
 * Lets `fill` write a folder beside its place and puts it there when all of it is written; what stood there goes.
 * If anything fails, everything stays as it was.
 */
export const writeFolder = async <T>(target: string, fill: (staged: string) => Promise<T>): Promise<T> => {
  makeFolder(dirname(target))
  const staging = await mkdtemp(join(dirname(target), `.${basename(target)}-`))
  try {
    const staged = join(staging, 'new')
    await mkdir(staged)
    const result = await fill(staged)
    await rename(target, join(staging, 'old')).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    await rename(staged, target)
    return result
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}
