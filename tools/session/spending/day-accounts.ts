import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { groupBy } from '../../../cache/group-by.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { formatIdentity, identifyProcess } from '../../../cache/processes/process-identity.ts'
import type { Store } from '../../../cache/store.ts'
import type { DayAccounts } from '../../../targets/spend/capped-budget.ts'
import { addAmounts, type Account, type Amounts } from '../../../targets/spend/cap.ts'
import { spentIn, type PlacedEntry } from '../../../targets/spend/ledger.ts'
import { amountsOf, isLive, readRows, sweepRows, writeRow, type DayRow } from './day-rows.ts'

export interface DayAccountsOptions {
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
  const entered = (day: string): Promise<ReadonlyMap<string, Amounts>> => {
    const known = base.get(day)
    if (known !== undefined) return known
    const read = ledger(day).then((entries) => byRun(entries, day))
    base.set(day, read)
    return read
  }
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
