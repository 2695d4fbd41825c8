import { defined } from '../../cache/values/defined.ts'

/** Milliseconds that a rate must hold before more is tried: while it is looked for, and once more was too much. */
const SEARCH = 3000
const PROBE = 10_000
const LONGEST_PROBE = 120_000
/** Requests that must have passed, too. */
const ENOUGH = 20
/** How much more is tried: half of it when that was too much, twice when it held. */
const FIRST_STEP = 0.06
const MOST_STEP = 0.15
const LEAST_STEP = 0.02
const CUT = 0.95
/** Below what was seen to pass: windows of the server begin at another moment than ours. */
const MARGIN = 0.97
/** One request a minute: less would be no answer at all. */
const SLOWEST = 1 / 60_000
/** A rate of which less than this share was used has not been tried. */
const USED = 0.7

/**
 * The rate that a server takes, learned from what it rejects. Nothing is known until the first rejection: what passed
 * until then, over the time it took or the wait that the server asks for, is its rate. From then on a little more is
 * tried now and then. All rates are those of the whole machine, in requests a millisecond.
 */
export class LearnedRate {
  #rate = Number.POSITIVE_INFINITY
  #held = 0
  #probe = SEARCH
  #step = FIRST_STEP
  #changedAt = 0
  /** Requests that were sent before this were sent at the rate of then. */
  #settledAt = Number.NEGATIVE_INFINITY
  #acceptedSince = 0
  /** Times in a row that more has held. */
  #raised = 0
  readonly #accepted = new SlidingCount()

  get rate(): number {
    return this.#rate
  }

  /** Takes over what another process learned. */
  adopt(rate: number, now: number): void {
    this.#set(rate, now)
    this.#held = rate
  }

