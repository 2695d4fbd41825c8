import { ProblemError } from '../../../cache/problems/problem.ts'
import type { PyValue } from '../../python/value.ts'
import { missingColumn, rowPlace, type Row, type Table } from '../table.ts'

/** A cell of a row. @throws ProblemError `benchmarks/missing-column` */
export const cell = (table: Table, row: Row, column: string): PyValue => {
  const value = row.cells.get(column)
  if (value !== undefined) return value
  throw missingColumn(table, column, 'the benchmark', { where: rowPlace(table.file, row, column) })
}

/** A cell that must be text. @throws ProblemError `benchmarks/unexpected-value`, `benchmarks/missing-column` */
export const textCell = (table: Table, row: Row, column: string): string => {
  const value = cell(table, row, column)
  if (typeof value === 'string') return value
  throw unexpectedValue(table, row, column, 'is no text')
}

/** A problem for a cell that the benchmark can't use. */
export const unexpectedValue = (table: Table, row: Row, column: string, what: string): ProblemError =>
  new ProblemError({
    code: 'benchmarks/unexpected-value',
    message: `${column} of row ${row.row} ${what}`,
    where: rowPlace(table.file, row, column),
    remedy: 'This is not the published file: fetch it again.',
  })

/** The problem of a row whose right answer is none of its options. */
export const unknownAnswer = (
  table: Table,
  row: Row,
  column: string,
  allowed: readonly string[],
): ProblemError =>
  new ProblemError({
    code: 'benchmarks/unknown-answer',
    message: `${column} of row ${row.row} is none of the answers ${allowed.join(', ')}`,
    where: rowPlace(table.file, row, column),
    remedy: `Write one of ${allowed.join(', ')}, or take the row out.`,
  })
