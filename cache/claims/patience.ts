import { isStopped } from '../processes/process-identity.ts'
import type { StoreEvent } from '../store.ts'

/** Milliseconds of waiting for another process before it is named. */
const TELL_AFTER = 5000

/** Names those that this process waits for, each once, when it has waited for long. */
export class Patience {
  readonly #tellAfter: number
  readonly #onEvent: (event: StoreEvent) => void
  readonly #since = new Map<string, number>()
  readonly #told = new Set<number>()

  constructor(onEvent: (event: StoreEvent) => void, tellAfter: number = TELL_AFTER) {
    this.#onEvent = onEvent
    this.#tellAfter = tellAfter
  }

  /** `what` is held by the process `holder`; absent: the right to open the store, or to write to it. */
  waitsFor(holder: number, what?: string): void {
    const now = performance.now()
    const since = this.#since.get(what ?? '') ?? now
    this.#since.set(what ?? '', since)
    if (now - since < this.#tellAfter || this.#told.has(holder)) return
    this.#told.add(holder)
    const stopped = isStopped(holder)
    this.#onEvent({
      type: 'store-waiting',
      holder,
      stopped,
      ...(what === undefined ? {} : { digest: what }),
    })
  }

  /** It was given free. */
  over(what = ''): void {
    this.#since.delete(what)
  }
}
