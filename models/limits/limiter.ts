import { abortableCalls } from '../clients/abortable-calls.ts'
import { aborted } from '../clients/client.ts'
import type { DeploymentLimits } from '../registry/model.ts'

/** Hands out the right to call one deployment; shared by all targets and judges of an invocation. */
export interface Limiter {
  /** Resolves when a call may start. @throws ClientError `call/aborted` */
  acquire(signal: AbortSignal): Promise<() => void>
  /** Starts no call for so many milliseconds. */
  pause(milliseconds: number): void
  /** Tells what a call used, for the tokens-per-minute limit. */
  spent(tokens: number): void
  readonly concurrency: number
}

/** Calls in flight per deployment when nothing says otherwise. */
export const DEFAULT_CONCURRENCY = 32

/**
 * First come, first served, under three limits: calls in flight, requests a minute, tokens a minute.
 * The per-minute limits are leaky buckets without burst: a provider's window may start at any moment.
 */
export const createLimiter = (
  limits: DeploymentLimits,
  now: () => number = () => performance.now(),
): Limiter => {
  const concurrency = limits.concurrency ?? DEFAULT_CONCURRENCY
  const interval = limits.requestsPerMinute ? 60_000 / limits.requestsPerMinute : 0
  const perToken = limits.tokensPerMinute ? 60_000 / limits.tokensPerMinute : 0
  const waiting = createQueue()
  let inFlight = 0
  let notBefore = 0
  let timer: NodeJS.Timeout | undefined
  const calls = abortableCalls()

  const pump = (): void => {
    while (waiting.size() > 0 && inFlight < concurrency) {
      const wait = notBefore - now()
      if (wait > 0) {
        timer ??= setTimeout(() => {
          timer = undefined
          pump()
        }, wait)
        return
      }
      inFlight += 1
      if (interval) notBefore = Math.max(notBefore, now()) + interval
      waiting.next()?.()
    }
  }

  const releaseOnce = (): (() => void) => {
    let held = true
    return () => {
      if (!held) return
      held = false
      inFlight -= 1
      pump()
    }
  }

  return {
    concurrency,
    acquire: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(aborted())
        const call = calls.begin(signal, () => reject(aborted()))
        waiting.add(() => {
          call.end()
          const release = releaseOnce()
          // Given up while it waited: the turn goes to the next.
          if (signal.aborted) return release()
          resolve(release)
        })
        pump()
      }),
    pause: (milliseconds) => {
      notBefore = Math.max(notBefore, now() + milliseconds)
    },
    spent: (tokens) => {
      if (perToken) notBefore = Math.max(notBefore, now()) + tokens * perToken
    },
  }
}

interface Queue {
  size(): number
  add(start: () => void): void
  next(): (() => void) | undefined
}

/** First in, first out. Taken ones are dropped in bulk: shifting a long array each time would cost its length. */
const createQueue = (): Queue => {
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
