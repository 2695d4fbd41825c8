import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { remembered } from '../../../cache/once.ts'
import { ProblemError, type Problem } from '../../../cache/problems/problem.ts'
import { identifyProcess, formatIdentity } from '../../../cache/processes/process-identity.ts'
import type { Store } from '../../../cache/store.ts'
import type { Prices } from '../../../models/prices/price.ts'
import { loadTokenizer } from '../../../models/tokenizers/tokenizer.ts'
import { readLedger, type LedgerFilter, type PlacedEntry, spentIn } from '../../../targets/spend/ledger.ts'
import { capsOf } from '../workspace/config.ts'
import type { SessionTier } from '../tier/session-tier.ts'
import type { SessionOptions, Session } from '../session.ts'
import type { SessionVault } from '../session-keeping.ts'
import {
  createSpending,
  type SessionSpending,
  type DayAccounts,
  noPrice,
} from '../../../targets/spend/capped-spending.ts'
import { shardDays, shardRun, spentBefore, splitCaps } from '../../../targets/spend/shard-part.ts'
import { groupBy } from '../../../cache/lists.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { addAmounts, type Account, type Amounts } from '../../../targets/spend/cap.ts'
import { amountsOf, isLive, readRows, sweepRows, writeRow, type DayRow } from './day-rows.ts'
import { isRemote } from '../../../models/clients/create-client.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import { freshRecord } from '../../../targets/record/trace.ts'
import { deploymentsOf, type Target } from '../../../targets/record/target.ts'
import { targetKey } from '../../../targets/keys/keys.ts'

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

interface DayAccountsOptions {
  /** The store's folder. */
  readonly path: string
  readonly store: Store
  readonly run: string
  /** Entries of that day, from the store and its vault. */
  readonly ledger: (day: string) => Promise<Iterable<PlacedEntry>>
}

const PATIENCE = 5

/**
 * Each run keeps a row in a file of its own, so that runs at once see each other's calls in flight; what the rows do not
 * tell, since they were lost or never written, comes from the ledger.
 */
export const createDayAccounts = ({ path, store, run, ledger }: DayAccountsOptions): DayAccounts => {
  const folder = join(path, 'spend')
  const self = identifyProcess()
  const base = new Map<string, Promise<ReadonlyMap<string, Amounts>>>()
  let swept = ''
  const entered = (day: string): Promise<ReadonlyMap<string, Amounts>> =>
    remembered(base, day, () => ledger(day).then((entries) => byRun(entries, day)))
  const others = (day: string, known: ReadonlyMap<string, Amounts>): Account => {
    const rows = readRows(folder, (each) => each === day).filter((row) => row.run !== run)
    const told = new Map(rows.map((row) => [row.run, row]))
    const unseen = [...known].filter(([name]) => name !== run && !told.has(name)).map(([, spent]) => spent)
    // What a run that ended unasked had in flight may have been charged.
    const live = (row: DayRow): boolean => isLive(row, self)
    return {
      settled: addAmounts([
        ...unseen,
        ...rows.map((row) => greater(amountsOf(row.settled), known.get(row.run))),
        ...rows.filter((row) => !live(row)).map(({ reserved }) => amountsOf(reserved)),
      ]),
      reserved: addAmounts(rows.filter(live).map(({ reserved }) => amountsOf(reserved))),
    }
  }
  return {
    exclusively: async (day, decide) => {
      const known = await entered(day)
      let claim = await store.claim(LOCK)
      while (claim === undefined) {
        await setTimeout(PATIENCE)
        claim = await store.claim(LOCK)
      }
      try {
        if (day !== swept) sweepRows(folder, day)
        swept = day
        return decide(others(day, known))
      } finally {
        await claim.release()
      }
    },
    write: (day, { settled, reserved }) =>
      writeRow(folder, day, {
        run,
        owner: formatIdentity(self),
        settled: Object.fromEntries(settled),
        reserved: Object.fromEntries(reserved),
      }),
  }
}

const LOCK = digestOf<'text'>('day accounts')

/** A machine that lost power may have kept an older row than the ledger. */
const greater = (row: Amounts, entered: Amounts = new Map()): Amounts =>
  new Map(
    [...new Set([...row.keys(), ...entered.keys()])].map((name) => [
      name,
      Math.max(row.get(name) ?? 0, entered.get(name) ?? 0),
    ]),
  )

const byRun = (entries: Iterable<PlacedEntry>, day: string): ReadonlyMap<string, Amounts> =>
  new Map(
    [...groupBy(entries, ({ time, run }) => (time.startsWith(day) ? run : undefined))].map(
      ([run, own]) => [run, spentIn(own)] as const,
    ),
  )

/**
 * Where there is a cap, every deployment that is asked over a network must have a price.
 * @throws ProblemError `spend/no-price` with all of them at once
 */
export const refuseUnpriced = (
  deployments: readonly ModelDeployment[],
  { prices, spending: { caps } }: Pick<Session, 'prices' | 'spending'>,
): void => {
  if (caps.length === 0) return
  const unpriced = new Map<string, Problem>()
  for (const deployment of deployments)
    if (isRemote(deployment) && !prices.has(deployment.name))
      unpriced.set(deployment.name, noPrice(deployment, caps))
  if (unpriced.size > 0) throw new ProblemError([...unpriced.values()])
}

/** The same for the models and judges of targets. Targets with nothing to do ask nobody. */
export const requirePrices = async (
  targets: readonly Target[],
  session: Pick<Session, 'env' | 'prices' | 'spending'>,
): Promise<void> => {
  if (session.spending.caps.length === 0) return
  const { env } = session
  const asked: ModelDeployment[] = []
  for (const target of targets) {
    const { digest } = await targetKey(target, env.profile)
    if (freshRecord(digest, env.records) === undefined) asked.push(...deploymentsOf(target))
  }
  refuseUnpriced(asked, session)
}
