import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf } from '../digest.ts'
import { parseRecordKey, recordKey } from '../lmdb/index-key.ts'
import { SEGMENT_LIMIT } from '../log/committer.ts'
import { encodeRecord, readPayload, stampRecord } from '../log/record.ts'
import { scanSegment } from '../log/scan-segment.ts'
import { syncFolder } from '../log/segment-writer.ts'
import { errorCode, noTier, writeProblem } from '../store-problems.ts'
import { isShared, type RawValue } from '../raw-value.ts'

/**
 * A tier is a folder that several machines reach, with segments of values in the log's own form. Each segment has one
 * writer, gets a name that nobody else has, and is never changed afterwards: no lock is needed that a network file
 * system would have to keep. What differs is settled by whoever reads.
 *
 *     TIER/medmake-1/segments/NAME.log
 *     TIER/medmake-1/segments-sealed/MARK/NAME.log    of a vault, sealed as there; MARK tells its key
 */
const FORMAT = 'medmake-1'

/** @param mark of the vault's key; undefined for what lies in the open */
export const tierFolder = (tier: string, mark?: string): string =>
  mark === undefined ? join(tier, FORMAT, 'segments') : join(tier, FORMAT, 'segments-sealed', mark)

/** Marks of the vaults of which a tier holds something. */
export const tierMarks = (tier: string): readonly string[] => namesIn(join(tier, FORMAT, 'segments-sealed'))

/** What a reading of a tier met that is no value: told of, left out. */
export interface TierDamage {
  readonly segment: string
  readonly bytes: number
}

/** Looks at names by a listing, which a network file system keeps fresh, and opens each segment anew. */
const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

/**
 * All values of a tier's segments, in no order that matters; several of one id are possible. The unfinished end of a
 * segment is its writer's business.
 * @throws ProblemError `cache/no-tier` where there is no such folder
 */
export function* tierValues(
  tier: string,
  mark: string | undefined,
  onDamage: (damage: TierDamage) => void,
): Generator<RawValue, void, undefined> {
  requireTier(tier)
  const folder = tierFolder(tier, mark)
  for (const name of namesIn(folder)) {
    if (!name.endsWith('.log')) continue
    const file = openSync(join(folder, name), 'r')
    try {
      for (const finding of scanSegment(file)) {
        if (finding.type === 'damage') onDamage({ segment: name, bytes: finding.size })
        if (finding.type !== 'record' || finding.header.kind !== 'value') continue
        const parsed = parseRecordKey(finding.key)
        if (parsed === undefined || !isShared(parsed.table)) continue
        const payload = readPayload(finding.bytes, finding.key)
        if (payload === undefined) onDamage({ segment: name, bytes: finding.size })
        else yield { ...parsed, payload }
      }
    } finally {
      closeSync(file)
    }
  }
}

const requireTier = (tier: string): void => {
  try {
    readdirSync(tier)
  } catch (error) {
    throw noTier(tier, error)
  }
}

const nameOf = ({ table, id, payload }: RawValue): string =>
  digestOf(Buffer.concat([recordKey(table, id), Buffer.of(0), payload])).slice(0, 32)

/**
 * Writes those of `values` that the tier lacks, each byte for byte, into segments of its own; how many.
 * @throws ProblemError `cache/no-tier`, `cache/write-failed`, `cache/disk-full`
 */
export const pushValues = (tier: string, mark: string | undefined, values: Iterable<RawValue>): number => {
  const there = new Set<string>()
  for (const value of tierValues(tier, mark, () => undefined)) there.add(nameOf(value))
  const writer = new TierWriter(tierFolder(tier, mark))
  let pushed = 0
  try {
    for (const value of values) {
      if (there.has(nameOf(value))) continue
      writer.write(value)
      pushed += 1
    }
    writer.finish()
  } catch (error) {
    writer.giveUp()
    throw error
  }
  return pushed
}

const BLOCK = 4 * 1024 * 1024

/** Writes segments that nobody sees before their first value. */
class TierWriter {
  readonly #folder: string
  readonly #name = randomBytes(8).toString('hex')
  #segments = 0
  #counter = 0
  #file: number | undefined
  #path = ''
  #size = 0
  #block: Buffer[] = []
  #blockSize = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  write({ table, id, payload }: RawValue): void {
    const record = encodeRecord('value', recordKey(table, id), payload)
    stampRecord(record, { epoch: 0, counter: this.#counter++ })
    this.#block.push(record)
    this.#blockSize += record.length
    if (this.#blockSize >= BLOCK) this.#flush()
    if (this.#size >= SEGMENT_LIMIT) this.finish()
  }

  /** Brings all to disk. */
  finish(): void {
    this.#flush()
    if (this.#file === undefined) return
    this.#attempt((file) => fsyncSync(file))
    closeSync(this.#file)
    this.#file = undefined
    this.#size = 0
    syncFolder(this.#folder)
  }

  /** Removes the segment that is not finished. */
  giveUp(): void {
    if (this.#file === undefined) return
    closeSync(this.#file)
    this.#file = undefined
    rmSync(this.#path, { force: true })
  }

  #flush(): void {
    if (this.#blockSize === 0) return
    const bytes = Buffer.concat(this.#block)
    this.#attempt((file) => {
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
    })
    this.#size += bytes.length
    this.#block = []
    this.#blockSize = 0
  }

  #attempt(work: (file: number) => void): void {
    try {
      this.#file ??= this.#start()
      work(this.#file)
    } catch (error) {
      throw writeProblem(this.#path === '' ? this.#folder : this.#path, error)
    }
  }

  #start(): number {
    mkdirSync(this.#folder, { recursive: true })
    this.#path = join(this.#folder, `${this.#name}-${this.#segments++}.log`)
    return openSync(this.#path, 'wx', 0o644)
  }
}
