import type { Store } from '../../cache/store.ts'
import type { Listener } from '../event.ts'
import type { CompletionRequest } from '../../models/calls/client.ts'
import type { Price } from '../../models/prices/price.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'

/** Leave to make one call. */
export interface Reservation {
  /** The most that the call can cost as far as its request bounds it, US dollars; null without a price. */
  readonly bound: number | null
  /** The most that it is expected to cost: above the bound where calls of the deployment were seen to pass theirs. */
  readonly ceiling: number | null
  /** Tells what it cost, and so makes room for others. To be called once, however the call ends. */
  settle(usd: number): void
}

/** What one invocation may spend: every paid call asks it first. */
export interface Spending {
  /** Names the invocation in the ledger. */
  readonly run: string
  readonly priceOf: (deployment: string) => Price | undefined
  /**
   * Waits while calls in flight may leave no room under a cap. Undefined once a cap is reached, or when the run stops:
   * then nothing may be called.
   */
  reserve(deployment: ModelDeployment, request: CompletionRequest): Promise<Reservation | undefined>
  /** Whether a call that was given leave a while ago may still begin. */
  mayBegin(): Promise<boolean>
}

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
