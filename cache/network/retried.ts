import { setTimeout } from 'node:timers/promises'
import { ProblemError } from '../problems/problem.ts'
import { asProblem } from '../store-problems.ts'
import { plural } from '../words/number-text.ts'
import { connectionWords, staysRefused } from './connection-words.ts'

interface Retried {
  readonly url: string
  /** Whether the address may be told in words about it, as `connectionWords` has it. */
  readonly isPublic: boolean
  readonly signal: AbortSignal
  /** Milliseconds before the second, third, … attempt. */
  readonly waits: readonly number[]
  /** How far it is: attempts that got further do not count, as a long file may break off more often than is waited. */
  readonly progress?: () => Promise<number>
  readonly onRetry?: (attempt: number, reason: string) => void
}

/** Tries again after faults that may pass; a ProblemError is final. @param problem what the last fault is told as */
export const retried = async <T>(
  attempt: () => Promise<T>,
  { url, isPublic, signal, waits, progress, onRetry }: Retried,
  problem: (reason: string, cause: unknown) => ProblemError,
): Promise<T> => {
  let reached = (await progress?.()) ?? 0
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      signal.throwIfAborted()
      const own = asProblem(error)
      if (own instanceof ProblemError) throw own
      const now = (await progress?.()) ?? 0
      if (now > reached) tries = 0
      // The farthest: one that begins anew each time must not go on for ever.
      reached = Math.max(reached, now)
      const delay = staysRefused(error) ? undefined : waits[tries]
      const words = error instanceof Error ? error.message || error.name : String(error)
      const reason = connectionWords(error, words, { url, isPublic })
      if (delay === undefined) throw problem(`${reason} (${plural(tries + 1, 'attempt')})`, error)
      onRetry?.(tries + 1, reason)
      await setTimeout(delay, undefined, { signal })
    }
  }
}
