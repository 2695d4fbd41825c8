import type { Store } from '../../cache/store.ts'
import type { Listener } from '../event.ts'
import type { Spending } from './spending.ts'

/** What paying for calls needs of the stages' environment. */
export interface SpendEnv {
  readonly store: Store
  readonly spending: Spending
  readonly listener: Listener
  /** Aborted first: no new call is begun. */
  readonly stop: AbortSignal
  /** Aborted a grace later: calls in flight are given up. */
  readonly abort: AbortSignal
  /** Epoch milliseconds. */
  readonly now: () => number
}
