import type { CompletionRequest } from '../../calls/client.ts'

export interface PatienceOptions {
  /** Milliseconds after which any attempt is given up. */
  readonly longest: number
  /** Milliseconds before which none is, however fast the others were. */
  readonly shortest: number
  readonly now?: () => number
}

/** An attempt that is waited for. */
export interface Waiting {
  /** Tells that it was answered. */
  answered(): void
  end(): void
}

export interface CallPatience {
  /** @param giveUp - called once when the attempt has taken longer than an answer would */
  begin(request: CompletionRequest, giveUp: () => void): Waiting
  /** Milliseconds that an attempt at this request may take by now. */
  limit(request: CompletionRequest): number
}

/** Answers to learn from before any attempt is given up early. */
const ENOUGH = 30
const REMEMBERED = 200
/** So many times the slowest answer of late. */
const FACTOR = 8
/** So many times longer for each attempt at the same request that was given up. */
const ESCALATION = 4
/** Milliseconds between looks. */
const LOOK = 250

interface Attempt {
  readonly request: CompletionRequest
  readonly started: number
  readonly giveUp: () => void
}

/**
 * How long to wait for an answer, learned from those that came to requests of the same size: a server that loses one
 * call in a hundred would else hold up a run for the full timeout each time. The provider may bill a call that is given
 * up, so the limit is far above what answers take, and the next attempt waits much longer.
 */
export const createPatience = ({
  longest,
  shortest,
  now = () => performance.now(),
}: PatienceOptions): CallPatience => {
  const answers = new Map<number, number[]>()
  const givenUp = new WeakMap<CompletionRequest, number>()
  const waiting = new Set<Attempt>()
  let timer: NodeJS.Timeout | undefined

  const limit = (request: CompletionRequest): number => {
    const times = answers.get(sizeOf(request)) ?? []
    if (times.length < ENOUGH) return longest
    const learned = Math.max(shortest, FACTOR * Math.max(...times))
    return Math.min(longest, learned * ESCALATION ** (givenUp.get(request) ?? 0))
  }

  const look = (): void => {
    for (const attempt of waiting) {
      if (now() - attempt.started < limit(attempt.request)) continue
      stopWaiting(attempt)
      givenUp.set(attempt.request, (givenUp.get(attempt.request) ?? 0) + 1)
      attempt.giveUp()
    }
  }

  const stopWaiting = (attempt: Attempt): void => {
    waiting.delete(attempt)
    if (waiting.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  const remember = (request: CompletionRequest, time: number): void => {
    const size = sizeOf(request)
    const times = answers.get(size)
    if (times === undefined) return void answers.set(size, [time])
    times.push(time)
    if (times.length > REMEMBERED) times.shift()
  }

  return {
    limit,
    begin: (request, giveUp) => {
      const attempt = { request, started: now(), giveUp }
      waiting.add(attempt)
      timer ??= setInterval(look, LOOK).unref()
      return {
        answered: () => remember(request, now() - attempt.started),
        end: () => stopWaiting(attempt),
      }
    },
  }
}

/** Requests that may answer at about the same length: an answer of one token says nothing of one of a thousand. */
const sizeOf = ({ maxTokens, n }: CompletionRequest): number =>
  Math.ceil(Math.log2(Math.max(1, maxTokens * n)))
