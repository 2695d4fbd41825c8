import { randomUUID } from 'node:crypto'
import { closeSync, constants, openSync, readdirSync, statSync, unlinkSync } from 'node:fs'
import { link, open, readdir, unlink, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { plain, readFile, writeAll } from '../files/read.ts'
import { makeSyncedFolder, syncFolder } from '../files/folders.ts'
import { errorCode } from '../problems/system-problem.ts'
import { noTier, writeProblem } from '../store-problems.ts'
import { unreadable, FORMAT, TIER_SEGMENT, type Tier, type TierFile, type TierWriter } from './tier.ts'

/** Files that are being made: nobody reads them. */
const TEMPORARY = '.new'

/**
 * A folder that all machines reach: NFS, Lustre, GPFS, or a disk that several processes share. New names are found by
 * listing, which a network file system keeps fresh, never by asking for one, whose absence it remembers, be it a folder's
 * that is to be listed: then those that hold it are. Files are opened anew for each reading.
 * @throws ProblemError `cache/no-tier` where there is no such folder
 */
export const folderTier = (place: string): Tier => {
  try {
    readdirSync(place)
  } catch (error) {
    throw noTier(place, error)
  }
  const pathOf = (name: string): string => join(place, FORMAT, name)
  const unlessNone = unlessNoneIn(place)
  return {
    place,
    pause: 0,
    list: async (folder) => {
      const root = pathOf('')
      const entriesOf = () =>
        readdir(pathOf(folder), { recursive: true, withFileTypes: true }).catch(unlessNone)
      let entries = await entriesOf()
      if (entries === undefined) {
        let at = place
        for (const part of [FORMAT, ...folder.split('/')]) {
          await readdir(at).catch(unlessNone)
          at = join(at, part)
        }
        entries = await entriesOf()
      }
      return (entries ?? [])
        .filter((entry) => entry.isFile() && !entry.name.endsWith(TEMPORARY))
        .map((entry): TierFile => ({ name: relative(root, join(entry.parentPath, entry.name)) }))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    read: async (name) => (await readFile(pathOf(name)).catch(unlessNone)) ?? undefined,
    open: async (name) => {
      try {
        const file = openSync(plain(pathOf(name)), 'r')
        return { file, close: () => closeSync(file) }
      } catch (error) {
        return unlessNone(error)
      }
    },
    create: (name, bytes) => create(pathOf(name), bytes),
    remove: async (name, bytes) => remove(pathOf(name), bytes),
    beat: (name) => beat(pathOf(name)),
    writer: (base) => new FolderWriter(pathOf(base)),
  }
}

const isNone = (error: unknown): boolean => errorCode(error) === 'ENOENT' || errorCode(error) === 'ESTALE'

/** @throws ProblemError `cache/tier-unreadable` */
const unlessNoneIn =
  (place: string) =>
  (error: unknown): undefined => {
    if (!isNone(error)) throw unreadable(place, error)
  }

/** Whoever sees the name sees all of it. */
const create = async (path: string, bytes: Buffer | string): Promise<boolean> => {
  const temporary = `${path}.${randomUUID()}${TEMPORARY}`
  try {
    makeSyncedFolder(dirname(path))
    try {
      await writeFile(temporary, bytes, { flag: 'wx', flush: true })
      await link(temporary, path)
      syncFolder(dirname(path))
      return true
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false
      throw error
    } finally {
      await unlink(temporary).catch(() => undefined)
    }
  } catch (error) {
    throw writeProblem(path, error)
  }
}

/** In one go: whoever appends sees after its sync, which takes longer, that the file is gone. */
const remove = (path: string, bytes: number): boolean => {
  try {
    if (statSync(path).size !== bytes) return false
    unlinkSync(path)
    syncFolder(dirname(path))
  } catch (error) {
    if (!isNone(error)) throw writeProblem(path, error)
  }
  return true
}

/** Writes its last byte once more: that and the sync fail where the server is out of reach, a sync alone need not. */
const beat = async (path: string): Promise<void> => {
  try {
    const file = await open(plain(path), 'r+')
    try {
      const last = (await file.stat()).size - 1
      const byte = Buffer.alloc(1)
      await file.read(byte, 0, 1, last)
      await file.write(byte, 0, 1, last)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    throw writeProblem(path, error)
  }
}

class FolderWriter implements TierWriter {
  readonly #base: string
  #path = ''
  #file: FileHandle | undefined
  #segments = 0
  #size = 0
  #broken: unknown

  constructor(base: string) {
    this.#base = base
  }

  async append(bytes: Buffer): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken
    try {
      if (this.#size >= TIER_SEGMENT) await this.close()
      this.#file ??= await this.#next()
      await writeAll(this.#file, bytes, this.#size)
      await this.#file.datasync()
      // What is written to a file that was deleted goes nowhere, and nobody is told.
      if ((await this.#file.stat()).nlink === 0) throw new Error('the file was deleted meanwhile')
      this.#size += bytes.length
    } catch (error) {
      // After a sync that failed the next one may say that all is well, though the data is gone.
      this.#broken = writeProblem(this.#path === '' ? this.#base : this.#path, error)
      throw this.#broken
    }
  }

  async close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    this.#size = 0
    await file?.close()
  }

  async #next(): Promise<FileHandle> {
    const folder = dirname(this.#base)
    makeSyncedFolder(folder)
    this.#path = `${this.#base}.${this.#segments++}.log`
    const file = await open(this.#path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o644)
    syncFolder(folder)
    return file
  }
}
