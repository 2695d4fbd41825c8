import { ProblemError } from '../../cache/problems/problem.ts'
import { JsonError, loads } from '../python/json.ts'
import type { PyValue } from '../python/value.ts'
import type { Reference } from '../scenario/instance.ts'
import { isMissing, rowPlace, type Row, type Table } from '../sources/table.ts'

const CORRECT = 'correct_answer'
const INCORRECT = 'incorrect_answers'

export const ANSWER_COLUMNS = [CORRECT, INCORRECT] as const

/**
 * References of a row: `correct_answer`, then the JSON list `incorrect_answers`, where the file has these columns
 * (HELM.md B10).
 *
 * @param goldRequired whether a metric compares with the right answer
 * @throws ProblemError `benchmarks/answer`, `benchmarks/incorrect-answers` with row and field
 */
export const referencesOf = (row: Row, table: Table, goldRequired: boolean): readonly Reference[] => {
  const correct = correctAnswer(row, table, goldRequired)
  const incorrect = incorrectAnswers(row, table)
  // A judge reads the first reference as the gold answer.
  if (correct === undefined && incorrect.length > 0 && table.columns.includes(CORRECT))
    throw answerProblem('the row has incorrect answers but no correct one', row, table)
  return [
    ...(correct === undefined ? [] : [{ text: correct, tags: ['correct'] }]),
    ...incorrect.map((text) => ({ text, tags: [] })),
  ]
}

const correctAnswer = (row: Row, table: Table, goldRequired: boolean): string | undefined => {
  const cell = row.cells.get(CORRECT)
  if (cell === undefined) return undefined
  if (cell === '' || isMissing(cell)) {
    if (goldRequired) throw answerProblem('the row has no correct answer', row, table)
    return undefined
  }
  if (typeof cell === 'string') return cell
  throw answerProblem(
    `pandas reads the correct answer as ${kindOf(cell)}, which HELM can't compare`,
    row,
    table,
    'Write "csv_types: text" in the benchmark, so that the answer is compared as written.',
  )
}

const incorrectAnswers = (row: Row, table: Table): readonly string[] => {
  const cell = row.cells.get(INCORRECT)
  if (cell === undefined) return []
  if (typeof cell !== 'string' || cell === '')
    throw incorrectProblem(cell === '' || isMissing(cell) ? 'it is blank' : 'it is no text', row, table)
  let value: PyValue
  try {
    value = loads(cell)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw incorrectProblem(
      `${error.message} at character ${error.position + 1} of the cell`,
      row,
      table,
      error,
    )
  }
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw incorrectProblem('it is JSON, but no list of texts', row, table)
}

const kindOf = (cell: PyValue): string => (typeof cell === 'boolean' ? 'a truth value' : 'a number')

const answerProblem = (
  message: string,
  row: Row,
  table: Table,
  remedy = `Fill in ${CORRECT}, or leave the row out.`,
): ProblemError =>
  new ProblemError({
    code: 'benchmarks/answer',
    message: `row ${row.row}: ${message}`,
    where: rowPlace(table.file, row, CORRECT),
    remedy,
  })

const incorrectProblem = (reason: string, row: Row, table: Table, cause?: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'benchmarks/incorrect-answers',
      message: `row ${row.row}: ${INCORRECT} can't be read as a JSON list: ${reason}`,
      where: rowPlace(table.file, row, INCORRECT),
      remedy: `Write e.g. "[""No"", ""Unknown""]", or "[]" for none.`,
    },
    { cause },
  )
