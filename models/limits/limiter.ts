import { abortableCalls } from '../calls/abortable-calls.ts'
import { aborted } from '../calls/client.ts'
import type { DeploymentLimits } from '../deployment/model.ts'
import { CallWindow } from './call-window.ts'
import { LearnedRate } from './learned-rate.ts'
import { MINUTE, SLACK } from './minute.ts'
import { createQueue, type Queue } from './queue.ts'
import type { RateHeaders } from '../calls/rate-headers.ts'
import { unshared, type Sharing } from './sharing.ts'

/** The right to one attempt at a call. */
export interface Turn {
  /** The server took the request, whatever it made of it. */
  accepted(): void
  /** It rejected the request as one too many: none is sent for so many milliseconds. 0: this one may be sent again at once. */
  rejected(wait: number): void
  /** Milliseconds since the first rejection after which none was accepted; 0 while other calls are under way. */
  drought(): number
  /**
   * Waits for the rates once more where the turn came so long ago that all who have waited for something else since then
   * would begin together. Resolves with whether it did. @throws ClientError `call/aborted`
   */
  renew(signal: AbortSignal): Promise<boolean>
  /** Ends the turn; more than once does no harm. */
  release(): void
}

/** Calls in flight per deployment when nothing says otherwise. */
export const DEFAULT_CONCURRENCY = 32

/** Milliseconds: how soon to look again for what others hold. */
const LOOK_AGAIN = 20
/** However long a header says. */
const LONGEST_PAUSE = 120_000

/**
 * Hands out the right to call one deployment; shared by all targets and judges, and with other processes.
 * First come, first served, under calls in flight, requests a minute and tokens a minute. What the deployment states
 * are ceilings; below them the window and the rate are learned from what the server rejects.
 * The rates are leaky buckets without burst: a provider's window may start at any moment.
 */
export class Limiter {
  /** The most calls in flight. */
  readonly concurrency: number
  readonly #now: () => number
  readonly #sharing: Sharing
  readonly #window: CallWindow
  #rate = new LearnedRate()
  /** Milliseconds a request and a token, by what the deployment states. */
  readonly #interval: number
  readonly #perToken: number
  readonly #waiting = createQueue()
  /** Those whose turn has come and gone: they are in flight already. */
  readonly #late = createQueue()
  readonly #calls = abortableCalls()
  #inFlight = 0
  /** When the next call may start. */
  #next: number
  #timer: NodeJS.Timeout | undefined
  /** When the first was rejected since one was accepted. */
  #dryFrom: number | undefined
  /** Tokens of the last call. */
  #tokens = 0

  /** @param pause milliseconds before the first call */
  constructor(
    limits: DeploymentLimits,
    now: () => number = () => performance.now(),
    sharing: Sharing = unshared,
    pause = 0,
  ) {
    this.concurrency = limits.concurrency ?? DEFAULT_CONCURRENCY
    this.#window = new CallWindow(this.concurrency)
    this.#interval = limits.requestsPerMinute ? MINUTE / limits.requestsPerMinute : 0
    this.#perToken = limits.tokensPerMinute ? 60_000 / limits.tokensPerMinute : 0
    this.#now = now
    this.#sharing = sharing
    this.#next = now() + pause
  }

  /** Resolves when a call may start. @throws ClientError `call/aborted` */
  acquire(signal: AbortSignal): Promise<Turn> {
    return this.#queue(this.#waiting, signal, () => {
      const turn = this.#turn()
      // Given up while it waited: the turn goes to the next.
      if (signal.aborted) turn.release()
      return turn
    })
  }

  #queue<T>(queue: Queue, signal: AbortSignal, take: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(aborted())
      const call = this.#calls.begin(signal, () => reject(aborted()))
      queue.add(() => {
        call.end()
        resolve(take())
      })
      this.#pump()
    })
  }

  /** Tells what a call used, for the tokens-per-minute limit. */
  spent(tokens: number): void {
    this.#tokens = tokens
    if (this.#perToken > 0)
      this.#next = Math.max(this.#next, this.#now()) + tokens * this.#perToken * this.#sharing.members()
  }

  /** Drops the rate and the pause that were learned: they say nothing of a server that lets nothing through. */
  forget(): void {
    this.#rate = new LearnedRate()
    this.#next = Math.min(this.#next, this.#now() + this.#interval * this.#sharing.members())
  }

  /** Tells what a reply's headers said. */
  told({ requests, tokens }: RateHeaders): void {
    if (requests !== undefined && requests.remaining < 1) this.#pause(requests.reset)
    if (tokens === undefined || tokens.remaining >= this.#tokens) return
    // `reset` fills the whole; one more call needs a part.
    const part = tokens.limit === undefined ? 1 : Math.min(1, this.#tokens / tokens.limit)
    this.#pause(tokens.reset * part)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#sharing.close()
  }

  #pump(): void {
    for (;;) {
      const isLate = this.#late.size() > 0
      if (!isLate && (this.#waiting.size() === 0 || this.#inFlight >= this.#window.size)) return
      const news = this.#sharing.news()
      if (news.rate !== undefined) this.#rate.adopt(news.rate, this.#now())
      if (news.wait > 0) this.#pause(news.wait)
      const wait = this.#next - this.#now()
      if (wait > 0) return this.#pumpIn(wait)
      if (!isLate && !this.#sharing.take()) return this.#pumpIn(LOOK_AGAIN)
      if (!isLate) this.#inFlight += 1
      const members = this.#sharing.members()
      const interval = Math.max(this.#interval * members, members / this.#rate.rate)
      if (interval > 0) this.#next = Math.max(this.#next, this.#now() - SLACK) + interval
      ;(isLate ? this.#late : this.#waiting).next()?.()
    }
  }

  #pumpIn(milliseconds: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#pump()
    }, milliseconds)
  }

  #pause(milliseconds: number): void {
    this.#next = Math.max(this.#next, this.#now() + Math.min(milliseconds, LONGEST_PAUSE))
  }

  #turn(): Turn {
    let sent = this.#now()
    let held = true
    return {
      accepted: () => {
        this.#dryFrom = undefined
        this.#window.accepted()
        this.#rate.accepted(this.#now(), this.#sharing.members())
      },
      renew: async (signal) => {
        if (this.#now() - sent <= SLACK) return false
        sent = await this.#queue(this.#late, signal, () => this.#now())
        return true
      },
      drought: () => (this.#dryFrom === undefined || this.#inFlight > 1 ? 0 : this.#now() - this.#dryFrom),
      rejected: (wait) => {
        this.#dryFrom ??= this.#now()
        if (wait <= 0) return
        this.#pause(wait)
        if (!this.#rate.rejected({ sent, now: this.#now() }, wait, this.#sharing.members())) return
        this.#window.rejected()
        this.#sharing.tell({ wait, rate: this.#rate.rate })
      },
      release: () => {
        if (!held) return
        held = false
        this.#inFlight -= 1
        this.#sharing.give()
        this.#pump()
      },
    }
  }
}
