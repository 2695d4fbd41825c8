import type { Sqlite3Static, WasmPointer } from '@sqlite.org/sqlite-wasm'
import type { PythonException, SqlLimits, SqlOutcome, SqlValue } from './outcome.ts'

/** Where a statement runs. */
interface Connection {
  readonly sqlite: Sqlite3Static
  readonly db: WasmPointer
  readonly limits: SqlLimits
}

const error = (exception: PythonException, message: string): SqlOutcome => ({
  kind: 'error',
  exception,
  message,
})

/**
 * `cursor.execute(sql).fetchall()` of Python 3.11's sqlite3, with its messages (HELM.md T14).
 * What the authoriser denies is refused; what breaks a limit is stopped.
 */
export const runStatement = (connection: Connection, sql: string): SqlOutcome => {
  const { sqlite, db } = connection
  const { capi, wasm } = sqlite
  const encoded = encodeQuery(sql, capi.sqlite3_limit(db, capi.SQLITE_LIMIT_SQL_LENGTH, -1))
  if (encoded.kind === 'error') return encoded
  const text = wasm.allocFromTypedArray(new Uint8Array([...encoded.bytes, 0]))
  const stack = wasm.pstack.pointer
  try {
    const [statementOut, tailOut] = wasm.pstack.allocPtr(2, true)
    if (statementOut === undefined || tailOut === undefined) throw new Error('SQLite gave no memory')
    const code = capi.sqlite3_prepare_v2(db, text, -1, statementOut, tailOut)
    if (code !== capi.SQLITE_OK) return failureOf(connection, code)
    const statement = wasm.peekPtr(statementOut)
    try {
      if (hasMoreSql(wasm.cstrToJs(wasm.peekPtr(tailOut)) ?? ''))
        return error('ProgrammingError', 'You can only execute one statement at a time.')
      // Nothing but `;` or comments.
      return statement === 0 ? { kind: 'rows', rows: [] } : fetchAll(connection, statement)
    } finally {
      capi.sqlite3_finalize(statement)
    }
  } finally {
    wasm.pstack.restore(stack)
    wasm.dealloc(text)
  }
}

const fetchAll = (connection: Connection, statement: WasmPointer): SqlOutcome => {
  const { capi } = connection.sqlite
  const parameters = capi.sqlite3_bind_parameter_count(statement)
  if (parameters > 0)
    return error(
      'ProgrammingError',
      `Incorrect number of bindings supplied. The current statement uses ${parameters}, and there are 0 supplied.`,
    )
  const rows: SqlValue[][] = []
  const columns = capi.sqlite3_column_count(statement)
  let size = 0
  for (;;) {
    const code = capi.sqlite3_step(statement)
    if (code === capi.SQLITE_DONE) return { kind: 'rows', rows }
    if (code !== capi.SQLITE_ROW) return failureOf(connection, code)
    const row: SqlValue[] = []
    for (let column = 0; column < columns; column += 1) {
      const cell = readCell(connection, statement, column)
      if (cell.kind !== 'cell') return cell
      row.push(cell.value)
      size += typeof cell.value === 'string' || cell.value instanceof Uint8Array ? cell.value.length : 0
    }
    rows.push(row)
    const { limits } = connection
    if (rows.length > limits.rows || rows.length * columns > limits.cells || size > limits.resultSize)
      return { kind: 'stopped', limit: 'rows' }
  }
}

type Cell = { readonly kind: 'cell'; readonly value: SqlValue }

