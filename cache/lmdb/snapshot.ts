import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { plain } from '../files/read.ts'
import { temporaryFolder } from '../files/write.ts'
import { damaged, unusableFolder } from '../store-problems.ts'
import { checkIndex } from './check-pages.ts'
import { isSealed, stateOf } from './index-files.ts'

/** A writer that commits twice while the file is copied may spoil the copy. */
const TRIES = 20

/** What is wrong with an index beside its values. */
type FaultOf = (index: string) => string | undefined

/** Copies the index until the copy is sound. @throws ProblemError `cache/damaged`, or an error where others write to it */
const copySound = (index: string, copy: string, faultOf: FaultOf): void => {
  const before = stateOf(index)
  let report: ReturnType<typeof checkIndex> = ''
  for (let tries = 0; tries < TRIES && typeof report === 'string'; tries++) {
    copyFileSync(plain(index), copy)
    report = checkIndex(copy)
  }
  // Where others write, records move meanwhile, and their keys were looked at when the first of them opened it.
  const isQuiet = (): boolean => stateOf(index) === before
  const fault = typeof report === 'string' || !isQuiet() || isSealed(index) ? undefined : faultOf(copy)
  if (fault !== undefined && isQuiet()) throw damaged(index, fault)
  if (typeof report !== 'string') return
  if (isQuiet()) throw damaged(index, report)
  throw new Error('others write to it all the while, and this user may not say in it that it is read')
}

/**
 * Gives `open` a sound copy of an index, for who can't tell the others of its reading: LMDB would write to their lock
 * file, or give the pages that are being read to others. The copy goes away with whoever has it open.
 * @throws ProblemError `cache/damaged`, or `cache/not-accessible` where there is no room for a copy
 */
export const openSnapshot = async <T>(
  index: string,
  faultOf: FaultOf,
  open: (copy: string) => Promise<T>,
): Promise<T> => {
  let folder: string | undefined
  try {
    folder = temporaryFolder('index')
    const copy = join(folder, 'index.lmdb')
    copySound(index, copy, faultOf)
    return await open(copy)
  } catch (error) {
    throw unusableFolder(index, error)
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}
