import { ProblemError } from '../../cache/problems/problem.ts'
import { formatMap, TemplateError, templateFields } from '../python/templates/format.ts'
import { ANSWER_COLUMNS } from './references.ts'
import { missingColumn, rowPlace, type Row, type Table } from '../sources/table.ts'

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
    const before = template.text.slice(0, Math.max(0, template.text.indexOf(`{${field}`))).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    throw missingColumn(table, field, 'the prompt', {
      where: { file: template.file, line: before.length, column, field },
      wanted: [...template.fields, ...ANSWER_COLUMNS],
    })
  }
}

/** @throws ProblemError `benchmarks/template` for a format that does not fit the row's value */
export const fillPrompt = (template: PromptTemplate, row: Row, table: Table): string => {
  try {
    return formatMap(template.text, (name) => row.cells.get(name) ?? '')
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
