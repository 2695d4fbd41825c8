import { ProblemError, safeText, type SafeText, reasonOf } from '../../cache/problems/problem.ts'
import { JsonError, loads } from '../python/json.ts'
import type { PyValue } from '../python/value.ts'

/** What is wrong with the form of a file, without a word of what stands in it. */
export class FormatError extends RangeError {
  readonly safe: SafeText
  /** Where fetching the file again would not help. */
  readonly remedy: string | undefined

  constructor(text: SafeText, remedy?: string) {
    super(text)
    this.safe = text
    this.remedy = remedy
  }
}

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

const MEBIBYTE = 2 ** 20

/** What a small file may unpack to; no published file of clinical texts comes near it. */
const SMALL = 128 * MEBIBYTE

/** How often its own size a large file may unpack to: texts are packed three to six times. */
const RATIO = 8

/** Rows that any file may say it has; beyond that it must bring a byte for each. */
const ROWS = 2 ** 20

/** Bytes that a packed file may unpack to, all its parts together. What goes beyond is a bomb, not data. */
export const unpackLimit = (packed: number): number => Math.max(SMALL, RATIO * packed)

/** Rows that a file of so many bytes may declare: a few bytes can declare billions of equal or missing cells. */
export const rowLimit = (bytes: number): number => Math.max(ROWS, bytes)

/** Counts what parts of a file unpack to. */
export class UnpackBudget {
  private left: number
  private readonly packed: number

  constructor(packed: number) {
    this.packed = packed
    this.left = unpackLimit(packed)
  }

  /** @throws RangeError where the parts so far and this one are more than the limit */
  take(bytes: number): void {
    if (!Number.isSafeInteger(bytes) || bytes < 0)
      throw new FormatError(safeText`a part has an impossible size`)
    this.left -= bytes
    if (this.left < 0)
      throw new FormatError(
        safeText`it unpacks to more than ${unpackLimit(this.packed) / MEBIBYTE} MiB from ${this.packed} bytes`,
      )
  }
}

/**
 * JSON as Python reads it, dicts as Maps in file order.
 * @throws ProblemError `benchmarks/json` with line and column
 */
export const parseJson = (text: string, file: string): PyValue => {
  try {
    return loads(text)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw new ProblemError(
      {
        code: 'benchmarks/json',
        message: `the file is not JSON: ${error.message}`,
        where: { file, line: error.line, column: error.column },
        remedy: 'Fetch or export the file again.',
      },
      { cause: error },
    )
  }
}
