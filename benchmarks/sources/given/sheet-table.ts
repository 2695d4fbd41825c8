import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { uniqueNames } from '../csv/csv-table.ts'
import type { RawCell } from '../csv/pandas-types.ts'
import type { Table } from '../table.ts'
import type { SheetEntry } from '../xlsx/workbook.ts'
import { xlsxSheet, type Sheet } from '../xlsx/xlsx-sheet.ts'

/**
 * A workbook's only sheet that is not hidden, or the first of several; or the one that is named. Numbers, dates and truth
 * values are what the cells hold, not how Excel shows them.
 *
 * @throws ProblemError `benchmarks/xlsx` for merged cells, errors, formulas without a value, cells under no name
 */
export const sheetTable = (
  bytes: Uint8Array,
  file: string,
  wanted: string | undefined,
): { readonly table: Table; readonly how: string; readonly others: readonly string[] } => {
  let told = ''
  let others: readonly string[] = []
  const sheet = xlsxSheet(bytes, file, (sheets) => {
    const chosen = chooseSheet(sheets, file, wanted)
    told = `of the sheet ${JSON.stringify(chosen?.name)}`
    others = sheets
      .filter((each) => each !== chosen)
      .map(({ name, hidden }) => `${JSON.stringify(name)}${hidden ? ' (hidden)' : ''}`)
    return chosen
  })
  const refuse: Refuse = (message, remedy) =>
    refused(file, message, [remedy, ...(wanted === undefined ? notRead(others) : [])].join(' '))
  refuseHoles(sheet, refuse)
  const at = [...sheet.rows].filter(([, cells]) => [...cells.values()].some((cell) => textOf(cell) !== ''))
  const [[first, header] = [0, new Map<number, RawCell>()], ...rows] = at.toSorted(([a], [b]) => a - b)
  const columns = columnsOf(header, first, rows, { file, refuse })
  const used = [...columns.keys()]
  const hidden = rows.filter(([row]) => sheet.hidden.has(row)).length
  const values = used.filter((column) =>
    rows.some(([, cells]) => !['string', 'undefined'].includes(typeof cells.get(column))),
  )
  return {
    table: {
      file,
      columns: [...columns.values()],
      rows: rows.map(([row, cells], index) => ({
        cells: new Map(used.map((column) => [columns.get(column) ?? '', textOf(cells.get(column))])),
        row: index + 1,
        line: row + 1,
      })),
    },
    others,
    how: `${told}${hidden === 0 ? '' : `, ${hidden} of them hidden`}${values.length === 0 ? '' : `. Not text, and written by value, not as Excel shows it: ${values.map((column) => JSON.stringify(columns.get(column))).join(', ')}`}`,
  }
}

const chooseSheet = (
  sheets: readonly SheetEntry[],
  file: string,
  wanted: string | undefined,
): SheetEntry | undefined => {
  if (wanted === undefined) return sheets.find(({ hidden }) => !hidden) ?? sheets[0]
  const found = sheets.find(({ name }) => name === wanted)
  if (found !== undefined) return found
  const names = sheets.map(({ name }) => name)
  throw refused(
    file,
    `it has no sheet ${JSON.stringify(wanted)}`,
    `${suggestion(wanted, names)}It has ${names.map((name) => JSON.stringify(name)).join(', ')}.`,
  )
}

/** What a reader sees in cells that hold nothing, or that hold an error. */
const refuseHoles = ({ rows, merged, uncalculated }: Sheet, refuse: Refuse): void => {
  if (merged.length > 0)
    throw refuse(
      `cells of the sheet are merged: ${listed(merged)}; all but the first of each hold nothing`,
      'Unmerge them and fill each cell; a title above the names of the columns goes.',
    )
  if (uncalculated.length > 0)
    throw refuse(
      `formulas of the sheet have no value yet: ${listed(uncalculated)}`,
      'Open it in Excel and save it, or write the values in their place.',
    )
  const errors = [...rows].flatMap(([row, cells]) =>
    [...cells].flatMap(([column, cell]) =>
      Number.isNaN(cell) ? [`${columnLetters(column)}${row + 1}`] : [],
    ),
  )
  if (errors.length > 0)
    throw refuse(
      `cells of the sheet hold an error such as #N/A: ${listed(errors)}`,
      'Mend the formula, or leave the cell empty.',
    )
}

const MOST = 3

const listed = (cells: readonly string[]): string =>
  `${cells.slice(0, MOST).join(', ')}${cells.length > MOST ? ` and ${cells.length - MOST} more` : ''}`

/** Names by column from 0 on. @throws ProblemError for a column without a name in which a row holds something */
const columnsOf = (
  header: ReadonlyMap<number, RawCell>,
  line: number,
  rows: readonly (readonly [number, ReadonlyMap<number, RawCell>])[],
  { file, refuse }: { readonly file: string; readonly refuse: Refuse },
): ReadonlyMap<number, string> => {
  const named = [...header].filter(([, cell]) => textOf(cell) !== '').toSorted(([a], [b]) => a - b)
  const columns = new Map(named.map(([column, cell]) => [column, textOf(cell)]))
  uniqueNames({ cells: [...columns.values()], line: line + 1 }, file)
  for (const [row, cells] of rows)
    for (const [column, cell] of cells)
      if (!columns.has(column) && textOf(cell) !== '')
        throw refuse(
          `${columnLetters(column)}${row + 1} of the sheet holds something, and row ${line + 1}, its first, has no name for that column`,
          'The first row names the columns: write its name there, or take out what stands above the table.',
        )
  return columns
}

/** Excel's words; days without their midnight. */
const textOf = (cell: RawCell): string => {
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if (typeof cell === 'object') return cell.text.replace(/ 00:00:00$/, '')
  // Where Excel wrote a line's end of Windows.
  return String(cell ?? '').replaceAll('_x000D_', '')
}

/** 0 → `A`, 26 → `AA`. */
const columnLetters = (column: number): string => {
  const before = Math.floor(column / 26) - 1
  return `${before < 0 ? '' : columnLetters(before)}${String.fromCharCode(65 + (column % 26))}`
}

/** Sheets of a workbook that were left aside. */
export const notRead = (others: readonly string[]): readonly string[] =>
  others.length === 0
    ? []
    : [`Not read: ${others.length === 1 ? 'the sheet' : 'the sheets'} ${others.join(', ')}.`]

/** The problem of the sheet that was chosen. */
type Refuse = (message: string, remedy: string) => ProblemError

const refused = (file: string, message: string, remedy: string): ProblemError =>
  new ProblemError({ code: 'benchmarks/xlsx', message, where: { file }, remedy })
