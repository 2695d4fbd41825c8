import { emptyFile } from '../csv/csv-table.ts'
import { pandasNames, inferColumns, type RawCell } from '../csv/pandas-types.ts'
import type { Table } from '../table.ts'
import { xlsxSheet, type Sheet } from './xlsx-sheet.ts'

/**
 * The first sheet of an xlsx file as pandas' `read_excel` gives it: names from the first row, empty rows at the end
 * left out, types inferred per column, missing cells NaN.
 *
 * @param wanted columns whose cells the rows get; all where it is absent
 * @throws ProblemError `benchmarks/xlsx`, `benchmarks/empty-file`
 */
export const xlsxTable = (bytes: Uint8Array, file: string, wanted?: readonly string[]): Table => {
  const { rows } = xlsxSheet(bytes, file)
  const { height, width } = extentOf(rows)
  if (height === 0) throw emptyFile(file)
  const header = rows.get(0)
  const columns = pandasNames(Array.from({ length: width }, (_, column) => nameOf(header?.get(column))))
  const typed = inferColumns(columnsOf(rows, width), height - 1)
  const chosen = columns.flatMap((column, at) =>
    (wanted?.includes(column) ?? true) ? [[column, typed[at]] as const] : [],
  )
  return {
    file,
    columns,
    rows: Array.from({ length: height - 1 }, (_, row) => ({
      cells: new Map(chosen.map(([column, cells]) => [column, cells?.(row) ?? Number.NaN])),
      row: row + 1,
      line: row + 2,
    })),
  }
}

const nameOf = (cell: RawCell): string => {
  if (typeof cell === 'boolean') return cell ? 'True' : 'False'
  return typeof cell === 'object' ? cell.text : String(cell ?? '')
}

/** Empty texts are nothing, errors are something. */
const isEmpty = (cell: RawCell): boolean => cell === undefined || cell === ''

/** Up to the last row and the last column that hold something. */
const extentOf = (rows: Sheet['rows']): { readonly height: number; readonly width: number } => {
  let height = 0
  let width = 0
  for (const [row, cells] of rows)
    for (const [column, cell] of cells)
      if (!isEmpty(cell)) {
        height = Math.max(height, row + 1)
        width = Math.max(width, column + 1)
      }
  return { height, width }
}

/** Cells below the header, by column and then by row from 0 on. */
const columnsOf = (rows: Sheet['rows'], width: number): readonly ReadonlyMap<number, RawCell>[] => {
  const columns = Array.from({ length: width }, () => new Map<number, RawCell>())
  for (const [row, cells] of rows)
    for (const [column, cell] of row === 0 ? [] : cells) columns[column]?.set(row - 1, cell)
  return columns
}
