import { ProblemError } from '../../../cache/problems/problem.ts'
import {
  CELL_SEPARATORS,
  separatedRecords,
  separatedTable,
  type CellSeparator,
} from '../csv/separated-table.ts'
import type { Table } from '../table.ts'

const ALL = Object.keys(CELL_SEPARATORS) as readonly CellSeparator[]

/**
 * CSV by the one separator that gives every row as many cells as the header; `sep=;`, which Excel writes, is believed.
 * @throws ProblemError `benchmarks/csv` where two do, and what is wrong with the rows where none does
 */
export const separatedText = (
  text: string,
  file: string,
): { readonly table: Table; readonly how: string; readonly asIs?: string } => {
  const said = ALL.find((separator) => text.startsWith(`sep=${separator}`))
  const rest = said === undefined ? text : text.replace(/^.*(?:\r\n|\n|\r)?/, '')
  const separator = said ?? separatorOf(rest, file)
  return {
    table: separatedTable(rest, file, separator),
    how: `of CSV by ${CELL_SEPARATORS[separator]}s`,
    ...(separator === ',' && said === undefined ? { asIs: text } : {}),
  }
}

const separatorOf = (text: string, file: string): CellSeparator => {
  const fitting = ALL.filter((separator) => fits(text, file, separator))
  const [only, other] = fitting
  if (only === undefined) return inHeader(text)
  if (other === undefined) return only
  throw new ProblemError({
    code: 'benchmarks/csv',
    message: `its cells may be separated by ${CELL_SEPARATORS[only]}s or by ${CELL_SEPARATORS[other]}s: either way each row has as many as the header`,
    where: { file, line: 1 },
    remedy: `Put cells that hold the other sign into double quotes, or write sep=${other === '\t' ? ';' : other} as the first line where that is what separates them.`,
  })
}

/** Whether it makes more than one column, and all rows as long as the header. */
const fits = (text: string, file: string, separator: CellSeparator): boolean => {
  try {
    const [header, ...records] = separatedRecords(text, file, separator)
    const width = header?.cells.length ?? 0
    return width > 1 && records.every(({ cells }) => cells.length === width)
  } catch (error) {
    if (error instanceof ProblemError) return false
    throw error
  }
}

/** The only one in the header, so that what is said of the rows is said by it. */
const inHeader = (text: string): CellSeparator => {
  const [header = ''] = text.split(/\r\n|\n|\r/, 1)
  const found = ALL.filter((separator) => header.includes(separator))
  return found.length === 1 ? (found[0] ?? ',') : ','
}
