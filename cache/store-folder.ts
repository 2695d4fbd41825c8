import { accessSync, constants, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Claims, Patience, SHORT_LOOK, SILENCE } from './claims/claims.ts'
import { holding } from './claims/holding.ts'
import { refuseNetworkFolder } from './disk-space.ts'
import { isSealed } from './lmdb/index-files.ts'
import { makeSyncedFolder } from './files/folders.ts'
import type { StoreEvent } from './store.ts'
import { damaged, unusableFolder, inUse, otherMachine, sameNumber } from './store-problems.ts'
import { checkIndex } from './lmdb/check-pages.ts'
import { listSegments, SegmentFiles } from './log/segment-files.ts'
import { remembered } from './once.ts'
import {
  indexKey,
  isHashedKey,
  tableOfKey,
  decodeLocation,
  flippedPlaces,
  type Location,
} from './lmdb/index-entry.ts'
import type { IndexChange } from './lmdb/value-index.ts'
import { HEADER_SIZE, MAX_KEY_SIZE, readHeader, recordSize } from './log/record.ts'

/** Names inside of a store's folder. */
export const indexFile = (folder: string): string => join(folder, 'index.lmdb')
export const valuesFolder = (folder: string): string => join(folder, 'values')
export const claimsFolder = (folder: string): string => join(folder, 'claims')
export const headerFile = (folder: string): string => join(folder, 'vault.json')
/** Beside the store, not in it: whoever copies the store to another machine or a build cache leaves the vault behind. */
export const vaultFolder = (store: string): string => `${store}-vault`
/** Undefined for what is called one and has lost its header, or for a store of such a name. */
export const isVault = (folder: string): boolean | undefined =>
  existsSync(headerFile(folder)) || (folder.endsWith(vaultFolder('')) ? undefined : false)
/** What is wrong with an index that was copied here from another store. */
const FOREIGN = 'it is of another store: it names values that do not lie beside it'
/** What is wrong with one that hides values. */
const MISNAMED = 'it names values by other keys than theirs'

const OPENING = 'opening'
/** What is wrong with an index that is not there though it should be. */
export const MISSING = 'it is missing, though there are values'
/** Between two looks at whether another process has finished opening, milliseconds. */
const PAUSE = 5
/** The same while another machine is to give a sign of life, milliseconds. */
const LONG_PAUSE = 250
/** Milliseconds. */
const LONG_AGO = 3_600_000

/** @throws ProblemError `cache/not-a-folder`, `cache/not-accessible` */
const segmentsIn = (folder: string): readonly number[] => {
  try {
    return listSegments(valuesFolder(folder))
  } catch (error) {
    throw unusableFolder(valuesFolder(folder), error)
  }
}

/** A folder without an index but with values is a damaged store, not a missing one. */
const requireStore = (folder: string): void => {
  if (segmentsIn(folder).length === 0) statSync(indexFile(folder))
}

/**
 * Makes sure that `folder` can hold a store.
 * @throws ProblemError `cache/not-a-folder`, `cache/no-store`, `cache/not-accessible`, `cache/network-folder`
 */
export const prepareFolder = (
  folder: string,
  options: { readonly readOnly: boolean; readonly mayLackIndex?: boolean },
): void => {
  try {
    if (options.readOnly) readdirSync(folder)
    else {
      makeSyncedFolder(folder)
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    }
    if (options.readOnly && options.mayLackIndex !== true) requireStore(folder)
    else segmentsIn(folder)
  } catch (error) {
    throw unusableFolder(folder, error, { mustExist: options.readOnly })
  }
  refuseNetworkFolder(folder)
}

/**
 * Announces this process in the folder; undefined where it may only read and nothing can be written there.
 * @throws ProblemError `cache/not-accessible`, `cache/disk-full`
 */
