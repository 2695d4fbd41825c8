import { ProblemError } from '../../cache/problem.ts'
import type { CsvTypes } from '../context/context.ts'
import { attributesOf } from '../declaration/attributes.ts'
import type { Attribute } from '../scenario/benchmark.ts'
import type { Instance } from '../scenario/instance.ts'
import { csvTable } from '../sources/csv/csv-table.ts'
import { decodeLines, decodeText, readBytes } from '../sources/read-text.ts'
import { STRICT_ROWS, type RowGuard } from '../sources/row-guard.ts'
import { missingColumn, type Row, type Table } from '../sources/table.ts'
import { checkColumns, fillPrompt, type PromptTemplate } from './prompt-template.ts'
import { ANSWER_COLUMNS, referencesOf } from './references.ts'

/** Raised whenever the same files give other instances. */
export const CONFIGURABLE_LOADER = 1

export interface ConfigData {
  readonly template: PromptTemplate
  readonly dataset: string
  readonly csvTypes: CsvTypes
  /** Whether any metric but jury_score is asked for. */
  readonly goldRequired: boolean
  readonly attributes?: readonly Attribute[]
}

/** The rows of a configurable benchmark's data file as instances of split test. @throws ProblemError */
export const loadConfig = async (
  data: ConfigData,
  rows: RowGuard = STRICT_ROWS,
): Promise<readonly Instance[]> => {
  const bytes = await readBytes(data.dataset, 'dataset file')
  const { text, bad } = rows.skips
    ? decodeLines(bytes, data.dataset)
    : { text: decodeText(bytes, data.dataset), bad: new Map() }
  const dialect = data.csvTypes === 'pandas' ? 'pandas' : 'strict'
  const table = csvTable(text, dialect, data.dataset, { rows, badLines: bad })
  checkColumns(data.template, table)
  if (data.goldRequired && !table.columns.includes('correct_answer'))
    throw missingColumn(table, 'correct_answer', 'every metric but jury_score', {
      wanted: [...data.template.fields, ...ANSWER_COLUMNS],
    })
  const instances = table.rows.flatMap((row) => rows.attempt(() => [instanceOf(row, table, data)]) ?? [])
  rows.refuseEmpty(instances.length)
  if (instances.length === 0) throw noRows(table)
  return instances
}

/** Rows that were skipped keep their number. */
const instanceOf = (
  row: Row,
  table: Table,
  { template, goldRequired, attributes = [] }: ConfigData,
): Instance => ({
  id: `id${row.row - 1}`,
  input: { text: fillPrompt(template, row, table) },
  references: referencesOf(row, table, goldRequired),
  split: 'test',
  ...attributesOf(attributes, row, table, [...template.fields, ...ANSWER_COLUMNS]),
})

const noRows = (table: Table): ProblemError =>
  new ProblemError({
    code: 'benchmarks/empty-file',
    message: `${table.file} has a header but no rows`,
    where: { file: table.file, line: 2 },
    remedy: 'Add a row for each instance.',
  })
