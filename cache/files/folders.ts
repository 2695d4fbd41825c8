import { existsSync, mkdirSync, statSync, closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and those above it that are missing. Node's own way never ends where the system calls a parent missing
 * that is there, as automounted homes and /proc do.
 *
 * @param mode of what is made, as far as the umask lets it
 * @returns the uppermost folder that was made; undefined where all were there
 * @throws Node's error: EEXIST or ENOTDIR for a file in the way, ENOENT, EACCES, EROFS and the like
 */
export const makeFolder = (path: string, mode?: number): string | undefined => {
  const missing: string[] = []
  let folder = resolve(path)
  while (!existsSync(folder) && folder !== dirname(folder)) {
    missing.unshift(folder)
    folder = dirname(folder)
  }
  if (missing.length === 0 && !statSync(folder).isDirectory()) mkdirSync(folder)
  let first: string | undefined
  for (const each of missing) if (isMade(each, mode)) first ??= each
  return first
}

/** False where another process made it meanwhile. */
const isMade = (folder: string, mode: number | undefined): boolean => {
  try {
    mkdirSync(folder, mode)
    return true
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
    return false
  }
}

/** Makes a folder's list of names durable: without it a new file may be gone after a power cut. */
export const syncFolder = (folder: string): void => {
  if (process.platform === 'win32') return
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** `makeFolder`, to stay. */
export const makeSyncedFolder = (folder: string, mode?: number): void => {
  const first = makeFolder(folder, mode)
  if (first === undefined) return
  for (let made = resolve(folder); made !== dirname(first); made = dirname(made)) syncFolder(dirname(made))
}
