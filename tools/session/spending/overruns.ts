import type { LedgerEntry } from '../../../targets/spend/ledger.ts'

/**
 * By how much calls of a deployment cost more than their requests allow: tokens of hidden reasoning that `max_tokens` does
 * not bound, a prompt that the provider writes before ours. What was seen once is reserved for each later call.
 */
export interface Overruns {
  /** US dollars to reserve above a call's own bound. */
  of(deployment: string): Promise<number>
  /** Tells what a call cost above its own bound. */
  seen(deployment: string, usd: number): void
}

/** @param ledger entries of earlier runs, read with the first question */
export const createOverruns = (
  ledger: () => Promise<Iterable<Pick<LedgerEntry, 'deployment' | 'usd' | 'ceiling'>>>,
): Overruns => {
  const greatest = new Map<string, number>()
  const seen = (deployment: string, usd: number): void => {
    if (usd > (greatest.get(deployment) ?? 0)) greatest.set(deployment, usd)
  }
  const read = async (): Promise<void> => {
    for (const { deployment, usd, ceiling } of await ledger())
      if (usd !== null && ceiling !== null) seen(deployment, usd - ceiling)
  }
  let reading: Promise<void> | undefined
  return {
    seen,
    of: async (deployment) => {
      await (reading ??= read())
      return greatest.get(deployment) ?? 0
    },
  }
}
