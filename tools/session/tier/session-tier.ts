import { randomBytes } from 'node:crypto'
import type { Digest } from '../../../cache/values/digest.ts'
import type { DiskStore } from '../../../cache/disk-store.ts'
import type { JsonObject } from '../../../cache/values/json.ts'
import type { RawValue } from '../../../cache/values/encoded.ts'
import { mergeValues } from '../../../cache/merge/merge-values.ts'
import { Patience } from '../../../cache/claims/claims.ts'
import type { Claim, Store } from '../../../cache/store.ts'
import { Attempt, formatAttempt } from '../../../cache/tier/attempt.ts'
import { Neighbours } from '../../../cache/tier/neighbours.ts'
import { holdsOtherKeys, tierValues } from '../../../cache/tier/read-tier.ts'
import { requireExclusive } from '../../../cache/tier/open-tier.ts'
import { TierLog } from '../../../cache/tier/tier-log.ts'
import { tieredStore } from '../../../cache/tier/tiered-store.ts'
import { planFile, segmentsFolder, type Tier } from '../../../cache/tier/tier.ts'
import type { Listener } from '../../../targets/event.ts'
import type { SubmittedShard } from '../../../targets/spend/shard-part.ts'
import { dropAllBuilds } from '../../../targets/record/trace.ts'
import { paidBenchmark } from '../../../targets/spend/ledger.ts'
import { capsOf, type Config } from '../workspace/config.ts'
import { readKnown, writeKnown, type KnownSegment } from './known-segments.ts'

export interface TierUse {
  readonly tier: Tier
  /** Milliseconds for which a look at the tier gives a task leave to begin calls. */
  readonly lease: number
  /** Whether a task needs all that others of its plan have paid, too: under a cap by day. */
  readonly wholeLedger: boolean
  /** Absent for a run that does all that is missing. */
  readonly shard?: SubmittedShard
}

/** How a workspace's settings use a tier, for all that is missing. */
export const tierUse = (tier: Tier, { store, budget }: Pick<Config, 'store' | 'budget'>): TierUse => ({
  tier,
  lease: store.lease_seconds * 1000,
  wholeLedger: capsOf(budget, undefined).some(({ period }) => period === 'day'),
})

interface Place {
  readonly inner: DiskStore
  readonly folder: string
  readonly mark?: string
  log?: TierLog
  /** What neighbours had told when the tier was read, and a reading of what they told since. */
  news?: string
  following?: Promise<void> | undefined
  /** It lost something, and all that the tier holds was read again. */
  isMended?: boolean
}

/** Whether what was taken over from the tier before may not be there any more. */
const isToMend = ({ inner, isMended = false }: Place): boolean =>
  !isMended && (inner.isDamaged || inner.entries('completions').next().done === true)

export class SessionTier implements TierUse {
  readonly tier: Tier
  readonly lease: number
  readonly wholeLedger: boolean
  readonly shard?: SubmittedShard
  readonly #listener: Listener
  readonly #places: Place[] = []
  readonly #nonce = randomBytes(8).toString('hex')
  readonly #neighbours: Neighbours
  readonly #patience: Patience
  #plan: Digest<'plan'> | undefined
  #attempt: Attempt | undefined
  #trial: Promise<void> | undefined
  readonly #open = new Set<string>()

  /** @param folder where processes of this machine meet */
  constructor({ tier, lease, wholeLedger, shard }: TierUse, listener: Listener, folder: string) {
    this.tier = tier
    this.lease = lease
    this.wholeLedger = wholeLedger
    if (shard !== undefined) this.shard = shard
    this.#listener = listener
    this.#neighbours = new Neighbours(folder, tier)
    this.#patience = new Patience(listener)
  }

  /**
   * The store whose shared values go to the tier as well. Without a shard it has taken over all that the tier holds.
   * @param mark of the vault's key, where it is one's
   */
  async through(inner: DiskStore, folder: string, mark?: string): Promise<Store> {
    const place: Place = { inner, folder, ...(mark === undefined ? {} : { mark }) }
    this.#places.push(place)
    if (mark !== undefined && (await holdsOtherKeys(this.tier, mark)))
      this.#listener({ type: 'tier-other-key', place: this.tier.place })
    if (this.shard === undefined) await this.#pull(place)
    return tieredStore(
      inner,
      () => this.#logOf(place),
      (digest) => this.#claim(place, digest),
    )
  }

  /**
   * Takes the shard: waits for earlier attempts to stop, then takes over what the tier holds.
   * @throws ProblemError where the tier can't be used
   */
  async begin(plan: Digest<'plan'>, text: JsonObject, stop: AbortSignal): Promise<void> {
    const { tier, lease, shard } = this
    if (shard === undefined) throw new TypeError('only a shard has a plan')
    this.#plan = plan
    await this.#try()
    await tier.create(planFile(plan), `${JSON.stringify(text)}\n`)
    const now = (): number => performance.now()
    this.#attempt = await Attempt.begin({ tier, plan, shard: shard.index, lease, now })
    await this.#attempt.waitForEarlier(stop, ({ length }) =>
      this.#listener({ type: 'tier-waiting', attempts: length, seconds: Math.ceil(lease / 1000) }),
    )
    for (const place of this.#places) await this.#pull(place)
  }

