import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Digest } from '../../../cache/values/digest.ts'
import type { DiskStore } from '../../../cache/disk-store.ts'
import type { JsonObject } from '../../../cache/values/json.ts'
import { mergeValues } from '../../../cache/merge/merge-values.ts'
import type { Store } from '../../../cache/store.ts'
import { Attempt, formatAttempt } from '../../../cache/tier/attempt.ts'
import { tierValues } from '../../../cache/tier/read-tier.ts'
import { TierLog } from '../../../cache/tier/tier-log.ts'
import { tieredStore } from '../../../cache/tier/tiered-store.ts'
import { planFile, segmentsFolder, type Tier } from '../../../cache/tier/tier.ts'
import type { Listener } from '../../../targets/event.ts'
import type { Shard } from '../../../targets/keys/shard.ts'
import { dropAllBuilds } from '../../../targets/scheduler/trace.ts'

/** The tier that a session works with. */
export interface TierUse {
  readonly tier: Tier
  /** Milliseconds for which a look at the tier gives a task leave to begin calls. */
  readonly lease: number
  /** Whether a task needs all that others of its plan have paid, too: under a cap by day. */
  readonly wholeLedger: boolean
  /** Absent for a run that does all that is missing. */
  readonly shard?: ShardUse
}

export interface ShardUse extends Shard {
  /** Names what was submitted: its tasks' attempts share one allowance. */
  readonly submission: string
}

export interface SessionTier extends TierUse {
  /**
   * The store whose shared values go to the tier as well. Without a shard it has taken over all that the tier holds.
   * @param mark of the vault's key, where it is one's
   */
  through(inner: DiskStore, folder: string, mark?: string): Promise<Store>
  /**
   * Takes the shard: waits for earlier attempts to stop, then takes over what the tier holds.
   * @throws ProblemError where the tier can't be used
   */
  begin(plan: Digest<'plan'>, text: JsonObject, stop: AbortSignal): Promise<void>
  /** Whether a call may begin: not once another attempt has the shard. */
  pass(): Promise<boolean>
  isTakenOver(): boolean
  /** Says on the tier how the attempt ended, after all that it stored. */
  end(report: JsonObject): Promise<void>
  close(): Promise<void>
}

interface Place {
  readonly inner: DiskStore
  readonly folder: string
  readonly mark?: string
  log?: TierLog
}

export const createSessionTier = (use: TierUse, listener: Listener): SessionTier =>
  new OpenSessionTier(use, listener)

class OpenSessionTier implements SessionTier {
  readonly tier: Tier
  readonly lease: number
  readonly wholeLedger: boolean
  readonly shard?: ShardUse
  readonly #listener: Listener
  readonly #places: Place[] = []
  readonly #nonce = randomBytes(8).toString('hex')
  #plan: Digest<'plan'> | undefined
  #attempt: Attempt | undefined

  constructor({ tier, lease, wholeLedger, shard }: TierUse, listener: Listener) {
    this.tier = tier
    this.lease = lease
    this.wholeLedger = wholeLedger
    if (shard !== undefined) this.shard = shard
    this.#listener = listener
  }

  async through(inner: DiskStore, folder: string, mark?: string): Promise<Store> {
    const place: Place = { inner, folder, ...(mark === undefined ? {} : { mark }) }
    this.#places.push(place)
    if (this.shard === undefined) await this.#pull(place)
    return tieredStore(inner, () => this.#logOf(place))
  }

  async begin(plan: Digest<'plan'>, text: JsonObject, stop: AbortSignal): Promise<void> {
    const { tier, lease, shard } = this
    if (shard === undefined) throw new TypeError('only a shard has a plan')
    this.#plan = plan
    await tier.create(planFile(plan), `${JSON.stringify(text)}\n`)
    const now = (): number => performance.now()
    this.#attempt = await Attempt.begin({ tier, plan, shard: shard.index, lease, now })
    await this.#attempt.waitForEarlier(stop, ({ length }) =>
      this.#listener({ type: 'tier-waiting', attempts: length, seconds: Math.ceil(lease / 1000) }),
    )
    for (const place of this.#places) await this.#pull(place)
  }

  async pass(): Promise<boolean> {
    return (await this.#attempt?.pass()) ?? true
  }

  isTakenOver(): boolean {
    return this.#attempt?.isTakenOver ?? false
  }

  async end(report: JsonObject): Promise<void> {
    await this.close()
    await this.#attempt?.end(report)
  }

  async close(): Promise<void> {
    for (const { log } of this.#places) await log?.close()
  }

  #logOf(place: Place): TierLog {
    const name = this.#attempt === undefined ? this.#nonce : formatAttempt(this.#attempt.name)
    return (place.log ??= new TierLog(this.tier, `${segmentsFolder(place.mark, this.#plan)}/${name}`))
  }

  async #pull({ inner, folder, mark }: Place): Promise<void> {
    const known = readKnown(folder, this.tier)
    let damagedBytes = 0
    const values = tierValues(this.tier, {
      ...(mark === undefined ? {} : { mark }),
      onDamage: ({ bytes }) => void (damagedBytes += bytes),
      skips: (name, bytes) => known.get(name) === bytes || (this.#isOthers(name, mark) && !this.wholeLedger),
      wants: (name, table) => table === 'ledger' || !this.#isOthers(name, mark),
      onRead: (name, bytes) => void known.set(name, bytes),
    })
    const { added, replaced } = await mergeValues(inner, values)
    writeKnown(folder, this.tier, known)
    if (replaced > 0) for (const each of this.#places) await dropAllBuilds(each.inner)
    if (added > 0 || damagedBytes > 0) this.#listener({ type: 'tier-read', added, damagedBytes })
  }

  /** A segment of another shard of the same plan: nothing in it is asked here. */
  #isOthers(name: string, mark: string | undefined): boolean {
    if (this.#plan === undefined) return false
    const own = `${segmentsFolder(mark, this.#plan)}/`
    return name.startsWith(own) && !name.startsWith(`${own}${this.shard?.index}-`)
  }
}

/** Beside a store: how far each segment of a tier was taken over. Without it all are read again. */
const knownFile = (folder: string): string => join(folder, 'tiers.json')

const readAll = (folder: string): Record<string, Record<string, number>> => {
  try {
    return JSON.parse(readFileSync(knownFile(folder), 'utf8')) as Record<string, Record<string, number>>
  } catch {
    return {}
  }
}

const readKnown = (folder: string, { place }: Tier): Map<string, number> =>
  new Map(Object.entries(readAll(folder)[place] ?? {}))

const writeKnown = (folder: string, { place }: Tier, known: ReadonlyMap<string, number>): void =>
  writeFileSync(knownFile(folder), JSON.stringify({ ...readAll(folder), [place]: Object.fromEntries(known) }))
