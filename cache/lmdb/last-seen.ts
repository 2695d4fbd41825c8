import { readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeFolder } from '../files/make-folder.ts'
import { replaceFile } from '../files/whole-file.ts'
import { readFileSync } from '../files/plain-file.ts'
import { digestOf } from '../values/digest.ts'

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
