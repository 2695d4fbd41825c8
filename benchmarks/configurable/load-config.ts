import { ProblemError } from '../../cache/problem.ts'
import type { CsvTypes } from '../context.ts'
import type { Instance } from '../scenario/instance.ts'
import { csvTable } from '../sources/csv-table.ts'
import { decodeText, readBytes } from '../sources/read-text.ts'
import { missingColumn, type Table } from '../sources/table.ts'
import { checkColumns, fillPrompt, type PromptTemplate } from './prompt-template.ts'
import { referencesOf } from './references.ts'

/** Raised whenever the same files give other instances. */
export const CONFIGURABLE_LOADER = 1

export interface ConfigData {
  readonly template: PromptTemplate
  readonly dataset: string
  readonly csvTypes: CsvTypes
  /** Whether any metric but jury_score is asked for. */
  readonly goldRequired: boolean
}

/** The rows of a configurable benchmark's data file as instances of split test. @throws ProblemError */
export const loadConfig = async (data: ConfigData): Promise<readonly Instance[]> => {
  const text = decodeText(await readBytes(data.dataset, 'dataset file'), data.dataset)
  const table = csvTable(text, data.csvTypes === 'pandas' ? 'pandas' : 'strict', data.dataset)
  checkColumns(data.template, table)
  if (data.goldRequired && !table.columns.includes('correct_answer'))
    throw missingColumn(table, 'correct_answer', 'every metric but jury_score')
  if (table.rows.length === 0) throw noRows(table)
  return table.rows.map((row, index) => ({
    id: `id${index}`,
    input: { text: fillPrompt(data.template, row, table) },
    references: referencesOf(row, table, data.goldRequired),
    split: 'test',
  }))
}

const noRows = (table: Table): ProblemError =>
  new ProblemError({
    code: 'benchmarks/empty-file',
    message: `${table.file} has a header but no rows`,
    where: { file: table.file, line: 2 },
    remedy: 'Add a row for each instance.',
  })
