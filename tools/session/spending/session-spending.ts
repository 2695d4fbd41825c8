import { ProblemError } from '../../../cache/problems/problem.ts'
import { identifyProcess } from '../../../cache/processes/process-identity.ts'
import type { Store } from '../../../cache/store.ts'
import type { Prices } from '../../../models/prices/price.ts'
import { loadTokenizer } from '../../../models/tokenizers/tokenizer.ts'
import { readLedger, type LedgerFilter, type PlacedEntry } from '../../../targets/spend/ledger.ts'
import { capsOf } from '../workspace/budget-config.ts'
import type { SessionTier } from '../tier/session-tier.ts'
import { createDayAccounts } from './day-accounts.ts'
import type { SessionOptions } from '../session.ts'
import type { SessionVault } from '../session-vault.ts'
import { createSpending, type SessionSpending } from '../../../targets/spend/capped-spending.ts'
import { shardDays, shardRun, spentBefore, splitCaps } from '../../../targets/spend/shard-part.ts'

interface Parts {
  readonly storePath: string
  readonly store: Store
  readonly vault: SessionVault
  readonly prices: Prices
  readonly tier?: SessionTier | undefined
}

/** What one invocation may spend, under the caps of its flags and of medmake.yaml. */
export const openSpending = (
  { workspace, maxUsd, stopper }: SessionOptions,
  { storePath, store, vault, prices, tier }: Parts,
): SessionSpending => {
  const shard = tier?.shard
  const run = shard === undefined ? runId() : `${shardRun(shard)}${runId()}`
  const caps = capsOf(workspace.config.budget, maxUsd)
  const ledger = (since: string): Promise<readonly PlacedEntry[]> => wholeLedger({ store, vault }, { since })
  const spending = createSpending({
    run,
    prices,
    tokenizer: loadTokenizer,
    ...(shard === undefined
      ? { caps, days: createDayAccounts({ path: storePath, store, run, ledger }) }
      : {
          caps: splitCaps(caps, shard),
          days: shardDays(shard, run, ledger),
          before: async () => spentBefore(await ledger(''), shard),
        }),
    ledger: () => readableLedger({ store, vault }),
    now: Date.now,
    stop: stopper.stop,
    onReached: stopper.halt,
  })
  return tier === undefined ? spending : fenced(spending, tier, stopper.halt)
}

/** No call is begun that the tier gives no leave for, and none once another attempt has the shard. */
const fenced = (spending: SessionSpending, tier: SessionTier, halt: () => void): SessionSpending => {
  const pass = async (): Promise<boolean> => {
    const passes = await tier.pass()
    if (!passes) halt()
    return passes
  }
  return {
    ...spending,
    mayBegin: async () => (await pass()) && spending.mayBegin(),
    reserve: async (deployment, request) => {
      const held = await spending.reserve(deployment, request)
      if (held === undefined) return undefined
      const passes = await pass().catch((error: unknown) => {
        held.settle(0)
        throw error
      })
      if (passes) return held
      held.settle(0)
      return undefined
    },
  }
}

/** Entries of the store and of its vault. @throws ProblemError `cache/…` where there is a vault but not its key */
export const wholeLedger = async (
  { store, vault }: Pick<Parts, 'store' | 'vault'>,
  filter: LedgerFilter,
): Promise<readonly PlacedEntry[]> => [
  ...readLedger(store, filter),
  ...(vault.exists() ? readLedger(await vault.store(), filter) : []),
]

/** How far back earlier runs' calls tell what a call may cost, milliseconds. */
const REMEMBERED = 30 * 24 * 3600 * 1000

/** Without the vault's key those of the open store: a public run needs no other. */
const readableLedger = async (parts: Pick<Parts, 'store' | 'vault'>): Promise<readonly PlacedEntry[]> => {
  const since = new Date(Date.now() - REMEMBERED).toISOString().slice(0, 10)
  try {
    return await wholeLedger(parts, { since })
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return [...readLedger(parts.store, { since })]
  }
}

/** When and by which process, so that no two invocations share one: `20260131T120000Z-4711-0`. */
const runId = (): string => {
  const { pid, instance } = identifyProcess()
  return `${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${pid}-${instance}`
}
