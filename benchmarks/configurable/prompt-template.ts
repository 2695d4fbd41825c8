import { lineColumn } from '../../cache/problems/line-column.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { fieldOffset, formatMap, TemplateError, templateFields } from '../python/templates/format.ts'
import { missingColumn, rowPlace, type Row, type Table, isMissing } from '../sources/table.ts'
import { JsonError, loads } from '../python/json.ts'
import type { PyValue } from '../python/value.ts'
import type { Reference } from '../scenario/instance.ts'

/** A prompt file: Python's format template over the columns of the data. */
export interface PromptTemplate {
  readonly file: string
  readonly text: string
  readonly fields: readonly string[]
}

/** What to write instead, by kind of fault. */
const REMEDIES: Readonly<Record<TemplateError['kind'], string>> = {
  'unbalanced-brace': 'Write {{ and }} for braces that belong to the text, e.g. around JSON.',
  'positional-field': 'Put a column name between the braces, or write {{ and }} for braces of the text.',
  'attribute-or-index': 'Write {column} alone; rename a column that has . or [ in its name.',
  'bad-conversion': 'Write {column}; only !r, !s and !a may follow the name.',
  'bad-format-spec': 'Write {column} without what follows the colon, or check the format.',
  'unknown-name': 'Name a column of the data.',
}

/** @throws ProblemError `benchmarks/template` with line and column */
export const promptTemplate = (text: string, file: string): PromptTemplate => {
  try {
    return { file, text, fields: templateFields(text) }
  } catch (error) {
    throw templateProblem(error, file)
  }
}

/** HELM fills a column that does not exist with nothing; a misspelt placeholder must not pass unseen. */
export const checkColumns = (template: PromptTemplate, table: Table): void => {
  for (const field of template.fields) {
    if (table.columns.includes(field)) continue
    throw missingColumn(table, field, 'the prompt', {
      where: {
        file: template.file,
        ...lineColumn(template.text, fieldOffset(template.text, field)),
        field,
      },
      wanted: [...template.fields, ...ANSWER_COLUMNS],
    })
  }
}

/**
 * @param lists whether `incorrect_answers` is the list itself, as in HELM, and not its JSON
 * @throws ProblemError `benchmarks/template` for a format that does not fit the row's value
 */
export const fillPrompt = (template: PromptTemplate, row: Row, table: Table, lists = false): string => {
  const valueOf = (name: string): PyValue =>
    lists && name === INCORRECT ? incorrectAnswers(row, table) : (row.cells.get(name) ?? '')
  try {
    return formatMap(template.text, valueOf)
  } catch (error) {
    throw templateProblem(error, template.file, ` (row ${row.row} of ${rowPlace(table.file, row).file})`)
  }
}

const templateProblem = (error: unknown, file: string, at = ''): unknown => {
  if (!(error instanceof TemplateError)) return error
  return new ProblemError(
    {
      code: 'benchmarks/template',
      message: `${error.message}${at}`,
      where: { file, line: error.line, column: error.column },
      remedy: REMEDIES[error.kind],
    },
    { cause: error },
  )
}

const CORRECT = 'correct_answer'
export const INCORRECT = 'incorrect_answers'

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
    `pandas reads the correct answer as ${typeof cell === 'boolean' ? 'a truth value' : 'a number'}, which HELM can't compare`,
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
