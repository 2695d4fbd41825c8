import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { digestOf } from '../../cache/digest.ts'
import {
  formatIdentity,
  identifyProcess,
  parseIdentity,
  standingOf,
  type ProcessIdentity,
} from '../../cache/process-identity.ts'
import type { Store } from '../../cache/store.ts'
import { addAmounts, plus, type Account, type Amounts } from '../../targets/spend/cap.ts'
import { countedCost, type PlacedEntry } from '../../targets/spend/ledger.ts'

/**
 * What all runs on one store spend in a day. Each run keeps a row in a file of its own, so that runs at once see each
 * other's calls in flight; what the rows do not tell, since they were lost or never written, comes from the ledger.
 */
export interface DayAccounts {
  /** Runs `decide` while no other process does, with what the other runs of that day have spent and reserved. */
  exclusively<T>(day: string, decide: (others: Account) => T): Promise<T>
  /** Writes this run's own row. */
  write(day: string, own: Account): void
}

export interface DayAccountsOptions {
  /** The store's folder. */
  readonly path: string
  readonly store: Store
  readonly run: string
  /** Entries of that day, from the store and its vault. */
  readonly ledger: (day: string) => Promise<Iterable<PlacedEntry>>
}

interface Row {
  readonly run: string
  readonly owner: string
  readonly settled: Readonly<Record<string, number>>
  readonly reserved: Readonly<Record<string, number>>
}

const PATIENCE = 5

export const createDayAccounts = ({ path, store, run, ledger }: DayAccountsOptions): DayAccounts => {
  const folder = join(path, 'spend')
  const self = identifyProcess()
  const base = new Map<string, Promise<ReadonlyMap<string, Amounts>>>()
  const fileOf = (day: string): string => join(folder, `${day}.${run}.json`)
  const entered = (day: string): Promise<ReadonlyMap<string, Amounts>> => {
    const known = base.get(day) ?? ledger(day).then((entries) => byRun(entries, day))
    base.set(day, known)
    return known
  }
  const others = (day: string, known: ReadonlyMap<string, Amounts>): Account => {
    const rows = readRows(folder, (each) => each === day).filter((row) => row.run !== run)
    const told = new Map(rows.map((row) => [row.run, row]))
    const unseen = [...known].filter(([name]) => name !== run && !told.has(name)).map(([, spent]) => spent)
    // What a run that ended unasked had in flight may have been charged.
    const live = (row: Row): boolean => isLive(row, self)
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
        return decide(others(day, known))
      } finally {
        await claim.release()
      }
    },
    write: (day, { settled, reserved }) => {
      const row: Row = {
        run,
        owner: formatIdentity(self),
        settled: Object.fromEntries(settled),
        reserved: Object.fromEntries(reserved),
      }
      mkdirSync(folder, { recursive: true })
      // Whoever reads meanwhile sees the old row or the new one.
      writeFileSync(`${fileOf(day)}.new`, JSON.stringify(row))
      renameSync(`${fileOf(day)}.new`, fileOf(day))
    },
  }
}

const LOCK = digestOf<'text'>('day accounts')

const amountsOf = (record: Readonly<Record<string, number>>): Amounts => new Map(Object.entries(record))

/** A machine that lost power may have kept an older row than the ledger. */
const greater = (row: Amounts, entered: Amounts = new Map()): Amounts =>
  new Map(
    [...new Set([...row.keys(), ...entered.keys()])].map((name) => [
      name,
      Math.max(row.get(name) ?? 0, entered.get(name) ?? 0),
    ]),
  )

const isLive = ({ owner }: Row, self: ProcessIdentity): boolean => {
  const other = parseIdentity(owner)
  return other !== undefined && standingOf(other, self) === 'alive'
}

const readRows = (folder: string, wanted: (day: string) => boolean): readonly Row[] => {
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return names
    .filter((name) => name.endsWith('.json') && wanted(name.slice(0, name.indexOf('.'))))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Row)
}

const byRun = (entries: Iterable<PlacedEntry>, day: string): ReadonlyMap<string, Amounts> => {
  const runs = new Map<string, Amounts>()
  for (const entry of entries)
    if (entry.time.startsWith(day))
      runs.set(entry.run, plus(runs.get(entry.run) ?? new Map(), entry.deployment, countedCost(entry)))
  return runs
}

/** What runs that were killed since that day had reserved, US dollars: nobody knows whether it was charged. */
export const abandonedUsd = (path: string, since: string): number => {
  const self = identifyProcess()
  const abandoned = readRows(join(path, 'spend'), (day) => day >= since)
    .filter((row) => !isLive(row, self))
    .map(({ reserved }) => amountsOf(reserved))
  return [...addAmounts(abandoned).values()].reduce((sum, usd) => sum + usd, 0)
}
