import { EXIT, type ExitCode } from '../../cache/problems/problem.ts'
import { stopWaiting } from '../../cache/user-code/bounded-call.ts'
import { endProcess } from '../../cache/user-code/guards.ts'
import { setMaxListeners } from 'node:events'
import { endByHangup } from './hangup.ts'

/** No new work from the first signal on; calls in flight are given up a grace later, or at the next signal. */
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

/** SIGHUP is what a terminal sends that is closed, or whose line was lost: calls in flight are paid for all the same. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Milliseconds after the first signal in which others say the same: Nx passes on what the terminal sent already. */
const SAME = 300
/** How long it may take to enter given-up calls and to close the store. */
const LAST = 2000

/** What a scheduler sends before it ends a task. */
const SCHEDULERS: ReadonlySet<NodeJS.Signals> = new Set(['SIGTERM', 'SIGUSR1', 'SIGUSR2'])

/**
 * The first Ctrl-C (or SIGTERM, SIGHUP) begins no new work and gives calls in flight a grace; a second one gives them up, but
 * keeps what arrived, and enters them as calls that may be charged; a third one exits at once. All leave a state to go
 * on from.
 * @param say undefined of work that asks nobody: the first signal ends the process
 * @param isScheduled whether a scheduler may run this: its signals give calls in flight a longer grace, however many come
 */
export const stopOnSignals = (say: ((text: string) => void) | undefined, isScheduled = false): Stopper => {
  const stop = new AbortController()
  const abort = new AbortController()
  // Every waiting call listens; that is no leak.
  setMaxListeners(0, stop.signal, abort.signal)
  abort.signal.addEventListener('abort', stopWaiting)
  let timer: NodeJS.Timeout | undefined
  let signalled: number | undefined
  let suspended = false
  const request = (): void => {
    stop.abort()
    timer ??= setTimeout(() => abort.abort(), suspended ? LONG_GRACE : GRACE)
    timer.unref()
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    // A server that looks into a store for what is new ends as it does at other times.
    if (say === undefined && !isAlone) return
    if (signal === 'SIGHUP') endByHangup()
    if (say === undefined) return endProcess(EXIT.interrupted)
    const isOfScheduler = isScheduled && SCHEDULERS.has(signal)
    if (signalled !== undefined) {
      if (isOfScheduler || performance.now() - signalled < SAME) return
      if (abort.signal.aborted) endProcess(EXIT.interrupted)
      abort.abort()
      // Not cleared by the end of the work: whatever still runs then would run on.
      setTimeout(() => endProcess(EXIT.interrupted), LAST).unref()
      return
    }
    signalled = performance.now()
    suspended = isOfScheduler
    say(`Stopping: calls in flight may finish.${isOfScheduler ? '' : ' Press Ctrl-C again to give them up.'}`)
    request()
  }
  const isAlone = process.listenerCount('SIGINT') === 0
  const signals = new Set<NodeJS.Signals>([...SIGNALS, ...(isScheduled ? SCHEDULERS : [])])
  for (const signal of signals) process.on(signal, onSignal)
  return {
    stop: stop.signal,
    abort: abort.signal,
    request,
    halt: () => stop.abort(),
    interrupted: () => signalled !== undefined,
    suspended: () => suspended,
    close: () => {
      clearTimeout(timer)
      for (const signal of signals) process.off(signal, onSignal)
    },
  }
}
