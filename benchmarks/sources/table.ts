import { basename, isAbsolute, relative, sep } from 'node:path'
import { defined } from '../../cache/values/defined.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import type { PyValue } from '../python/value.ts'
import { isProse, toldColumn } from './column-name.ts'
import type { SkippedRow } from '../scenario/benchmark.ts'

/** A data row. Cells hold what the reader makes of them: text, numbers, NaN or None for missing ones. */
export interface Row {
  readonly cells: ReadonlyMap<string, PyValue>
  /** From 1, the header left out. */
  readonly row: number
  /** Line of the file on which the row starts, where the format has lines. */
  readonly line?: number
}

/** Rows under named columns. */
export interface Table {
  readonly file: string
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

export const rowPlace = (file: string, row: Row, field?: string): Place =>
  defined({ file, row: row.row, line: row.line, field })

/** NaN, pandas' missing cell. */
export const isMissing = (value: PyValue): boolean => typeof value === 'number' && Number.isNaN(value)

const remedyOf = (separator: string): string =>
  separator === 'tabs'
    ? 'Save it as CSV with commas, or write "separator: \'\\t\'" for this file in a declaration.'
    : 'Save it as CSV with commas; a cell that holds a comma goes into double quotes.'

/**
 * A problem for a column that the table lacks.
 * @param use what needs the column, e.g. `the prompt`
 * @param wanted all columns that are asked for: a header that has none of them may be the first row of a file without one
 */
export const missingColumn = (
  table: Table,
  column: string,
  use: string,
  {
    where,
    wanted = [],
    remedy = '',
  }: { readonly where?: Place; readonly wanted?: readonly string[]; readonly remedy?: string } = {},
): ProblemError => {
  const columns = table.columns.map(toldColumn).join(', ')
  const separator = otherSeparator(table.columns)
  return new ProblemError({
    code: 'benchmarks/missing-column',
    message: `${use} needs a column ${JSON.stringify(column)}, which ${table.file} does not have${separator === undefined ? '' : `: its cells are separated by ${separator}`}`,
    where: where ?? { file: table.file, line: 1, field: column },
    remedy:
      separator === undefined
        ? `${suggestion(
            column,
            table.columns.filter((name) => !isProse(name)),
          )}${remedy}The file has the columns ${columns}.`
        : remedyOf(separator),
    ...(separator !== undefined || wanted.some((name) => table.columns.includes(name))
      ? {}
      : { listsData: true }),
  })
}

const SEPARATORS = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
  [',', 'commas'],
] as const

/** What separates the cells of a table that was read as one column because it was taken for something else. */
export const otherSeparator = (columns: readonly string[]): (typeof SEPARATORS)[number][1] | undefined => {
  const [only = ''] = columns.length === 1 ? columns : []
  return SEPARATORS.find(([separator]) => only.includes(separator))?.[1]
}

/** What becomes of a row that can't be used. */
export interface RowGuard {
  /** True where such a row is skipped and not the end of the run. */
  readonly skips: boolean
  /** What `make` gives; undefined where it ends in a problem of one row and such rows are skipped. */
  attempt<T>(make: () => T): T | undefined
  /** @throws the first problem where rows were skipped and nothing is left: then it is none of single rows */
  refuseEmpty(left: number): void
  /** Tells of a row that HELM leaves out without a word. */
  leaveOut(where: Place, reason: string): void
  /** Tells of one that HELM uses without a part of it. */
  readInPart(where: Place, reason: string): void
}

/** A row that can't be used ends the run. */
export const STRICT_ROWS: RowGuard = {
  skips: false,
  attempt: (make) => make(),
  refuseEmpty: () => {},
  leaveOut: () => {},
  readInPart: () => {},
}

/** Problems that leave the other rows what they are. */
const ROW_PROBLEMS: ReadonlySet<string> = new Set([
  'benchmarks/answer',
  'benchmarks/duplicate-id',
  'benchmarks/incorrect-answers',
  'benchmarks/json',
  'benchmarks/json-rows',
  'benchmarks/missing-answer',
  'benchmarks/missing-column',
  'benchmarks/not-text',
  'benchmarks/not-utf8',
  'benchmarks/ragged-row',
  'benchmarks/short-row',
  'benchmarks/template',
  'benchmarks/unknown-answer',
])

/** A row that can't be used ends the run; one that HELM leaves out is told. */
const tellingRows = (workspace: string, onSkipped: (row: SkippedRow) => void): RowGuard => ({
  ...STRICT_ROWS,
  leaveOut: (where, reason) => {
    onSkipped({ ...placeIn(workspace, where), reason })
  },
  readInPart: (where, reason) => {
    onSkipped({ ...placeIn(workspace, where), reason, isPart: true })
  },
})

/** A row that can't be used is told and left out. */
const skippingRows = (workspace: string, onSkipped: (row: SkippedRow) => void): RowGuard => {
  let first: ProblemError | undefined
  return {
    ...tellingRows(workspace, onSkipped),
    skips: true,
    attempt: (make) => {
      try {
        return make()
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        const { code, where } = error.problems[0] ?? {}
        if (code === undefined || where?.row === undefined || !ROW_PROBLEMS.has(code)) throw error
        first ??= error
        onSkipped({ ...placeIn(workspace, where), reason: code.slice(code.indexOf('/') + 1) })
        return undefined
      }
    },
    refuseEmpty: (left) => {
      if (left === 0 && first !== undefined) throw first
    },
  }
}

/** Skips where the context says so, and tells where somebody listens. */
export const rowGuard = (
  { workspace, skipBadRows }: { readonly workspace: string; readonly skipBadRows?: boolean },
  onSkipped: ((row: SkippedRow) => void) | undefined,
): RowGuard => {
  if (onSkipped === undefined) return STRICT_ROWS
  return (skipBadRows === true ? skippingRows : tellingRows)(workspace, onSkipped)
}

const placeIn = (workspace: string, { file = '', row, line, field }: Place): Omit<SkippedRow, 'reason'> => {
  const inside = relative(workspace, file)
  return defined({
    file: inside.startsWith('..') || isAbsolute(inside) ? basename(file) : inside.split(sep).join('/'),
    row,
    line,
    column: field,
  })
}
