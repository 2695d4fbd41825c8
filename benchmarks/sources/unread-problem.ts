import { FormatError } from '../../cache/problems/format-error.ts'
import { ProblemError, reasonOf, safeText } from '../../cache/problems/problem.ts'

interface Unread {
  readonly code:
    | 'benchmarks/arrow'
    | 'benchmarks/parquet'
    | 'benchmarks/xlsx'
    | 'benchmarks/zip'
    | 'benchmarks/gzip'
  readonly format: 'an Arrow file' | 'a Parquet file' | 'an Excel workbook' | 'a zip archive' | 'a gzip file'
  readonly file: string
  readonly column?: string
  readonly remedy: string
}

/** The problem of a file, or of one of its columns, that a reader threw an error about. */
export const unreadProblem = (
  { code, format, file, column, remedy }: Unread,
  cause: unknown,
): ProblemError => {
  const reason = reasonOf(cause)
  // What a library throws may quote what it met.
  const shown = cause instanceof FormatError ? cause.safe : safeText`it is damaged`
  const what = column === undefined ? safeText`the file` : safeText`the column`
  return new ProblemError(
    {
      code,
      message: `${column === undefined ? file : `the column ${JSON.stringify(column)}`} can't be read as ${format}: ${reason}`,
      safe: safeText`${what} can't be read as ${format}: ${shown}`,
      where: { file, ...(column === undefined ? {} : { field: column }) },
      remedy: (cause instanceof FormatError ? cause.remedy : undefined) ?? remedy,
    },
    { cause },
  )
}
