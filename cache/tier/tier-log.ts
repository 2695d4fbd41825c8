import { randomBytes } from 'node:crypto'
import { join } from 'node:path/posix'
import { setTimeout } from 'node:timers/promises'
import { recordKey } from '../lmdb/index-entry.ts'
import { encodeRecord, stampRecord } from '../log/record.ts'
import type { StoreTable } from '../store.ts'
import type { Tier, TierWriter } from './tier.ts'

const GROUP_BYTES = 4 * 1024 * 1024

interface Submission {
  readonly record: Buffer
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Appends values to segments of its own, in groups: what arrives while one group is on its way makes up the next. After a
 * failure nothing more is written.
 */
export class TierLog {
  readonly #writer: TierWriter
  readonly #pause: number
  #queue: Submission[] = []
  #running: Promise<void> | undefined
  #counter = 0
  #broken: unknown
  #stored = 0
  #refused = 0
  /** When the last group was. */
  #appended = -Infinity

  /**
   * @param base of the segments' names, which nobody else has
   * @param pause milliseconds between two groups
   */
  constructor(tier: Tier, base: string, pause: number = tier.pause) {
    this.#writer = tier.writer(base)
    this.#pause = pause
  }

  /** In segments of a folder that belong to no task, as fast as the tier takes them. */
  static ofItsOwn(tier: Tier, folder: string): TierLog {
    return new TierLog(tier, join(folder, randomBytes(8).toString('hex')), 0)
  }

  /** Values that are there to stay. */
  get stored(): number {
    return this.#stored
  }

  /** What ended it; undefined while it works. */
  get failure(): unknown {
    return this.#broken
  }

  /** Values that are not there, or of which nobody knows it. */
  get refused(): number {
    return this.#refused
  }

  /** Resolves when the value is there to stay. @throws ProblemError `cache/write-failed`, `cache/disk-full` */
  put(table: StoreTable, id: string, payload: Buffer | string): Promise<void> {
    const record = encodeRecord('value', recordKey(table, id), payload)
    stampRecord(record, { epoch: 0, counter: this.#counter++ })
    return new Promise((resolve, reject) => {
      this.#queue.push({ record, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Waits for all that was put. */
  async close(): Promise<void> {
    await this.#running
    await this.#writer.close()
  }

  async #run(): Promise<void> {
    // One turn of the event loop, for all that is put in it to come along.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#queue.length > 0) {
      const wait = this.#appended + this.#pause - performance.now()
      if (wait > 0) await setTimeout(wait)
      const group = this.#nextGroup()
      try {
        if (this.#broken !== undefined) throw this.#broken
        await this.#writer.append(Buffer.concat(group.map(({ record }) => record)))
        this.#stored += group.length
        for (const { resolve } of group) resolve()
      } catch (error) {
        this.#broken = error
        this.#refused += group.length
        for (const { reject } of group) reject(error)
      }
      this.#appended = performance.now()
    }
    this.#running = undefined
  }

  #nextGroup(): Submission[] {
    let bytes = 0
    let count = 0
    while (count < this.#queue.length && bytes < GROUP_BYTES)
      bytes += this.#queue[count++]?.record.length ?? 0
    return this.#queue.splice(0, count)
  }
}
