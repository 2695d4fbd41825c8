/** A call that ends when it ends or when the signal that it was begun under is aborted. */
export interface AbortableCall {
  /** The call's own signal. Listeners that a library leaves on it go with it. */
  readonly signal: AbortSignal
  /** Gives up this call alone. */
  abort(): void
  end(): void
}

export interface AbortableCalls {
  /** @param onAbort - called once if `under` is aborted before the call ends */
  begin(under: AbortSignal, onAbort?: () => void): AbortableCall
}

/**
 * Puts one listener on a signal, however many calls are begun under it: a signal looks through all its listeners
 * whenever one is added, which makes thousands of waiting calls slow.
 */
export const abortableCalls = (): AbortableCalls => {
  const running = new WeakMap<AbortSignal, Set<() => void>>()
  const under = (signal: AbortSignal): Set<() => void> => {
    const known = running.get(signal)
    if (known !== undefined) return known
    const stops = new Set<() => void>()
    running.set(signal, stops)
    signal.addEventListener('abort', () => {
      for (const stop of stops) stop()
    })
    return stops
  }
  return {
    begin: (signal, onAbort) => {
      const own = new AbortController()
      const stops = under(signal)
      const stop = (): void => {
        stops.delete(stop)
        own.abort()
        onAbort?.()
      }
      if (signal.aborted) stop()
      else stops.add(stop)
      return { signal: own.signal, abort: stop, end: () => void stops.delete(stop) }
    },
  }
}
