import { ProblemError } from '../../cache/problems/problem.ts'
import { attributesOf, stated } from '../declaration/attributes.ts'
import type { SimpleForm } from '../declaration/read-declaration.ts'
import type { Attribute } from '../scenario/benchmark.ts'
import type { Instance } from '../scenario/instance.ts'
import { missingColumn, type Row, type Table } from '../sources/table.ts'
import { checkColumns, fillPrompt, type PromptTemplate } from './prompt-template.ts'
import { ANSWER_COLUMNS, referencesOf } from './references.ts'

export interface FormTable {
  readonly template: PromptTemplate
  /** Whether any metric but jury_score is asked for. */
  readonly goldRequired: boolean
  readonly attributes: readonly Attribute[]
  /** The column that names what instances share, a patient for one. */
  readonly cluster?: string
}

/** The rows of a simple form's data file as instances of split test. @throws ProblemError */
export const tableInstances = (form: FormTable): SimpleForm['instances'] =>
  function* instances(table, rows) {
    const { template, goldRequired } = form
    checkColumns(template, table)
    if (goldRequired && !table.columns.includes('correct_answer'))
      throw missingColumn(table, 'correct_answer', 'every metric but jury_score', {
        wanted: [...template.fields, ...ANSWER_COLUMNS],
        remedy: 'Give the column of the right answers that name. ',
      })
    if (form.cluster !== undefined && !table.columns.includes(form.cluster))
      throw missingColumn(table, form.cluster, '`cluster`', {
        wanted: [...template.fields, ...ANSWER_COLUMNS],
      })
    const made = table.rows.flatMap((row) => rows.attempt(() => [instanceOf(row, table, form)]) ?? [])
    rows.refuseEmpty(made.length)
    if (made.length === 0) throw noRows(table)
    yield* made
  }

/** Rows that were skipped keep their number. */
const instanceOf = (
  row: Row,
  table: Table,
  { template, goldRequired, attributes, cluster }: FormTable,
): Instance => ({
  id: `id${row.row - 1}`,
  input: { text: fillPrompt(template, row, table) },
  references: referencesOf(row, table, goldRequired),
  split: 'test',
  ...(cluster === undefined ? {} : clusterOf(cluster, row)),
  ...attributesOf(attributes, row, { ...table, wanted: [...template.fields, ...ANSWER_COLUMNS] }),
})

/** None of a row that leaves it out: it stands for itself. */
const clusterOf = (column: string, row: Row): Pick<Instance, 'cluster'> => {
  const cluster = stated(row, column)
  return cluster === '' ? {} : { cluster }
}

const noRows = (table: Table): ProblemError =>
  new ProblemError({
    code: 'benchmarks/empty-file',
    message: `${table.file} has a header but no rows`,
    where: { file: table.file, line: 2 },
    remedy: 'Add a row for each instance.',
  })