  /** @param members processes that share the rate evenly: what this one saw is one part of so many */
  accepted(now: number, members: number): void {
    this.#accepted.add(now)
    this.#acceptedSince += members
    const age = now - this.#changedAt
    if (age < this.#probe || this.#acceptedSince < Math.max(ENOUGH, USED * this.#rate * age)) return
    if (this.#rate > this.#held && this.#held > 0) this.#raised += 1
    if (this.#raised > 1) {
      // More has held twice: the limit may have risen.
      this.#step = Math.min(MOST_STEP, this.#step * 2)
      this.#probe = Math.max(SEARCH, this.#probe / 2)
    }
    this.#held = this.#rate
    this.#set(this.#rate * (1 + this.#step), now)
  }

  /**
   * @param call when it was sent, when it was rejected
   * @param wait milliseconds that the server asks to wait
   * @returns whether the rate was cut: only once for all requests that were sent at it
   */
  rejected({ sent, now }: { sent: number; now: number }, wait: number, members: number): boolean {
    if (sent < this.#settledAt) return false
    this.#settledAt = now
    this.#raised = 0
    const isProbe = this.#rate > this.#held && this.#held > 0 && Number.isFinite(this.#rate)
    const { count, span } = this.#accepted.read(now)
    // Where none passed, one after the wait is what the server asks for.
    const passed = Math.max(1, members * count)
    if (!Number.isFinite(this.#rate)) {
      // A window of the server's began with the first request or ends with the wait.
      this.#set(Math.max(SLOWEST, (MARGIN * passed) / Math.max(span, wait, 1)), now)
    } else {
      const cut = isProbe ? this.#held : Math.min(this.#rate * CUT, passed / (span + wait))
      this.#set(Math.max(SLOWEST, cut), now)
      // If this is too much as well, it is cut.
      this.#held = this.#rate
      this.#probe = Math.min(LONGEST_PROBE, Math.max(PROBE, this.#probe * 2))
      this.#step = Math.max(LEAST_STEP, this.#step / 2)
    }
    return true
  }

  #set(rate: number, now: number): void {
    this.#rate = rate
    this.#changedAt = now
    this.#acceptedSince = 0
  }
}

const BUCKET = 1000
const BUCKETS = 60

/** Events of the last minute, to the second. */
export class SlidingCount {
  readonly #counts: number[] = Array.from({ length: BUCKETS }, () => 0)
  #bucket = 0
  #first: number | undefined

  /** @param now milliseconds of a clock that never goes back */
  add(now: number): void {
    this.#advance(now)
    this.#first ??= now
    const place = this.#bucket % BUCKETS
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
  }

  /** How many there were, and over how many milliseconds: at most a minute, less where the first is younger. */
  read(now: number): { readonly count: number; readonly span: number } {
    this.#advance(now)
    return {
      count: this.#counts.reduce((sum, count) => sum + count, 0),
      span: Math.min(BUCKET * BUCKETS, now - (this.#first ?? now)),
    }
  }

  #advance(now: number): void {
    const bucket = Math.floor(now / BUCKET)
    const from = Math.max(this.#bucket + 1, bucket - BUCKETS + 1)
    for (let stale = from; stale <= bucket; stale += 1) this.#counts[stale % BUCKETS] = 0
    this.#bucket = Math.max(this.#bucket, bucket)
  }
}

/** What a reply's headers say of a limit: what is left of it, and the milliseconds until it is whole again. */
interface Allowance {
  readonly remaining: number
  readonly reset: number
  /** The whole of it, where told. */
  readonly limit?: number
}

export interface RateHeaders {
  readonly requests?: Allowance
  readonly tokens?: Allowance
}

/** Forms of OpenAI and its likes, then Anthropic's. */
const NAMES = (what: 'requests' | 'tokens', which: 'limit' | 'remaining' | 'reset'): readonly string[] => [
  `x-ratelimit-${which}-${what}`,
  `anthropic-ratelimit-${what}-${which}`,
]

/** @param now epoch milliseconds, where the headers don't tell when they were sent */
export const readRateHeaders = (
  header: (name: string) => string | null | undefined,
  now: number,
): RateHeaders => {
  const sent = serverTime(header('date'), now)
  const allowance = (what: 'requests' | 'tokens'): Allowance | undefined => {
    const first = (which: 'limit' | 'remaining' | 'reset'): string | undefined =>
      NAMES(what, which)
        .map((name) => header(name))
        .find((value) => typeof value === 'string' && value !== '') ?? undefined
    const remaining = numberOf(first('remaining'))
    // Servers without limits are spared the other eight.
    if (remaining === undefined) return undefined
    const reset = readReset(first('reset'), sent)
    const limit = numberOf(first('limit'))
    if (reset === undefined) return undefined
    return { remaining, reset, ...(limit === undefined ? {} : { limit }) }
  }
  const requests = allowance('requests')
  const tokens = allowance('tokens')
  return defined({ requests, tokens })
}

const numberOf = (text: string | undefined): number | undefined => {
  const value = text === undefined ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : undefined
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const EPOCH_SECONDS = 1e9
const EPOCH_MILLISECONDS = 1e12

/** Milliseconds from `6m0.5s`, `20ms`, seconds, an epoch time or a date. */
const readReset = (text: string | undefined, now: number): number | undefined => {
  if (text === undefined) return undefined
  const value = Number(text)
  if (value >= EPOCH_MILLISECONDS) return Math.max(0, value - now)
  if (value >= EPOCH_SECONDS) return Math.max(0, value * 1000 - now)
  if (Number.isFinite(value)) return Math.max(0, value * 1000)
  if (/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(text))
    return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)].reduce(
      (sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0),
      0,
    )
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/**
 * When a reply was sent, epoch milliseconds, by the clock of its server, which may be off from ours: its own dates are
 * to be held against that.
 * @param date the header `date`; where it tells nothing, `now` stands in
 */
export const serverTime = (date: string | null | undefined, now: number): number =>
  Date.parse(date ?? '') || now
