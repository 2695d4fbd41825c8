import {
  closeSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  readdirSync,
  accessSync,
  constants,
  existsSync,
} from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { dirname, join, resolve } from 'node:path'
import { readFileSync } from '../files/read.ts'
import { errorCode, NOT_PLAIN } from '../problems/system-problem.ts'
import { makeFolder } from '../files/folders.ts'
import { replaceFile } from '../files/write.ts'
import { digestOf } from '../values/digest.ts'

/** Name of a file's seal. */
export const sealFile = (file: string): string => `${file}.seal`

/** What changes when anything writes to the file. */
export const stateOf = (file: string): string => {
  const { size, mtimeNs, ctimeNs, ino } = statSync(file, { bigint: true })
  return [size, mtimeNs, ctimeNs, ino].join(' ')
}

const readIfThere = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'latin1')
  } catch (error) {
    if (['ENOENT', 'EISDIR', 'ELOOP', NOT_PLAIN].includes(errorCode(error) ?? '')) return undefined
    throw error
  }
}

const CHUNK = 1 << 20

/** Sum of the file's bytes: what a disk changes by itself shows in no time and no size. */
const sumOf = (path: string): number => {
  const file = openSync(path, 'r')
  try {
    const chunk = Buffer.allocUnsafe(CHUNK)
    let sum = 0
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk))
      sum = crc32(chunk.subarray(0, read), sum)
    return sum
  } finally {
    closeSync(file)
  }
}

/**
 * Notes that the file is sound as it is now, so that the next opening need not look at all that it says. Where that can't be
 * noted the next opening looks: no reason to end badly.
 */
export const seal = async (file: string): Promise<void> => {
  try {
    // Whatever lies in its place.
    rmSync(sealFile(file), { recursive: true, force: true })
    const text = `${stateOf(file)} ${sumOf(file)}`
    writeFileSync(sealFile(file), text, { mode: statSync(file).mode & 0o777 })
    // File times tick every few milliseconds. A change within the tick of the last write would not show, so the
    // seal counts only if it was set in a later one.
    for (let wait = 0; wait < 10 && !isLater(file); wait++) {
      await setTimeout(2)
      writeFileSync(sealFile(file), text)
    }
  } catch (error) {
    if (errorCode(error) === undefined) throw error
  }
}

const isLater = (file: string): boolean =>
  statSync(sealFile(file), { bigint: true }).mtimeNs > statSync(file, { bigint: true }).ctimeNs

/** True where nothing has written to the file since it was sealed, and it still gives the same bytes. */
export const isSealed = (file: string): boolean => {
  const text = readIfThere(sealFile(file))
  const state = stateOf(file)
  return text?.startsWith(`${state} `) === true && isLater(file) && text === `${state} ${sumOf(file)}`
}

/** How far a store was written. Both only grow, but that a later ownership may make it smaller. */
export interface Extent {
  /** Number of the last ownership of a segment. */
  readonly epoch: number
  /** Of the log, as far as the index knows it. */
  readonly bytes: number
}

export const NO_EXTENT: Extent = { epoch: 0, bytes: 0 }

export const isBefore = (one: Extent, other: Extent): boolean =>
  one.epoch < other.epoch || (one.epoch === other.epoch && one.bytes < other.bytes)

/** Notes of stores that may be long gone. */
const MOST = 1000

/** Where a user's folder notes how far the store in a folder was when they last used it. */
export const lastSeenFile = (notes: string, folder: string): string =>
  join(notes, digestOf(resolve(folder)).slice(0, 32))

/** Undefined where nothing was noted, or nothing that can be read: it is told of what is known, and of nothing else. */
export const readLastSeen = (file: string): Extent | undefined => {
  try {
    const { epoch, bytes } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Extent>
    return Number.isSafeInteger(epoch) && Number.isSafeInteger(bytes)
      ? ({ epoch, bytes } as Extent)
      : undefined
  } catch {
    return undefined
  }
}

/** Notes it where it can: a store is no worse for it where it can't. */
export const noteLastSeen = (file: string, { epoch, bytes }: Extent): void => {
  const notes = dirname(file)
  try {
    makeFolder(notes, 0o700)
    replaceFile(file, JSON.stringify({ epoch, bytes }))
    dropOldest(notes)
  } catch {
    // Whoever can't note it is told of less.
  }
}

const dropOldest = (notes: string): void => {
  const names = readdirSync(notes)
  if (names.length <= MOST) return
  const aged = names.map((name) => ({ path: join(notes, name), at: statSync(join(notes, name)).mtimeMs }))
  aged.sort((a, b) => a.at - b.at)
  for (const { path } of aged.slice(0, MOST / 2)) rmSync(path, { force: true })
}

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
  } catch {
    // Another user's, say: a new one takes its place.
  }
  rmSync(file, { recursive: true, force: true })
  try {
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
