import { suggestion } from '../../cache/did-you-mean.ts'
import { ProblemError } from '../../cache/problem.ts'
import { pyFloat } from '../../benchmarks/python/number.ts'
import { strip } from '../../benchmarks/python/text.ts'
import { missingColumn, rowPlace, type Row, type Table } from '../../benchmarks/sources/table.ts'

/** One clinician's scores of one answer, with the jury's of the same answer. */
export interface Rating {
  readonly rater: string
  readonly benchmark: string
  /** The answer: an instance and the model that answered. */
  readonly item: string
  /** By criterion, in the table's order. */
  readonly scores: readonly number[]
  readonly jury: readonly number[]
}

const JURY = 'jury_'

/** Columns that name the rating; every other column with a `jury_` counterpart is a criterion. */
const NAMES = ['rater', 'instance_id', 'benchmark', 'model'] as const

/**
 * Ratings from a table with the columns rater, instance_id, benchmark, model, one per criterion and `jury_<criterion>`.
 * @throws ProblemError with file, row and column for what is missing, no number, given twice or contradicts itself
 */
export const readRatings = (table: Table): readonly Rating[] => {
  for (const column of NAMES)
    if (!table.columns.includes(column)) throw missingColumn(table, column, 'agreement')
  const criteria = table.columns.filter((column) => table.columns.includes(JURY + column))
  if (criteria.length === 0) throw noCriteria(table)
  const ratings = table.rows.map((row): Rating => {
    const text = (column: string): string => filledCell(table, row, column)
    return {
      rater: text('rater'),
      benchmark: text('benchmark'),
      item: JSON.stringify([text('instance_id'), text('model')]),
      scores: criteria.map((criterion) => numberCell(table, row, criterion)),
      jury: criteria.map((criterion) => numberCell(table, row, JURY + criterion)),
    }
  })
  refuseContradictions(table, ratings)
  return ratings
}

const noCriteria = (table: Table): ProblemError =>
  new ProblemError({
    code: 'targets/no-criteria',
    message: `${table.file} has no criterion that both clinicians and jury scored`,
    where: { file: table.file, line: 1 },
    remedy: `${suggestion('jury_accuracy', table.columns)}Name two columns accuracy and jury_accuracy, for instance.`,
  })

const filledCell = (table: Table, row: Row, column: string): string => {
  const value = row.cells.get(column)
  const text = typeof value === 'string' ? strip(value) : ''
  if (text !== '') return text
  throw new ProblemError({
    code: 'targets/empty-rating',
    message: `the cell ${JSON.stringify(column)} is empty`,
    where: rowPlace(table.file, row, column),
    remedy: 'Fill the cell, or take the row out.',
  })
}

const numberCell = (table: Table, row: Row, column: string): number => {
  const text = filledCell(table, row, column)
  const value = pyFloat(text)
  if (value !== undefined && Number.isFinite(value)) return value
  throw new ProblemError({
    code: 'targets/rating-not-a-number',
    message: `${JSON.stringify(text)} is no score`,
    where: rowPlace(table.file, row, column),
    remedy: 'Write a number, such as 4.',
  })
}

/** A clinician rates an answer once, and all rows of an answer carry the same scores of the jury. */
const refuseContradictions = (table: Table, ratings: readonly Rating[]): void => {
  const seen = new Set<string>()
  const juries = new Map<string, string>()
  for (const [index, { rater, benchmark, item, jury }] of ratings.entries()) {
    const row = table.rows[index]
    const place = row === undefined ? { file: table.file } : rowPlace(table.file, row)
    const answer = JSON.stringify([benchmark, item])
    const rating = JSON.stringify([answer, rater])
    if (seen.has(rating))
      throw new ProblemError({
        code: 'targets/repeated-rating',
        message: `${rater} rated the same answer twice`,
        where: place,
        remedy: 'Keep one of the two rows.',
      })
    seen.add(rating)
    const scores = JSON.stringify(jury)
    if ((juries.get(answer) ?? scores) !== scores)
      throw new ProblemError({
        code: 'targets/contradicting-jury',
        message: `the jury's scores differ from those in an earlier row of the same answer`,
        where: place,
        remedy: "Write the jury's scores of an answer alike in all of its rows.",
      })
    juries.set(answer, scores)
  }
}
