import { safeText, ProblemError, type Place } from '../../../cache/problems/problem.ts'
import { TemplateError, formatMap, templateFields } from '../../python/templates/format.ts'
import { str } from '../../python/numbers/number.ts'
import { strip } from '../../python/text.ts'
import { isTruthy, type PyValue } from '../../python/value.ts'
import type { Attribute } from '../../scenario/benchmark.ts'
import { isCorrect, type Reference, type DraftInstance } from '../../scenario/instance.ts'
import {
  STRICT_ROWS,
  type RowGuard,
  isMissing,
  missingColumn,
  rowPlace,
  type Row,
  type Table,
} from '../../sources/table.ts'
import { attributesOf } from '../attributes.ts'
import type { Placeholders } from '../arguments.ts'
import type { Mapping } from '../schema.ts'

/**
 * Instances of a table by a declared mapping, in row order. Templates name columns and arguments; where both have a
 * name, it is the argument's.
 * @throws ProblemError `benchmarks/missing-column`, `benchmarks/template`, `benchmarks/short-row`,
 * `benchmarks/missing-answer`, `benchmarks/unknown-answer`, `benchmarks/duplicate-id`
 */
export const mapRows = (
  mapping: Mapping,
  source: Table,
  placeholders: Placeholders = new Map(),
  { rows = STRICT_ROWS, attributes = [] }: Partial<RowUse> = {},
): readonly DraftInstance[] => {
  const table: Scope = { ...source, placeholders, attributes, wanted: columnsOf(mapping, placeholders) }
  const kept = table.rows
    .flatMap((row) => rows.attempt(() => keptRow(mapping, row, table)) ?? [])
    .map((row, index) => (mapping.number === undefined ? row : withCell(row, mapping.number, index + 1)))
  const drafts = kept.flatMap(
    (row) =>
      rows.attempt(() => [
        { row, draft: withWholeTexts(draftOf(mapping, row, table), rowPlace(table.file, row)) },
      ]) ?? [],
  )
  const chosen = mapping.unique_input ? lastOfEach(drafts, table, rows) : drafts
  const answered = ({ row, draft }: (typeof chosen)[number]): boolean => {
    if (mapping.needs_answer && !draft.references.some(isCorrect)) throw unknownAnswer(mapping, row, table)
    return true
  }
  return withUniqueIds(chosen, mapping.id, table, rows)
    .filter((each) => rows.attempt(() => answered(each)))
    .map(({ draft }) => draft)
}

/** Of the rows that ask the same the last one, at the first one's place. */
const lastOfEach = (drafts: readonly Drafted[], table: Table, rows: RowGuard): readonly Drafted[] => {
  const last = new Map<string, Drafted>()
  for (const each of drafts) {
    const { text } = each.draft.input
    const earlier = last.get(text)
    if (earlier !== undefined) rows.leaveOut(rowPlace(table.file, earlier.row), 'repeated-prompt')
    last.set(text, each)
  }
  return [...last.values()]
}

interface Drafted {
  readonly row: Row
  readonly draft: DraftInstance
}

/** The row with its cells stripped; none where a condition does not hold. */
const keptRow = (mapping: Mapping, row: Row, table: Scope): readonly Row[] => {
  const cut = stripped(mapping.strip, row, table)
  return mapping.keep.every((condition) => holds(condition, cut, table, mapping)) ? [cut] : []
}

interface RowUse {
  /** What becomes of a row that can't be used. */
  readonly rows: RowGuard
  readonly attributes: readonly Attribute[]
}

/** What templates can name: cells of the row, and the benchmark's arguments with what these imply. */
interface Scope extends Table {
  readonly attributes: readonly Attribute[]
  readonly placeholders: Placeholders
  /** Columns that the mapping names. */
  readonly wanted: readonly string[]
}

/** Columns that a mapping names, with those that conditions and templates do. */
export const columnsOf = (mapping: Mapping, placeholders: Placeholders): readonly string[] => {
  const { input, id = '', cluster = '', sub_split: subSplit = '', references, keep, strip: cut } = mapping
  const conditions = references.flatMap(({ correct }) =>
    typeof correct === 'boolean' ? [] : [correct.value],
  )
  const extra = Object.values(mapping.extra_data ?? {})
  const texts = references.map(({ text }) => text)
  const templates = [input, id, cluster, subSplit, ...texts, ...conditions, ...extra]
  return [...cut, ...keep.map(({ column }) => column), ...templates.flatMap(fieldsOf)].filter(
    (name) => !placeholders.has(name),
  )
}

