import { EXIT, type ExitCode } from '../../cache/problems/problem.ts'
import { endProcess } from '../../cache/user-code/guards.ts'
import { setMaxListeners } from 'node:events'

/** Two signals in a row: no new work, then a grace later the calls in flight are given up. */
export interface Stopper {
  readonly stop: AbortSignal
  readonly abort: AbortSignal
  /** Stops as a signal would, from within. */
  readonly request: () => void
  /** Begins no new work either, but gives no call up, however long it takes. */
  readonly halt: () => void
  /** True when a signal asked to stop. */
  readonly interrupted: () => boolean
  /** True when the signal was one of a scheduler's, which means to go on later. */
  readonly suspended: () => boolean
  readonly close: () => void
}

/** The exit code of what a signal stopped; undefined where none did. */
export const exitOfSignal = ({ interrupted, suspended }: Stopper): ExitCode | undefined => {
  if (!interrupted()) return undefined
  return suspended() ? EXIT.goOn : EXIT.interrupted
}

/** Calls in flight may take so long to finish after Ctrl-C: they are paid for, so their replies are worth keeping. */
const GRACE = 4000
/** A scheduler warns a minute ahead, or as long as it was asked to. */
const LONG_GRACE = 45_000

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** What a scheduler sends before it ends a task. */
const SCHEDULERS: ReadonlySet<NodeJS.Signals> = new Set(['SIGTERM', 'SIGUSR1', 'SIGUSR2'])

/**
 * The first Ctrl-C (or SIGTERM) begins no new work and gives calls in flight a grace; a second one exits at once.
 * Finished results are on disk already, so both leave a state to go on from.
 *
 * @param isScheduled whether a scheduler may run this: its signals give calls in flight a longer grace, however many come
 */
export const stopOnSignals = (say: (text: string) => void, isScheduled = false): Stopper => {
  const stop = new AbortController()
  const abort = new AbortController()
  // Every waiting call listens; that is no leak.
  setMaxListeners(0, stop.signal, abort.signal)
  let timer: NodeJS.Timeout | undefined
  let signalled = false
  let suspended = false
  const request = (): void => {
    stop.abort()
    timer ??= setTimeout(() => abort.abort(), suspended ? LONG_GRACE : GRACE)
    timer.unref()
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    const isOfScheduler = isScheduled && SCHEDULERS.has(signal)
    if (signalled && !isOfScheduler) endProcess(130)
    suspended ||= isOfScheduler && !signalled
    if (!signalled)
      say(
        `Stopping: calls in flight may finish.${isOfScheduler ? '' : ' Press Ctrl-C again to exit at once.'}`,
      )
    signalled = true
    request()
  }
  const signals: readonly NodeJS.Signals[] = isScheduled ? ['SIGINT', ...SCHEDULERS] : SIGNALS
  for (const signal of signals) process.on(signal, onSignal)
  return {
    stop: stop.signal,
    abort: abort.signal,
    request,
    halt: () => stop.abort(),
    interrupted: () => signalled,
    suspended: () => suspended,
    close: () => {
      clearTimeout(timer)
      for (const signal of signals) process.off(signal, onSignal)
    },
  }
}