export const enterFolder = (folder: string, options: { readOnly: boolean }): Claims | undefined => {
  try {
    return new Claims(claimsFolder(folder))
  } catch (error) {
    if (options.readOnly) return undefined
    throw unusableFolder(claimsFolder(folder), error)
  }
}

/** Runs `work` while no other process opens, closes, checks or repairs the store. */
export const alone = <T>(
  claims: Claims | undefined,
  patience: Patience,
  work: () => Promise<T>,
): Promise<T> => holding(claims, OPENING, { patience, pause: PAUSE }, work)

/**
 * Runs `work` on a store without opening it, while nobody has it open and nobody opens it.
 * @param work gets no claims where nothing can be written, so that others can't be kept away
 * @throws ProblemError `cache/in-use` and those of `prepareFolder` and `enterFolder`; what `work` throws
 */
export const inClosedStore = async <T>(
  folder: string,
  { readOnly, onEvent }: { readonly readOnly: boolean; readonly onEvent: (event: StoreEvent) => void },
  work: (parts: { readonly claims: Claims | undefined; readonly patience: Patience }) => Promise<T>,
): Promise<T> => {
  prepareFolder(folder, { readOnly: true, mayLackIndex: true })
  const claims = enterFolder(folder, { readOnly })
  const patience = new Patience(onEvent)
  try {
    return await alone(claims, patience, async () => {
      if (claims !== undefined) await refuseOtherMachines(claims, patience)
      const others = claims?.others() ?? []
      if (others.length > 0) throw inUse(folder, others)
      return work({ claims, patience })
    })
  } catch (error) {
    throw unusableFolder(folder, error)
  } finally {
    claims?.close()
  }
}

/**
 * Two machines on one folder see each other's files and not each other's locks. Whoever left marks under another boot
 * lives if it gives a sign of life while we look; without one it crashed. No clocks are compared, but for marks so old
 * that no clock is that wrong. Nor does one in another container count as gone before it was looked at: a clock that is
 * set, and a machine that slept, make all signs of life look old. LMDB locks by process numbers, of which two containers may
 * give the same one.
 * @throws ProblemError `cache/other-machine`, `cache/same-number`
 */
export const refuseOtherMachines = async (claims: Claims, patience: Patience): Promise<void> => {
  const before = new Map(claims.strangers().map(({ text, beat }) => [text, beat]))
  const start = performance.now()
  for (let waits = true; waits;) {
    waits = false
    for (const { text, pid, isOfThisBoot, isNamesake, beat } of claims.strangers()) {
      const age = Date.now() - beat
      const isOld = Math.abs(age) > SILENCE
      const lives = before.get(text) !== beat
      if (lives && !isOfThisBoot) throw otherMachine(claims.folder, pid)
      if (lives && isNamesake) throw sameNumber(claims.folder, pid)
      if (isOfThisBoot && (lives || !(isOld || isNamesake))) continue
      const needed = isOfThisBoot ? SHORT_LOOK : age > LONG_AGO ? 0 : isOld ? SHORT_LOOK : SILENCE
      if (performance.now() - start < needed) {
        waits = true
        patience.waitsFor(pid)
      } else if (isOld || !isOfThisBoot) claims.oust(text)
    }
    if (waits) await setTimeout(LONG_PAUSE)
  }
}

/**
 * Makes sure that LMDB may open the index: on a damaged file it would end the process.
 * Reads all of it unless it is as a clean close left it. One that a power cut left half made, before there was a segment
 * that it could name, goes where another may be made.
 * @returns places to be put right in it
 * @throws ProblemError `cache/damaged`
 */
export const requireSoundIndex = (
  folder: string,
  { readOnly }: { readonly readOnly: boolean },
): readonly IndexChange[] => {
  const file = indexFile(folder)
  const stat = statSync(file, { throwIfNoEntry: false })
  const size = stat?.size ?? 0
  const isBare = stat?.isFile() !== false && listSegments(valuesFolder(folder)).length === 0
  if (size === 0 && isBare) return []
  if (size > 0 && isSealed(file)) return []
  const moved: IndexChange[] = []
  const fault = indexFault(file, folder, moved)
  if (fault === undefined) return moved
  if (!isBare || readOnly || fault === FOREIGN) throw damaged(file, fault)
  rmSync(file)
  return []
}

