import type { ProblemError } from '../cache/problems/problem.ts'
import { defined } from '../cache/values/defined.ts'
import { ClientError, mayLast, aborted, isUnreached, isUnread } from './calls/client.ts'
import type { Limiter, Turn } from './limits/limiter.ts'

/** What is retried, how often, how long. None of it is part of a cache key. */
export interface RetryPolicy {
  /** Attempts that may fail for the server's or the network's sake. */
  readonly attempts: number
  /** Rejections for too many requests (429) are the limiter's business: they have a cap of their own. */
  readonly rejections: number
  /** Milliseconds for which a deployment may reject everything before its calls fail. */
  readonly longestDrought: number
  /** Milliseconds: first backoff, longest backoff, longest Retry-After obeyed. */
  readonly base: number
  readonly longest: number
  readonly longestRetryAfter: number
}

export const DEFAULT_RETRY: RetryPolicy = {
  attempts: 6,
  rejections: 40,
  longestDrought: 120_000,
  base: 500,
  longest: 30_000,
  longestRetryAfter: 120_000,
}

export interface RetryContext {
  readonly deployment: string
  readonly policy: RetryPolicy
  readonly limiter: Pick<Limiter, 'acquire' | 'forget'>
  readonly availability: Pick<Availability, 'open' | 'isOpen' | 'answered' | 'doubted' | 'mayLast'>
  /** One small call to the same deployment. */
  readonly check: () => Promise<unknown>
  /** The deployment is asked no more: the check failed as the call did. */
  readonly onStopped: (error: ClientError) => void
  readonly signal: AbortSignal
  readonly onEvent: (event: ModelEvent) => void
  /** Uniform in [0, 1): jitter, so that many waiting calls don't come back together. */
  readonly random: () => number
}

/**
 * Calls until a reply, a final error or the end of the budget.
 * Backoff is exponential with full jitter; Retry-After is honoured up to a limit, above which the call fails at once.
 * A 429 pauses the whole deployment, not one call, so that the others don't run into the same wall; one that asks for
 * no wait says nothing of the others, and its call is sent again, later each time. Where nothing is let through for
 * long, the call fails, and so does each that follows at its first rejection. After a failure that all calls would
 * meet (nothing listens, a wrong key, no money) one check decides for all of them.
 *
 * @throws ClientError the last one, with `attempts` on it
 */
export const withRetries = async <T>(call: (turn: Turn) => Promise<T>, context: RetryContext): Promise<T> => {
  const { policy, limiter, availability, signal } = context
  let failures = 0
  let rejections = 0
  for (;;) {
    await availability.open(signal)
    const turn = await limiter.acquire(signal)
    try {
      // It may have waited long for its turn.
      if (!availability.isOpen()) continue
      const reply = await call(turn)
      turn.accepted()
      availability.answered()
      return reply
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      if (!availability.mayLast(error)) {
        if (error.status !== undefined) availability.answered()
      } else if (!signal.aborted) await askWhetherDown(error, failures + rejections + 1, context)
      const rejected = error.status === 429
      if (!rejected && error.status !== undefined) turn.accepted()
      if (rejected) rejections += 1
      else failures += 1
      const isDry = rejected && turn.drought() >= policy.longestDrought
      if (isDry) limiter.forget()
      const spent = rejected ? isDry || rejections >= policy.rejections : failures >= policy.attempts
      if (!error.retriable || spent || signal.aborted) throw new AttemptsError(error, failures + rejections)
      const wait = waitOf(error, failures + rejections, context)
      // Who asks for none may ask so each time.
      const own = wait > 0 ? wait : backoff((rejected ? rejections : failures) - 1, context)
      context.onEvent({
        type: 'call-retried',
        deployment: context.deployment,
        attempt: failures + rejections,
        cause: error.code,
        wait: own,
      })
      if (rejected) turn.rejected(wait)
      if (!rejected || wait === 0) await sleep(own, signal)
    } finally {
      turn.release()
    }
  }
}

/** @throws AttemptsError where the check found the same */
const askWhetherDown = async (
  error: ClientError,
  attempts: number,
  { availability, check, policy, signal, onStopped }: RetryContext,
): Promise<void> => {
  try {
    await availability.doubted(error, { call: check, attempts: policy.attempts, signal, onStopped })
  } catch (stopped) {
    throw stopped instanceof ClientError ? new AttemptsError(stopped, attempts) : stopped
  }
}

/** The last error of a call and how many attempts it took. */
export class AttemptsError extends ClientError {
  readonly attempts: number

  constructor(last: ClientError, attempts: number) {
    super(last.code, last.message, defined({ retriable: last.retriable, status: last.status, cause: last }))
    this.attempts = attempts
  }
}

const waitOf = (
  error: ClientError,
  count: number,
  { policy, random }: Pick<RetryContext, 'policy' | 'random'>,
): number => {
  if (error.retryAfter !== undefined) {
    if (error.retryAfter > policy.longestRetryAfter)
      throw new AttemptsError(
        new ClientError(
          'call/retry-after',
          `the server asks to wait ${Math.round(error.retryAfter / 1000)} s`,
          {
            retriable: true,
            cause: error,
          },
        ),
        count,
      )
    return error.retryAfter
  }
  return backoff(count, { policy, random })
}

