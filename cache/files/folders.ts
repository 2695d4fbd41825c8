import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  statSync,
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  realpathSync,
} from 'node:fs'
import { dirname, resolve, join } from 'node:path'
import { isMadeUp } from './read.ts'

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

/**
 * Makes nothing: fails where `makeFolder` would, or where nothing could be written into what it makes, as far as that can be
 * seen before.
 * @throws Node's error
 */
export const requireMakeable = (path: string): void => {
  let folder = resolve(path)
  while (!existsSync(folder) && !isLink(folder) && folder !== dirname(folder)) folder = dirname(folder)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) mkdirSync(folder)
  accessSync(folder, constants.W_OK | constants.X_OK)
}

/** Also one to nowhere, which `existsSync` takes for nothing. */
const isLink = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  } catch {
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

/**
 * The real paths of all files below a folder, or of the file itself. Links are followed and each folder is looked into
 * once: by Node's own recursion two links to a folder above them lead on without end. What may not be read, or is gone, is
 * left out: whoever reads it says what is wrong with it.
 */
export const filesBelow = (folder: string): readonly string[] => {
  const seen = new Set<string>()
  const files = new Set<string>()
  const waiting = [folder]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    try {
      const real = realpathSync(place)
      const stats = statSync(real)
      if (stats.isFile()) files.add(real)
      if (!stats.isDirectory() || seen.has(real) || isMadeUp(real)) continue
      seen.add(real)
      waiting.push(...readdirSync(real).map((name) => join(real, name)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    }
  }
  return [...files]
}