const readCell = ({ sqlite }: Connection, statement: WasmPointer, column: number): Cell | SqlOutcome => {
  const { capi, wasm } = sqlite
  switch (capi.sqlite3_column_type(statement, column)) {
    case capi.SQLITE_NULL:
      return { kind: 'cell', value: null }
    case capi.SQLITE_INTEGER:
      return { kind: 'cell', value: capi.sqlite3_column_int64(statement, column) }
    case capi.SQLITE_FLOAT:
      return { kind: 'cell', value: capi.sqlite3_column_double(statement, column) }
    default: {
      const start = capi.sqlite3_column_blob(statement, column)
      const bytes = wasm.heap8u().slice(start, start + capi.sqlite3_column_bytes(statement, column))
      if (capi.sqlite3_column_type(statement, column) === capi.SQLITE_BLOB)
        return { kind: 'cell', value: bytes }
      return decodeText(bytes, capi.sqlite3_column_name(statement, column) ?? '')
    }
  }
}

/** Texts that are no UTF-8 are an error to Python; its message shows them up to the first NUL. */
const decodeText = (bytes: Uint8Array, column: string): Cell | SqlOutcome => {
  try {
    return { kind: 'cell', value: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    const end = bytes.indexOf(0)
    const shown = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      end === -1 ? bytes : bytes.subarray(0, end),
    )
    return error('OperationalError', `Could not decode to UTF-8 column '${column}' with text '${shown}'`)
  }
}

/** SQLite's result code as Python's exception class. */
const failureOf = ({ sqlite: { capi }, db }: Connection, code: number): SqlOutcome => {
  const primary = code & 0xff
  const message = capi.sqlite3_errmsg(db) ?? ''
  switch (primary) {
    case capi.SQLITE_AUTH:
    case capi.SQLITE_READONLY:
      return { kind: 'refused' }
    case capi.SQLITE_INTERRUPT:
      return { kind: 'stopped', limit: 'time' }
    case capi.SQLITE_NOMEM:
    case capi.SQLITE_TOOBIG:
      return { kind: 'stopped', limit: 'memory' }
    case capi.SQLITE_CONSTRAINT:
    case capi.SQLITE_MISMATCH:
      return error('IntegrityError', message)
    case capi.SQLITE_CORRUPT:
      return error('DatabaseError', message)
    default:
      return error('OperationalError', message)
  }
}

/** A query's UTF-8 form, or the exception that Python raises before SQLite sees it. */
type EncodedQuery =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'error'; readonly exception: PythonException; readonly message: string }

const LONE_SURROGATES = /\p{Surrogate}+/u

/** As CPython 3.11 hands a query to sqlite3 (HELM.md T14). `longest` in bytes. */
export const encodeQuery = (sql: string, longest: number): EncodedQuery => {
  const lone = LONE_SURROGATES.exec(sql)
  if (lone !== null)
    return { kind: 'error', exception: 'UnicodeEncodeError', message: surrogateText(sql, lone) }
  const bytes = new TextEncoder().encode(sql)
  if (bytes.length > longest)
    return { kind: 'error', exception: 'DataError', message: 'query string is too large' }
  if (bytes.includes(0))
    return { kind: 'error', exception: 'ProgrammingError', message: 'the query contains a null character' }
  return { kind: 'bytes', bytes }
}

/** Positions count characters, not UTF-16 units. */
const surrogateText = (sql: string, { index, 0: run }: RegExpExecArray): string => {
  const start = Array.from(sql.slice(0, index)).length
  const place =
    run.length === 1
      ? `character '\\u${run.charCodeAt(0).toString(16)}' in position ${start}`
      : `characters in position ${start}-${start + run.length - 1}`
  return `'utf-8' codec can't encode ${place}: surrogates not allowed`
}

const BLANKS = /^[ \t\f\n\r]+/
const LINE_COMMENT = /^--[^\n]*/
const BLOCK_COMMENT = /^\/\*[\s\S]*?(?:\*\/|$)/

/** True when more than blanks and comments follows: a second `;`, too, is another statement to Python. */
export const hasMoreSql = (tail: string): boolean => {
  let rest = tail
  for (;;) {
    const skipped = rest.replace(BLANKS, '').replace(LINE_COMMENT, '').replace(BLOCK_COMMENT, '')
    if (skipped === '') return false
    if (skipped === rest) return true
    rest = skipped
  }
}