/** Milliseconds after so many tries; none after none. */
const backoff = (count: number, { policy, random }: Pick<RetryContext, 'policy' | 'random'>): number =>
  count < 1 ? 0 : random() * Math.min(policy.longest, policy.base * 2 ** (count - 1))

/** How it is found out whether a deployment answers. */
interface Check {
  /** One small call. @throws ClientError */
  readonly call: () => Promise<unknown>
  /** How often a server that did answer is looked for again. */
  readonly attempts: number
  readonly signal: AbortSignal
  readonly onStopped: (error: ClientError) => void
}

/** Milliseconds before a server that never answered is looked for a second time. */
const FIRST_LOOK = 1000
/** Before one that did is; twice as long each time, as it may be starting again. */
const LOOK_AGAIN = 500
/** Failures in a row before the next check, at most. */
const LONGEST_ROW = 64

/**
 * Whether a deployment answers at all, found out once for all calls to it: four hundred calls to a server that is down
 * need not each try six times.
 */
export class Availability {
  #stopped: ClientError | undefined
  #checking: Promise<void> | undefined
  #answers = 0
  /** Doubtful failures since the last answer, and how many of them call for a check. */
  #row = 0
  #longest = 1

  /** False while a check is under way and once the deployment was stopped. */
  isOpen(): boolean {
    return this.#stopped === undefined && this.#checking === undefined
  }

  /** Whether all calls may meet it. Who never sent anything that can be read is not who was meant. */
  mayLast(failure: ClientError): boolean {
    return mayLast(failure) || (isUnread(failure) && this.#answers === 0)
  }

  /** Resolves when a call may be tried. @throws ClientError why the deployment was stopped, `call/aborted` */
  async open(signal: AbortSignal): Promise<void> {
    // A check that ends in a problem of its own is told to whoever asked for it.
    await this.#checking?.catch(() => undefined)
    if (signal.aborted) throw aborted()
    if (this.#stopped !== undefined) throw notAsked(this.#stopped)
  }

  /** Tells that the server answered a call, with a reply or with a failure of that call alone. */
  answered(): void {
    this.#answers += 1
    this.#row = 0
  }

  /**
   * Tells a failure that all calls may meet. Resolves once a check has shown whether they do.
   * @throws ClientError why the deployment was stopped; ProblemError of the check
   */
  async doubted(failure: ClientError, check: Check): Promise<void> {
    if (this.#stopped !== undefined) throw this.#stopped
    this.#row += 1
    // A gateway may forbid (403) single prompts: after a check that went well it takes more of them for the next.
    if (this.#checking === undefined && this.#row >= this.#longest)
      this.#checking = this.#check(isUnreached(failure), check).finally(() => {
        this.#checking = undefined
      })
    await this.#checking
    if (this.#stopped !== undefined) throw this.#stopped
  }

  async #check(unreached: boolean, { call, attempts, signal, onStopped }: Check): Promise<void> {
    const before = this.#answers
    const looks = unreached && before > 0 ? attempts - 1 : 1
    for (let look = 1; ; look += 1) {
      if (unreached) await sleep(before > 0 ? LOOK_AGAIN * 2 ** (look - 1) : FIRST_LOOK, signal)
      const failure = await failureOf(call)
      // Calls that were under way may have been answered meanwhile.
      if (failure === undefined || !this.mayLast(failure) || this.#answers > before) {
        this.answered()
        this.#longest = unreached ? 1 : Math.min(LONGEST_ROW, this.#longest * 2)
        return
      }
      if (look < looks && isUnreached(failure)) continue
      this.#stopped = failure
      onStopped(failure)
      return
    }
  }
}

const failureOf = async (call: () => Promise<unknown>): Promise<ClientError | undefined> => {
  try {
    await call()
    return undefined
  } catch (error) {
    if (error instanceof ClientError) return error
    throw error
  }
}

const notAsked = (stopped: ClientError): ClientError =>
  new ClientError(stopped.code, `not asked, for the deployment does not answer: ${stopped.message}`, {
    retriable: false,
    ...(stopped.status === undefined ? {} : { status: stopped.status }),
    cause: stopped,
  })

/** @throws ClientError `call/aborted` */
export const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(aborted())
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    const stop = (): void => {
      clearTimeout(timer)
      reject(aborted())
    }
    signal.addEventListener('abort', stop, { once: true })
  })

/** What happens on the way to a reply. */
export type ModelEvent =
  | {
      readonly type: 'call-retried'
      readonly deployment: string
      readonly attempt: number
      readonly cause: string
      /** Milliseconds until the next attempt. */
      readonly wait: number
    }
  /** It answers no call, whatever is asked: none is made any more. */
  | {
      readonly type: 'deployment-stopped'
      readonly deployment: string
      readonly code: string
      readonly detail: string
      /** What to do about it. */
      readonly remedy: string
    }
  /** No place was found where processes of this machine could share limits: they hold for this one alone. */
  | { readonly type: 'limits-alone'; readonly problem: ProblemError }
  /** Its first call waits for so many milliseconds: its limit may be used up by a task before this one. */
  | { readonly type: 'deployment-awaited'; readonly deployment: string; readonly wait: number }
