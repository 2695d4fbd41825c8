import type { PythonException } from './outcome.ts'

/** A query's UTF-8 form, or the exception that Python raises before SQLite sees it. */
export type EncodedQuery =
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