/** None of a faulty template, which is told where it is filled. */
const fieldsOf = (template: string): readonly string[] => {
  try {
    return templateFields(template)
  } catch (error) {
    if (error instanceof TemplateError) return []
    throw error
  }
}

const withCell = (row: Row, column: string, value: PyValue): Row => ({
  ...row,
  cells: new Map([...row.cells, [column, value]]),
})

/** `str(cell).strip()`; of a cell that a short row lacks Python can strip nothing. */
const stripped = (columns: readonly string[], row: Row, table: Scope): Row => {
  if (columns.length === 0) return row
  const cells = new Map(row.cells)
  for (const column of columns) {
    const cell = cellOf(column, row, table)
    // Rows that are left out anyway may be short: only what is looked at must be there.
    cells.set(column, cell === null ? null : strip(str(cell)))
  }
  return { ...row, cells }
}

/** The columns that decide which reference is right, with what stands in them. */
const unknownAnswer = (mapping: Mapping, row: Row, table: Scope): ProblemError => {
  const conditional = mapping.references.flatMap(({ correct }) =>
    typeof correct === 'boolean' ? [] : [correct],
  )
  const allowed = conditional.map(({ is }) => is).join(', ')
  const found = conditional.slice(0, 1).map(({ value }) => fillRow(value, row, table))
  const column = templateFields(conditional[0]?.value ?? '')[0]
  return new ProblemError({
    code: 'benchmarks/unknown-answer',
    safe: safeText`the answer is none of those that the declaration allows`,
    message: `${JSON.stringify(found[0] ?? '')} is none of the answers ${allowed}`,
    where: rowPlace(table.file, row, column),
    remedy: `Write one of ${allowed}, or take the row out.`,
  })
}

const draftOf = (mapping: Mapping, row: Row, table: Scope): DraftInstance => {
  const fill = (template: string): string => fillRow(template, row, table)
  const raw = (template: string): PyValue => cellAlone(template, row, table) ?? fill(template)
  const extra = mapping.extra_data && Object.entries(mapping.extra_data)
  return {
    input: { text: fill(mapping.input) },
    references: mapping.references.map((reference) => referenceOf(reference, row, table)),
    split: mapping.split,
    ...(mapping.id === undefined ? {} : { id: idOf(raw(mapping.id)) }),
    ...(mapping.sub_split === undefined ? {} : { subSplit: fill(mapping.sub_split) }),
    ...clusterOf(mapping.cluster, row, table),
    ...attributesOf(table.attributes, row, table),
    ...(extra === undefined ? {} : { extraData: new Map(extra.map(([key, text]) => [key, raw(text)])) }),
  }
}

const clusterOf = (template: string | undefined, row: Row, table: Scope): Pick<DraftInstance, 'cluster'> => {
  if (template === undefined || isMissing(cellAlone(template, row, table) ?? '')) return {}
  const cluster = fillRow(template, row, table)
  return cluster === '' ? {} : { cluster }
}

const referenceOf = (reference: Mapping['references'][number], row: Row, table: Scope): Reference => {
  const { correct, absent } = reference
  const text =
    absent !== undefined && templateFields(reference.text).some((column) => !table.columns.includes(column))
      ? absent
      : fillRow(reference.text, row, table)
  if (correct === true && isBlank(cellAlone(reference.text, row, table)))
    throw missingAnswer(reference.text, row, table)
  const right = typeof correct === 'boolean' ? correct : fillRow(correct.value, row, table) === correct.is
  return { text, tags: right ? ['correct'] : [] }
}

/** NaN or null; a template that is more than one column alone has no cell of its own. */
const isBlank = (cell: PyValue | undefined): boolean =>
  cell === null || (cell !== undefined && isMissing(cell))

