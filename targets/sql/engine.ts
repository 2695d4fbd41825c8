import type { Sqlite3Static, WasmPointer } from '@sqlite.org/sqlite-wasm'
import type { SqlLimits, SqlOutcome } from './outcome.ts'
import { loadSqlite } from './load-sqlite.ts'
import { runStatement } from './run-statement.ts'

/** A database in memory that no statement can change. */
interface SqlEngine {
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

/**
 * The instant at which all statements run, in milliseconds of the Julian day: 2105-12-31 23:59 UTC, the "now" of
 * EHRSQL's questions about eICU. Half of the answerable gold queries ask for the current time; by the wall clock their
 * results, and so the scores, would change through the day (they do in HELM).
 */
const NOW = BigInt(2_440_587.5 * 86_400_000 + Date.UTC(2105, 11, 31, 23, 59))

/** Takes clock and chance from SQLite: `current_time` and `random()` give the same in every process. */
const pinWorld = ({ capi, wasm }: Sqlite3Static): void => {
  const vfs = new capi.sqlite3_vfs(capi.sqlite3_vfs_find(null))
  vfs.installMethod('xCurrentTimeInt64', (_vfs: number, out: number) => {
    wasm.poke64(out, NOW)
    return 0
  })
  vfs.installMethod('xRandomness', (_vfs: number, size: number, out: number) => {
    wasm.heap8u().fill(0, out, out + size)
    return size
  })
}

/** Begins the random numbers anew, so that what a statement draws hangs on no statement before it. */
const restartChance = ({ capi }: Sqlite3Static): void => {
  capi.sqlite3_randomness(0, 0)
}
