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
  readonly close: () => void
}

/** Calls in flight may take so long to finish after Ctrl-C: they are paid for, so their replies are worth keeping. */
const GRACE = 4000

/**
 * The first Ctrl-C (or SIGTERM) begins no new work and gives calls in flight a grace; a second one exits at once.
 * Finished results are on disk already, so both leave a state to go on from.
 */
export const stopOnSignals = (say: (text: string) => void): Stopper => {
  const stop = new AbortController()
  const abort = new AbortController()
  // Every waiting call listens; that is no leak.
  setMaxListeners(0, stop.signal, abort.signal)
  let timer: NodeJS.Timeout | undefined
  let signalled = false
  const request = (): void => {
    stop.abort()
    timer ??= setTimeout(() => abort.abort(), GRACE)
    timer.unref()
  }
  const onSignal = (): void => {
    if (signalled) process.exit(130)
    signalled = true
    say('Stopping: calls in flight may finish. Press Ctrl-C again to exit at once.')
    request()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return {
    stop: stop.signal,
    abort: abort.signal,
    request,
    halt: () => stop.abort(),
    interrupted: () => signalled,
    close: () => {
      clearTimeout(timer)
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
    },
  }
}