  /** Of a name that is a neighbour's at most, after what neighbours paid for before was read. */
  async #claim(place: Place, digest: Digest): Promise<Claim | undefined> {
    const own = await place.inner.claim(digest)
    if (own === undefined) return undefined
    const shared = this.#neighbours.take(digest, this.#group())
    if ('heldBy' in shared) {
      await own.release()
      this.#patience.waitsFor(shared.heldBy, digest)
      return undefined
    }
    const release = async (): Promise<void> => {
      await shared.release()
      await own.release()
    }
    try {
      this.#patience.over(digest)
      // A reading that is under way may have begun too early.
      await place.following
      if (
        place.following !== undefined ||
        isToMend(place) ||
        this.#neighbours.news(this.#group()) !== place.news
      )
        await (place.following ??= this.#pull(place, false).finally(() => (place.following = undefined)))
      return { release }
    } catch (error) {
      await release()
      throw error
    }
  }

  /** Parts of one plan have nothing in common. */
  #group(): string {
    return this.#plan ?? this.#nonce
  }

  /**
   * Whether a call may begin: not once another attempt has the shard.
   * @throws ProblemError where the tier does not keep what is written, or did not once
   */
  async pass(): Promise<boolean> {
    for (const { log } of this.#places) if (log?.failure !== undefined) throw log.failure
    await this.#try()
    return (await this.#attempt?.pass()) ?? true
  }

  isTakenOver(): boolean {
    return this.#attempt?.isTakenOver ?? false
  }

  /** Whether the shard was tried before. */
  isResumed(): boolean {
    return (this.#attempt?.name.number ?? 0) > 0
  }

  /** Values that lie in the store alone, since the tier failed. */
  unsaved(): number {
    return this.#places.reduce((sum, { log }) => sum + (log?.refused ?? 0), 0)
  }

  /** Benchmarks of which replies lie on the tier in the open, as far as it was read. */
  openBenchmarks(): ReadonlySet<string> {
    return this.#open
  }

  /** Says on the tier how the attempt ended, after all that it stored. */
  async end(report: JsonObject): Promise<void> {
    await this.close()
    await this.#attempt?.end(report)
  }

  async close(): Promise<void> {
    for (const { log } of this.#places) await log?.close()
    this.#neighbours.close()
  }

  /** Before anything is paid for. */
  #try(): Promise<void> {
    return (this.#trial ??= requireExclusive(this.tier))
  }

  #logOf(place: Place): TierLog {
    const name = this.#attempt === undefined ? this.#nonce : formatAttempt(this.#attempt.name)
    return (place.log ??= new TierLog(this.tier, `${segmentsFolder(place.mark, this.#plan)}/${name}`))
  }

  /** @param isFirst is told of, and kept in mind for the next session */
  async #pull(place: Place, isFirst = true): Promise<void> {
    const { inner, folder, mark } = place
    place.news = this.#neighbours.news(this.#group())
    const before = isToMend(place) ? new Map<string, KnownSegment>() : readKnown(folder, this.tier)
    place.isMended = inner.isDamaged
    const known = new Map<string, KnownSegment>()
    let benchmarks = new Set<string>()
    let damagedBytes = 0
    let isDamaged = false
    const isKnown = (name: string, bytes: number): boolean => {
      const segment = before.get(name)
      // Nobody mends one while calls wait for each other.
      const isRead = segment?.bytes === bytes || (!isFirst && segment?.bytes === -bytes)
      if (isRead) known.set(name, segment)
      return isRead
    }
    const values = tierValues(this.tier, {
      ...(mark === undefined ? {} : { mark }),
      onDamage: ({ bytes }) => {
        damagedBytes += bytes
        isDamaged = true
      },
      skips: (name, bytes) => isKnown(name, bytes) || (this.#isOthers(name, mark) && !this.wholeLedger),
      wants: (name, table) => table === 'ledger' || !this.#isOthers(name, mark),
      onRead: (name, bytes) => {
        // Whoever mends a segment leaves its size alone: what is lost in it each session looks for.
        known.set(name, { bytes: isDamaged ? -bytes : bytes, benchmarks: [...benchmarks].sort() })
        benchmarks = new Set()
        isDamaged = false
      },
    })
    const { added } = await mergeValues(
      inner,
      mark === undefined ? noting(values, (name) => benchmarks.add(name)) : values,
      async (write) => {
        // Results of the reply that is here are being made: it gives way when the tier is read next.
        if (!isFirst) return
        for (const each of this.#places) await dropAllBuilds(each.inner)
        await write()
      },
    )
    if (isFirst) writeKnown(folder, this.tier, known)
    for (const { benchmarks: open } of known.values()) for (const name of open) this.#open.add(name)
    if (isFirst && (added > 0 || damagedBytes > 0)) this.#listener({ type: 'tier-read', added, damagedBytes })
  }

  /** A segment of another shard of the same plan: nothing in it is asked here. */
  #isOthers(name: string, mark: string | undefined): boolean {
    if (this.#plan === undefined) return false
    const own = `${segmentsFolder(mark, this.#plan)}/`
    return name.startsWith(own) && !name.startsWith(`${own}${this.shard?.index}-`)
  }
}

/** Tells the benchmarks of which there is something among the values. */
async function* noting(
  values: AsyncIterable<RawValue>,
  note: (benchmark: string) => void,
): AsyncGenerator<RawValue, void, undefined> {
  for await (const value of values) {
    const benchmark = value.table === 'ledger' ? paidBenchmark(value.payload) : undefined
    if (benchmark !== undefined) note(benchmark)
    yield value
  }
}
