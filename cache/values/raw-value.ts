import type { StoreTable } from '../store.ts'

/** A value as it lies in a log: nobody need parse it, or hold the key of a sealed one, to take it elsewhere. */
export interface RawValue {
  readonly table: StoreTable
  readonly id: string
  /** JSON text, UTF-8; valid until the next one is asked for. */
  readonly payload: Buffer
}

/**
 * What stores of several machines share: what was paid for. All else is made again from it at no call, and batches that
 * are open belong to the store that sent them.
 */
export const SHARED = ['completions', 'ledger'] as const satisfies readonly StoreTable[]

export const isShared = (table: StoreTable): boolean => (SHARED as readonly StoreTable[]).includes(table)
