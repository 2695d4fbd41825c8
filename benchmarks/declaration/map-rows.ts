import { TemplateError, formatMap, templateFields } from '../python/format.ts'
import { str } from '../python/number.ts'
import type { PyValue } from '../python/value.ts'
import type { DraftInstance } from '../scenario/draft.ts'
import type { Reference } from '../scenario/instance.ts'
import { isMissing, missingColumn, rowPlace, type Row, type Table } from '../sources/table.ts'
import { ProblemError } from '../../cache/problem.ts'
import type { Mapping } from './schema.ts'

/**
 * Instances of a table by a declared mapping, in row order.
 * @throws ProblemError `benchmarks/missing-column`, `benchmarks/template`
 */
export const mapRows = (mapping: Mapping, table: Table): readonly DraftInstance[] =>
  table.rows
    .filter((row) => mapping.keep.every((condition) => holds(condition, row, table)))
    .map((row) => draftOf(mapping, row, table))

const draftOf = (mapping: Mapping, row: Row, table: Table): DraftInstance => {
  const fill = (template: string): string => fillRow(template, row, table)
  const raw = (template: string): PyValue => cellAlone(template, row, table) ?? fill(template)
  const extra = mapping.extra_data && Object.entries(mapping.extra_data)
  return {
    input: { text: fill(mapping.input) },
    references: mapping.references.map((reference) => referenceOf(reference, row, table)),
    split: mapping.split,
    ...(mapping.id === undefined ? {} : { id: idOf(raw(mapping.id)) }),
    ...(mapping.sub_split === undefined ? {} : { subSplit: fill(mapping.sub_split) }),
    ...(extra === undefined ? {} : { extraData: new Map(extra.map(([key, text]) => [key, raw(text)])) }),
  }
}

const referenceOf = (reference: Mapping['references'][number], row: Row, table: Table): Reference => {
  const { correct, absent } = reference
  const text =
    absent !== undefined && templateFields(reference.text).some((column) => !table.columns.includes(column))
      ? absent
      : fillRow(reference.text, row, table)
  const right = typeof correct === 'boolean' ? correct : fillRow(correct.value, row, table) === correct.is
  return { text, tags: right ? ['correct'] : [] }
}

const idOf = (value: PyValue): string | number => (typeof value === 'number' ? value : str(value))

/** The cell itself for a template that is one column alone, so that a number stays one. */
const cellAlone = (template: string, row: Row, table: Table): PyValue | undefined => {
  const column = /^\{([^{}!:]+)\}$/.exec(template)?.[1]
  return column === undefined ? undefined : cellOf(column, row, table)
}

const cellOf = (column: string, row: Row, table: Table): PyValue => {
  const cell = row.cells.get(column)
  if (cell === undefined)
    throw missingColumn(table, column, 'the benchmark', rowPlace(table.file, row, column))
  return cell
}

const fillRow = (template: string, row: Row, table: Table): string => {
  try {
    return formatMap(template, (column) => cellOf(column, row, table))
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw new ProblemError(
      {
        code: 'benchmarks/template',
        message: `the template ${JSON.stringify(template)} can't be filled: ${error.message}`,
        where: rowPlace(table.file, row),
        remedy: 'Write {column}, and {{ or }} for a brace itself.',
      },
      { cause: error },
    )
  }
}

const holds = (condition: Mapping['keep'][number], row: Row, table: Table): boolean => {
  const cell = cellOf(condition.column, row, table)
  const filled = !isMissing(cell) && cell !== null && cell !== ''
  if (condition.is === 'present' && isMissing(cell)) return false
  if (condition.is === 'filled' && !filled) return false
  if (condition.equals !== undefined && str(cell) !== str(condition.equals)) return false
  return condition.differs_from === undefined || str(cell) !== str(condition.differs_from)
}
