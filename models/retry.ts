import type { ModelEvent } from './event.ts'
import type { Availability } from './availability.ts'
import { ClientError } from './calls/client.ts'
import { mayLast } from './calls/failure.ts'
import type { Limiter, Turn } from './limits/limiter.ts'
import { sleep } from './sleep.ts'

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
  readonly availability: Pick<Availability, 'open' | 'isOpen' | 'answered' | 'doubted'>
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
      if (!mayLast(error)) {
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
      context.onEvent({
        type: 'call-retried',
        deployment: context.deployment,
        attempt: failures + rejections,
        cause: error.code,
        wait,
      })
      if (rejected && wait > 0) turn.rejected(wait)
      if (!rejected || wait === 0) await sleep(rejected ? backoff(rejections - 1, context) : wait, signal)
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
    super(last.code, last.message, {
      retriable: last.retriable,
      ...(last.status === undefined ? {} : { status: last.status }),
      cause: last,
    })
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
