import type { Sqlite3Static, WasmPointer } from '@sqlite.org/sqlite-wasm'
import type { SqlLimits, SqlOutcome } from './outcome.ts'
import { loadSqlite } from './load-sqlite.ts'
import { pinWorld, restartChance } from './pin-world.ts'
import { runStatement } from './run-statement.ts'

/** A database in memory that no statement can change. */
export interface SqlEngine {
  /** @param milliseconds after which the statement is stopped, at its next step */
  query(sql: string, milliseconds: number): SqlOutcome
}

/** SQLite's steps between two looks at the clock: 0.1 ms or less. */
const STEPS = 1000

/** Opens a copy of `database`, the bytes of a SQLite file. @throws Error when SQLite can't open it */
export const openEngine = async (database: Uint8Array, limits: SqlLimits): Promise<SqlEngine> => {
  const sqlite = await loadSqlite()
  pinWorld(sqlite)
  const db = openCopy(sqlite, database)
  let deadline = Infinity
  refuseExtensions(sqlite, db)
  lock(sqlite, db, { heapBytes: database.length + limits.heapBytes, longest: limits.heapBytes })
  sqlite.capi.sqlite3_progress_handler(db, STEPS, () => (performance.now() > deadline ? 1 : 0), 0)
  return {
    query: (sql, milliseconds) => {
      restartChance(sqlite)
      deadline = performance.now() + milliseconds
      try {
        return runStatement({ sqlite, db, limits }, sql)
      } finally {
        deadline = Infinity
      }
    },
  }
}

const openCopy = ({ capi, wasm, oo1 }: Sqlite3Static, database: Uint8Array): WasmPointer => {
  const db = new oo1.DB()
  const { pointer } = db
  if (pointer === undefined) throw new Error('SQLite opened no database')
  // The heap is taken in one piece; SQLite frees it when the database is closed, which is with its thread.
  const copy = wasm.allocFromTypedArray(database)
  db.checkRc(
    capi.sqlite3_deserialize(
      pointer,
      'main',
      copy,
      database.length,
      database.length,
      capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_READONLY,
    ),
  )
  // A file that is no database is found out here, not by a model's query.
  db.exec('select count(*) from sqlite_master')
  return pointer
}

/** Python's libraries have the function and answer it so; this build of SQLite leaves it out. */
const refuseExtensions = ({ capi, wasm }: Sqlite3Static, db: WasmPointer): void => {
  capi.sqlite3_create_function(
    db,
    'load_extension',
    -1,
    capi.SQLITE_UTF8,
    0,
    wasm.installFunction('v(pip)', (context: WasmPointer) =>
      capi.sqlite3_result_error(context, 'not authorized', -1),
    ),
    0,
    0,
  )
}

/** Limits first: once the authoriser stands, no pragma passes. */
const lock = (
  { capi }: Sqlite3Static,
  db: WasmPointer,
  { heapBytes, longest }: { readonly heapBytes: number; readonly longest: number },
): void => {
  capi.sqlite3_exec(db, `pragma hard_heap_limit=${heapBytes}`, 0, 0, 0)
  capi.sqlite3_limit(db, capi.SQLITE_LIMIT_LENGTH, longest)
  capi.sqlite3_limit(db, capi.SQLITE_LIMIT_ATTACHED, 0)
  // As the libraries that Python comes with: "text" in double quotes is text where no column has that name.
  capi.sqlite3_db_config(db, capi.SQLITE_DBCONFIG_DQS_DML, 1, 0)
  const allowed: ReadonlySet<number> = new Set([
    capi.SQLITE_SELECT,
    capi.SQLITE_READ,
    capi.SQLITE_FUNCTION,
    capi.SQLITE_RECURSIVE,
  ])
  capi.sqlite3_set_authorizer(db, (_, action) => (allowed.has(action) ? capi.SQLITE_OK : capi.SQLITE_DENY), 0)
}
