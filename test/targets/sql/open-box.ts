import { readFile } from 'node:fs/promises'
import { createSqlBox, type SqlBox } from '../../../targets/sql/box.ts'
import type { SqlLimits } from '../../../targets/sql/outcome.ts'
import type { AskDatabase } from '../../../targets/sql/annotate-queries.ts'

/** Opens a box over a SQLite file. */
export const openBox = (path: string, limits?: SqlLimits): SqlBox =>
  createSqlBox(async () => new Uint8Array(await readFile(path)), limits)

export const runIn =
  (box: SqlBox): AskDatabase =>
  async (sql, milliseconds) => ({ outcome: await box.query(sql, milliseconds), elapsed: 0 })
