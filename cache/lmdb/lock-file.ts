import { accessSync, constants, existsSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** What LMDB asks for with 1,024 readers is 65,744 bytes; a larger file is used as it is. */
const LOCK_BYTES = 72 * 1024
const BLOCK = 512

export const lockFile = (index: string): string => `${index}-lock`

/** True where each page of the lock file has its place on the disk. */
const isWhole = (file: string): boolean => {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && stat.isFile() && stat.size >= LOCK_BYTES && stat.blocks * BLOCK >= stat.size
}

/**
 * Gives LMDB a fresh lock file of which every page is on the disk. LMDB itself would make one that is mostly holes and
 * write to it through memory: on a full disk that ends the process. To be called while no other process has the index
 * open: the file holds only what live processes need, and a damaged one could stop this one for ever.
 * @throws the system's error where there is no room
 */
export const freshLockFile = (index: string): void => {
  const file = lockFile(index)
  const mode = 0o666 & (statSync(index, { throwIfNoEntry: false })?.mode ?? 0o666)
  try {
    // Blocks that are there already are written over: that needs no room and no sync.
    if (isWhole(file)) return writeFileSync(file, Buffer.alloc(statSync(file).size), { flag: 'r+' })
    rmSync(file, { recursive: true, force: true })
    writeFileSync(file, Buffer.alloc(LOCK_BYTES), { mode, flush: true })
  } catch (error) {
    rmSync(file, { recursive: true, force: true })
    throw error
  }
}

/** False where this user may not write to a lock file that others left: nor could LMDB say in it what is read. */
export const mayLock = (index: string): boolean => {
  if (!existsSync(lockFile(index))) return true
  try {
    accessSync(lockFile(index), constants.W_OK)
    return true
  } catch {
    return false
  }
}
