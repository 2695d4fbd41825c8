import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readFileSync, namesIn } from '../../../cache/files/read.ts'
import { makeFolder } from '../../../cache/files/folders.ts'
import { replaceFile } from '../../../cache/files/write.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import {
  identifyProcess,
  parseIdentity,
  standingOf,
  type ProcessIdentity,
} from '../../../cache/processes/process-identity.ts'
import { addAmounts, type Amounts } from '../../../targets/spend/cap.ts'

/** What one run spent in a day, and what its calls in flight may cost; US dollars by deployment. */
export interface DayRow {
  readonly run: string
  /** The process. */
  readonly owner: string
  readonly settled: Readonly<Record<string, number>>
  readonly reserved: Readonly<Record<string, number>>
}

export const amountsOf = (record: Readonly<Record<string, number>>): Amounts =>
  new Map(Object.entries(record))

/** Rows are files `DAY.RUN.json`. Whoever reads meanwhile sees the old row or the new one. */
export const writeRow = (folder: string, day: string, row: DayRow): void => {
  const file = join(folder, `${day}.${row.run}.json`)
  try {
    makeFolder(folder)
    replaceFile(file, JSON.stringify(row), { mode: 0o666, lasting: false })
  } catch (error) {
    throw new ProblemError(
      {
        code: 'spend/row-not-written',
        message: `what this run spends cannot be told to others: ${String(error)}`,
        where: { file },
        remedy: 'Free disk space or mend the folder’s rights; no call is made before.',
      },
      { cause: error },
    )
  }
}

const rowsIn = (folder: string, wanted: (day: string) => boolean): readonly string[] =>
  namesIn(folder)
    .filter((name) => name.endsWith('.json') && wanted(name.slice(0, name.indexOf('.'))))
    .sort()

/** By day, then by run. @throws ProblemError `spend/damaged-row` */
export const readRows = (folder: string, wanted: (day: string) => boolean): readonly DayRow[] =>
  rowsIn(folder, wanted).map((name) => readRow(join(folder, name)))

const readRow = (file: string): DayRow => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DayRow
  } catch (error) {
    throw new ProblemError(
      {
        code: 'spend/damaged-row',
        message: `the row of a run's spending cannot be read: ${String(error)}`,
        where: { file },
        remedy:
          'Delete it: what was paid for is in the ledger; only calls in flight of a killed run are not.',
      },
      { cause: error },
    )
  }
}

/** Removes earlier days' rows that tell nothing but what the ledger does. */
export const sweepRows = (folder: string, today: string): void => {
  for (const name of rowsIn(folder, (day) => day < today)) {
    const file = join(folder, name)
    if (Object.keys(readRow(file).reserved).length === 0) rmSync(file, { force: true })
  }
}

export const isLive = ({ owner }: DayRow, self: ProcessIdentity): boolean => {
  const other = parseIdentity(owner)
  return other !== undefined && standingOf(other, self) === 'alive'
}

/** What runs that were killed since that day had reserved, US dollars: nobody knows whether it was charged. */
export const abandonedUsd = (store: string, since: string): number => {
  const self = identifyProcess()
  const abandoned = readRows(join(store, 'spend'), (day) => day >= since)
    .filter((row) => !isLive(row, self))
    .map(({ reserved }) => amountsOf(reserved))
  return [...addAmounts(abandoned).values()].reduce((sum, usd) => sum + usd, 0)
}
