/** A cell as SQLite holds it: ints are always bigint, reals always number. Both cross threads as they are. */
export type SqlValue = null | bigint | number | string | Uint8Array

export type SqlLimit = 'time' | 'memory' | 'rows'

/** What became of one statement. */
export type SqlOutcome =
  | { readonly kind: 'rows'; readonly rows: readonly (readonly SqlValue[])[] }
  /** Python's exception, as `str(e)` gives it. */
  | { readonly kind: 'error'; readonly exception: PythonException; readonly message: string }
  /** The statement would write, or reach beyond the database. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'stopped'; readonly limit: SqlLimit }

/** The exceptions that Python's sqlite3 raises here, by class. */
export type PythonException =
  | 'OperationalError'
  | 'ProgrammingError'
  | 'IntegrityError'
  | 'DatabaseError'
  | 'DataError'
  | 'UnicodeEncodeError'

/** What a box allows a statement. */
export interface SqlLimits {
  /** Bytes that SQLite may take beside the database itself; also the longest text or blob. */
  readonly heapBytes: number
  readonly rows: number
  readonly cells: number
  /** UTF-16 units and bytes of all texts and blobs of a result. */
  readonly resultSize: number
}

export const DEFAULT_LIMITS: SqlLimits = {
  heapBytes: 64_000_000,
  rows: 100_000,
  cells: 1_000_000,
  resultSize: 64_000_000,
}
