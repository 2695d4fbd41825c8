import { abortableCalls, aborted } from '../calls/client.ts'
import type { DeploymentLimits } from '../deployment/model.ts'
import { LearnedRate, type RateHeaders } from './learned-rate.ts'

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
  /** Tells what the call used, for the tokens-per-minute limit. */
  spent(tokens: number): void
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
  /** Milliseconds a request and a token, of all processes together, by what the deployment states. */
  readonly #interval: number
  readonly #perToken: number
  readonly #waiting = createQueue()
  /** Those whose turn has come and gone: they are in flight already. */
  readonly #late = createQueue()
  readonly #calls = abortableCalls()
  #inFlight = 0
  /** Those of them that were rejected and wait for themselves alone: nothing of theirs is under way. */
  #resting = 0
  /** When the next call may start. */
  #next: number
  #timer: NodeJS.Timeout | undefined
  /** When the first was rejected since one was accepted. */
  #dryFrom: number | undefined
  /** Tokens of the last call, which the next is taken to use until it tells; the first waits for its turn, too. */
  #tokens = 1
  /** No server has answered yet: what a call takes is not known. */
  #isNew = true

  /** @param pause milliseconds before the first call */
  constructor(
    limits: DeploymentLimits,
    now: () => number = () => performance.now(),
    sharing: Sharing = unshared(now),
    pause = 0,
  ) {
    this.concurrency = limits.concurrency ?? DEFAULT_CONCURRENCY
    this.#window = new CallWindow(this.concurrency)
    this.#interval = limits.requestsPerMinute ? MINUTE / limits.requestsPerMinute : 0
    this.#perToken = limits.tokensPerMinute ? MINUTE / limits.tokensPerMinute : 0
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

  /** Drops the rate and the pause that were learned: they say nothing of a server that lets nothing through. */
  forget(): void {
    this.#rate = new LearnedRate()
    this.#next = Math.min(this.#next, this.#now())
  }

  /** Tells what a reply's headers said. */
  told({ requests, tokens }: RateHeaders): void {
    if (requests !== undefined && requests.remaining < 1) this.#pause(requests.reset)
    if (tokens === undefined || tokens.remaining >= this.#tokens) return
    // `reset` fills the whole; one more call needs a part.
    const part = !tokens.limit ? 1 : Math.min(1, this.#tokens / tokens.limit)
    this.#pause(tokens.reset * part)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#sharing.close()
  }

  #pump(): void {
    for (;;) {
      const isLate = this.#late.size() > 0
      const most = this.#isNew && this.#perToken > 0 ? 1 : this.#window.size
      if (!isLate && (this.#waiting.size() === 0 || this.#inFlight >= most)) return
      const news = this.#sharing.news()
      if (news.rate !== undefined) this.#rate.adopt(news.rate, this.#now())
      if (news.wait > 0) this.#pause(news.wait)
      const wait = this.#next - this.#now()
      if (wait > 0) return this.#pumpIn(wait)
      if (!isLate && !this.#sharing.take()) return this.#pumpIn(LOOK_AGAIN)
      const cost = this.#cost()
      const due = cost > 0 ? this.#sharing.reserve(cost) : 0
      if (due > 0) {
        if (!isLate) this.#sharing.give()
        return this.#pumpIn(due)
      }
      if (!isLate) this.#inFlight += 1
      this.#next = movedOn(this.#next, this.#now(), this.#sharing.members() / this.#rate.rate)
      ;(isLate ? this.#late : this.#waiting).next()?.()
    }
  }

  /** Milliseconds that a call takes of what is stated: of the limit that binds it. A minute later no window holds it. */
  #cost(): number {
    return Math.max(this.#interval, Math.min(MINUTE, this.#tokens * this.#perToken))
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
    let isResting = false
    let cost = this.#cost()
    return {
      spent: (tokens) => {
        this.#tokens = tokens
        const more = this.#cost() - cost
        cost += more
        if (more !== 0) this.#sharing.owe(more)
      },
      accepted: () => {
        this.#isNew = false
        this.#dryFrom = undefined
        this.#window.accepted()
        this.#rate.accepted(this.#now(), this.#sharing.members())
      },
      renew: async (signal) => {
        if (this.#now() - sent <= SLACK) return false
        sent = await this.#queue(this.#late, signal, () => this.#now())
        return true
      },
      drought: () => {
        const underWay = this.#inFlight - this.#resting - (isResting ? 0 : 1)
        return this.#dryFrom === undefined || underWay > 0 ? 0 : this.#now() - this.#dryFrom
      },
      rejected: (wait) => {
        this.#dryFrom ??= this.#now()
        if (wait <= 0) {
          if (!isResting) this.#resting += 1
          isResting = true
          return
        }
        this.#pause(wait)
        if (!this.#rate.rejected({ sent, now: this.#now() }, wait, this.#sharing.members())) return
        this.#window.rejected()
        this.#sharing.tell({ wait, rate: this.#rate.rate })
      },
      release: () => {
        if (!held) return
        held = false
        this.#inFlight -= 1
        if (isResting) this.#resting -= 1
        this.#sharing.give()
        this.#pump()
      },
    }
  }
}

interface Queue {
  size(): number
  add(start: () => void): void
  next(): (() => void) | undefined
}

/** First in, first out. Taken ones are dropped in bulk: shifting a long array each time would cost its length. */
export const createQueue = (): Queue => {
  let items: (() => void)[] = []
  let head = 0
  return {
    size: () => items.length - head,
    add: (start) => void items.push(start),
    next: () => {
      const start = items[head]
      head += 1
      if (head > 1024 && head * 2 > items.length) {
        items = items.slice(head)
        head = 0
      }
      return start
    },
  }
}

/** Calls in flight before anything is known of a server. */
const START = 8
const CUT = 0.7

/**
 * How many calls may be in flight: starts low, doubles a round trip until the first rejection, from then on gains one
 * a round trip and loses a third on each further rejection.
 */
export class CallWindow {
  readonly #most: number
  #size: number
  #threshold: number

  /** @param most never more than this */
  constructor(most: number) {
    this.#most = most
    this.#size = Math.min(START, most)
    this.#threshold = most
  }

  /** At least 1. */
  get size(): number {
    return Math.floor(this.#size)
  }

  accepted(): void {
    const step = this.#size < this.#threshold ? 1 : 1 / this.#size
    this.#size = Math.min(this.#most, this.#size + step)
  }

  rejected(): void {
    this.#size = Math.max(1, this.#size * CUT)
    this.#threshold = this.#size
  }
}

/** Milliseconds: how late a timer may be and the rate still kept. */
const SLACK = 50

/** A minute, and what a late start may add: no window of 60 s then holds more calls than the limit. */
export const MINUTE = 60_000 + SLACK

/** A deployment's limits as the processes of this machine share them. */
export interface Sharing {
  /** Takes the right to one call in flight; false while the others have them all. Given back by `give`. */
  take(): boolean
  give(): void
  /**
   * Takes so many milliseconds of the time of all processes for a call that starts now.
   * @returns milliseconds until there is some; then nothing was taken
   */
  reserve(cost: number): number
  /** What a call took beyond what was reserved for it, or less than that. */
  owe(cost: number): void
  /** Processes that use the deployment now, this one included: each has an even part of a rate that was learned. */
  members(): number
  /** Milliseconds that another process was asked to wait from now on, and the rate that one learned since the last look. */
  news(): { readonly wait: number; readonly rate?: number }
  /** Tells the others. `wait` in milliseconds, `rate` in requests a millisecond of all together. */
  tell(news: { readonly wait: number; readonly rate: number }): void
  close(): void
}

/** When the next call may start, once one that costs so many milliseconds has. */
export const movedOn = (next: number, now: number, cost: number): number => Math.max(next, now - SLACK) + cost

/** What is used by this process alone: embedded models, tests. */
export const unshared = (now: () => number = () => performance.now()): Sharing => {
  let next = now()
  return {
    take: () => true,
    give: () => undefined,
    reserve: (cost) => {
      const wait = next - now()
      if (wait <= 0) next = movedOn(next, now(), cost)
      return Math.max(0, wait)
    },
    owe: (cost) => void (next = movedOn(next, now(), cost)),
    members: () => 1,
    news: () => ({ wait: 0 }),
    tell: () => undefined,
    close: () => undefined,
  }
}
