import { emptyFile } from './csv-table.ts'
import { pandasNames } from './pandas-names.ts'
import { inferTypes } from './pandas-types.ts'
import type { Table } from './table.ts'
import { xlsxSheet } from './xlsx-sheet.ts'

/**
 * The first sheet of an xlsx file as pandas' `read_excel` gives it: names from the first row, empty rows at the end
 * left out, types inferred per column, missing cells NaN.
 *
 * @throws ProblemError `benchmarks/xlsx`, `benchmarks/xlsx-date`, `benchmarks/empty-file`
 */
export const xlsxTable = (bytes: Uint8Array, file: string): Table => {
  const sheet = xlsxSheet(bytes, file)
  const last = sheet.findLastIndex((row) => row.some((cell) => cell !== undefined))
  const [header, ...data] = sheet.slice(0, last + 1)
  if (header === undefined) throw emptyFile(file)
  const columns = pandasNames(header.map((cell) => String(cell ?? '')))
  const rows = inferTypes(data).map((cells, index) => ({
    cells: new Map(columns.map((column, at) => [column, cells[at] ?? NaN])),
    row: index + 1,
    line: index + 2,
  }))
  return { file, columns, rows }
}