/**
 * What is wrong with an index, or a copy of it, beside a store's values; undefined where nothing is.
 * @param moved gets the places to be put right
 */
export const indexFault = (file: string, folder: string, moved: IndexChange[] = []): string | undefined => {
  const names = new IndexNames(valuesFolder(folder))
  try {
    const report = checkIndex(file, (key, data) => names.add(key, data))
    if (report === undefined) return MISSING
    if (typeof report === 'string') return report
    if (names.isForeign) return FOREIGN
    moved.push(...names.moved)
    return names.misnamed > 0 ? MISNAMED : undefined
  } finally {
    names.close()
  }
}

/** Fewer say nothing of where an index comes from. */
const FEWEST = 4
/** Enough for a header and any key that is no hash. */
const START = 1024
/** More records that are not where they should be are damage of the log, and not of the index. */
const MOST_SOUGHT = 16

/**
 * Whether an index gives the records of the log beside it their own names. LMDB keeps no checksums: a flipped bit in a key
 * hides a record, which would be paid for again without a word.
 */
export class IndexNames {
  readonly #files: SegmentFiles
  readonly #segments = new Map<number, { readonly size: number; readonly startsWithRecord: boolean }>()
  #there = 0
  #fitting = 0
  #misnamed = 0
  #sought = 0
  /** Records that lie where a bit of the index was flipped back. */
  readonly moved: IndexChange[] = []

  constructor(values: string) {
    this.#files = new SegmentFiles(values)
  }

  /** Takes an entry of the index. What was cut off or overwritten is damage of the log instead. */
  add(key: Buffer, data: Buffer): void {
    const location = tableOfKey(key) === undefined ? undefined : decodeLocation(data)
    if (location === undefined) return
    const { size, startsWithRecord } = this.#segment(location.segment)
    const isThere = startsWithRecord && location.offset + location.size <= size
    const own = isThere ? this.#keyAt(location, key) : undefined
    if (isThere) this.#there++
    if (own?.equals(key) === true) this.#fitting++
    else if (!this.#isMoved(key, data) && own !== undefined) this.#misnamed++
  }

  /** Most of the places that it names hold other records, or the midst of some: it is of another store. */
  get isForeign(): boolean {
    return this.#there >= FEWEST && this.#fitting < this.#there / 2
  }

  /** Records that it names by a key that is not theirs. */
  get misnamed(): number {
    return this.#misnamed
  }

  close(): void {
    this.#files.close()
  }

  #segment(segment: number): { readonly size: number; readonly startsWithRecord: boolean } {
    return remembered(this.#segments, segment, () => {
      const first = this.#files.header({ segment, offset: 0, size: HEADER_SIZE + MAX_KEY_SIZE })
      return { size: this.#files.size(segment) ?? 0, startsWithRecord: first !== undefined }
    })
  }

  #isMoved(key: Buffer, data: Buffer): boolean {
    if (++this.#sought > MOST_SOUGHT) return false
    const location = flippedPlaces(data).find((place) => this.#keyAt(place, key)?.equals(key))
    if (location !== undefined) this.moved.push({ key: Buffer.from(key), location })
    return location !== undefined
  }

  /** The key of the record that fills a place, as the index would have it. */
  #keyAt(place: Location, key: Buffer): Buffer | undefined {
    const size = isHashedKey(key) ? place.size : Math.min(place.size, START)
    const record = this.#files.read({ ...place, size })
    const header = record && readHeader(record)
    if (record === undefined || header === undefined || recordSize(header) !== place.size) return undefined
    return indexKey(record.subarray(HEADER_SIZE, HEADER_SIZE + header.keySize))
  }
}