/** HELM's run ends there, too. */
const shortRow = (column: string, row: Row, table: Scope): ProblemError =>
  new ProblemError({
    code: 'benchmarks/short-row',
    message: `row ${row.row} ends before the column ${column}`,
    where: rowPlace(table.file, row, column),
    remedy: 'Write a comma for each empty cell; a cell that holds a line break goes into double quotes.',
  })

/** HELM would take the text `nan` for the answer, or end the run in a metric. */
const missingAnswer = (template: string, row: Row, table: Scope): ProblemError =>
  new ProblemError({
    code: 'benchmarks/missing-answer',
    message: `row ${row.row} has no ${templateFields(template).join(', ')}`,
    where: rowPlace(table.file, row, templateFields(template)[0]),
    remedy: 'Fill the cell, or take the row out. A text such as NA reads as an empty cell.',
  })

const idOf = (value: PyValue): string | number => (typeof value === 'number' ? value : str(value))

/** The cell itself for a template that is one column alone, so that a number stays one. */
const cellAlone = (template: string, row: Row, table: Scope): PyValue | undefined => {
  const column = /^\{([^{}!:]+)\}$/.exec(template)?.[1]
  return column === undefined ? undefined : cellOf(column, row, table)
}

const cellOf = (column: string, row: Row, table: Scope): PyValue => {
  const cell = table.placeholders.get(column) ?? row.cells.get(column)
  if (cell === undefined)
    throw missingColumn(table, column, 'the benchmark', {
      // Where no row has the column it is the file's fault, not the row's.
      ...(table.columns.includes(column) ? { where: rowPlace(table.file, row, column) } : {}),
      wanted: table.wanted,
    })
  return cell
}

const fillRow = (template: string, row: Row, table: Scope): string => {
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

const holds = (condition: Mapping['keep'][number], row: Row, table: Scope, mapping: Mapping): boolean => {
  const cell = cellOf(condition.column, row, table)
  if (cell === null && mapping.strip.includes(condition.column)) throw shortRow(condition.column, row, table)
  const filled = !isMissing(cell) && isTruthy(cell)
  const text = (value: PyValue): string => (condition.ignore_case ? str(value).toUpperCase() : str(value))
  if (condition.is === 'present' && isMissing(cell)) return false
  if (condition.is === 'filled' && !filled) return false
  if (condition.equals !== undefined && text(cell) !== text(condition.equals)) return false
  return condition.differs_from === undefined || text(cell) !== text(condition.differs_from)
}

/**
 * Results are kept by id, so two instances of one id would count as one. An id as text is another one than as a number.
 * @throws ProblemError `benchmarks/duplicate-id` with row and column
 */
export const withUniqueIds = <Drafted extends { readonly row: Row; readonly draft: DraftInstance }>(
  drafts: readonly Drafted[],
  template: string | undefined,
  table: Table,
  rows: RowGuard,
): readonly Drafted[] => {
  if (template === undefined) return drafts
  const seen = new Set<string | number | undefined>()
  const column = templateFields(template)[0]
  return drafts.filter(({ row, draft }) =>
    rows.attempt(() => {
      if (seen.has(draft.id))
        throw new ProblemError({
          code: 'benchmarks/duplicate-id',
          safe: safeText`two rows have one id`,
          message: `two instances have the id ${JSON.stringify(draft.id)}`,
          where: rowPlace(table.file, row, column),
          remedy: 'Give each row an id of its own: results are kept by id.',
        })
      seen.add(draft.id)
      return true
    }),
  )
}

/**
 * The instance itself, if UTF-8 can hold it: an escape in JSON may leave half of an emoji.
 * @throws ProblemError `benchmarks/not-text`
 */
export const withWholeTexts = (draft: DraftInstance, where: Place): DraftInstance => {
  const { id, input, references, subSplit, cluster } = draft
  const messages = (input.messages ?? []).map((message) => [...message.values()])
  const texts = [id, input.text, subSplit, cluster, references.map(({ text }) => text), messages].flat(2)
  if (texts.every((text) => typeof text !== 'string' || text.isWellFormed())) return draft
  throw new ProblemError({
    code: 'benchmarks/not-text',
    safe: safeText`a text holds half of a surrogate pair`,
    message: 'a text holds half of a surrogate pair, which is no text',
    where,
    remedy: 'Export the file again: an emoji was cut in two.',
  })
}
