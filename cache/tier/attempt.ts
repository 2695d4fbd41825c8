import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Digest } from '../values/digest.ts'
import type { JsonObject } from '../values/json.ts'
import { staleListing, attemptsFolder, endsFolder, type Tier } from './tier.ts'

/** One try of a task to do its shard. Of two the later one has the shard: by number, then by its random part. */
export interface AttemptName {
  readonly shard: number
  readonly number: number
  readonly nonce: string
}

export const formatAttempt = ({ shard, number, nonce }: AttemptName): string => `${shard}-${number}-${nonce}`

/** In a folder of attempts, or of ends. */
const fileOf = (folder: string, name: AttemptName): string => `${folder}/${formatAttempt(name)}.json`

/** Undefined for a file that is not an attempt's. */
export const parseAttempt = (file: string): AttemptName | undefined => {
  const [, shard, number, nonce] = /(?:^|\/)(\d+)-(\d+)-([0-9a-f]{16})\.json$/.exec(file) ?? []
  return nonce === undefined ? undefined : { shard: Number(shard), number: Number(number), nonce }
}

/** True where `a` takes the shard over from `b`. */
export const isLaterAttempt = (a: AttemptName, b: AttemptName): boolean =>
  a.number === b.number ? a.nonce > b.nonce : a.number > b.number

/** All attempts at a plan, and the ended ones among them with what they said at their end. */
export const listAttempts = async (
  tier: Tier,
  plan: Digest<'plan'>,
): Promise<{ readonly begun: readonly AttemptName[]; readonly ended: readonly AttemptName[] }> => {
  // Ends first: who ended meanwhile is then among those that began.
  const ended = await tier.list(endsFolder(plan))
  const begun = await tier.list(attemptsFolder(plan))
  const names = (files: typeof begun): readonly AttemptName[] =>
    files.flatMap(({ name }) => parseAttempt(name) ?? [])
  return { begun: names(begun), ended: names(ended) }
}

export interface AttemptOptions {
  readonly tier: Tier
  readonly plan: Digest<'plan'>
  readonly shard: number
  /** Milliseconds for which a look at the tier gives leave to begin calls. */
  readonly lease: number
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number
}

/** How much longer than its predecessors' lease an attempt waits: their listing may be that old. */
const MARGIN = 1.25
const LOOKS = 20
const LONGEST_PAUSE = 1000
/** The part of the lease after which the next look is under way: calls wait only for one that is late. */
const EARLY = 0.5

/**
 * Who works on a shard, without a lock: two machines may both be sure that a task is theirs (one was cut off, or paused),
 * and nobody can tell from outside. So whoever begins says so on the tier, waits until every earlier attempt has had to
 * look there, and goes on from what these stored. Who looks and sees a later attempt begins no call any more. A look is
 * needed whenever the last one is older than the lease, and is one only if what is written reaches the tier: a machine
 * that is cut off from it stops paying, too. No two machines' clocks are compared.
 */
export class Attempt {
  readonly name: AttemptName
  readonly #options: AttemptOptions
  #lookedAt: number
  #looking: Promise<void> | undefined
  #takenOver = false

  private constructor(options: AttemptOptions, name: AttemptName) {
    this.#options = options
    this.name = name
    this.#lookedAt = -Infinity
  }

  /** Says on the tier that the shard is this process's. */
  static async begin(options: AttemptOptions): Promise<Attempt> {
    const { tier, plan, shard } = options
    const { begun } = await listAttempts(tier, plan)
    const earlier = begun.filter((each) => each.shard === shard).map(({ number }) => number)
    const name = { shard, number: Math.max(-1, ...earlier) + 1, nonce: randomBytes(8).toString('hex') }
    await tier.create(fileOf(attemptsFolder(plan), name), '{}\n')
    const attempt = new Attempt(options, name)
    await attempt.#waitForListing()
    return attempt
  }

  /** True once a later attempt has the shard. */
  get isTakenOver(): boolean {
    return this.#takenOver
  }

  /** Waits until no earlier attempt can begin a call. @param onWait is told of those that did not say that they ended */
  async waitForEarlier(stop: AbortSignal, onWait: (attempts: readonly AttemptName[]) => void): Promise<void> {
    const { lease, now } = this.#options
    const start = now()
    for (let told = false; now() - start <= lease * MARGIN && !stop.aborted;) {
      const live = await this.#earlier()
      if (live.length === 0 || this.#takenOver) return
      if (!told) onWait(live)
      told = true
      await this.#pause(stop)
    }
  }

  /** Whether a call may begin. @throws ProblemError where the tier can't be written to */
  async pass(): Promise<boolean> {
    const { lease, now } = this.#options
    const age = (): number => now() - this.#lookedAt
    // After one that fails the next call looks itself.
    if (age() >= lease * EARLY && age() < lease)
      void this.#lookOnce().catch(() => (this.#lookedAt = -Infinity))
    while (!this.#takenOver && age() >= lease) await this.#lookOnce()
    return !this.#takenOver
  }

  /** Says that no call will begin any more, and that those that had begun are stored. */
  async end(report: JsonObject): Promise<void> {
    const { tier, plan } = this.#options
    await tier.create(fileOf(endsFolder(plan), this.name), `${JSON.stringify(report)}\n`)
  }

  #lookOnce(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = undefined)))
  }

  #pause(stop?: AbortSignal): Promise<void> {
    const pause = Math.min(LONGEST_PAUSE, this.#options.lease / LOOKS)
    return setTimeout(pause, undefined, stop === undefined ? {} : { signal: stop }).catch(() => undefined)
  }

  /** @throws ProblemError `cache/tier-reply` where the margin does not cover how late names are listed */
  async #waitForListing(): Promise<void> {
    const { tier, lease, now } = this.#options
    const start = now()
    while (!(await this.#isListed())) {
      if (now() - start > lease * (MARGIN - 1)) throw staleListing(tier.place)
      await this.#pause()
    }
  }

  async #isListed(): Promise<boolean> {
    const { tier, plan } = this.#options
    const own = fileOf(attemptsFolder(plan), this.name)
    return (await tier.list(attemptsFolder(plan))).some(({ name }) => name === own)
  }

  async #look(): Promise<void> {
    const { tier, plan, now } = this.#options
    const begun = now()
    await tier.beat(fileOf(attemptsFolder(plan), this.name))
    await this.#earlier()
    this.#lookedAt = begun
  }

  /** Those before this one that have not ended. */
  async #earlier(): Promise<readonly AttemptName[]> {
    const { tier, plan } = this.#options
    const { begun, ended } = await listAttempts(tier, plan)
    const own = begun.filter(({ shard }) => shard === this.name.shard)
    this.#takenOver ||= own.some((each) => isLaterAttempt(each, this.name))
    const over = new Set(ended.map(formatAttempt))
    return own.filter((each) => isLaterAttempt(this.name, each) && !over.has(formatAttempt(each)))
  }
}
