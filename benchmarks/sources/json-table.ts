import { ProblemError } from '../../cache/problems/problem.ts'
import { JsonError, loads } from '../python/json.ts'
import { rstrip } from '../python/text.ts'
import { isDict, isList } from '../python/kinds.ts'
import type { PyValue } from '../python/value.ts'
import { atRow, emptyFile, type CsvOptions } from './csv/csv-table.ts'
import { universalNewlines } from './read-text.ts'
import { STRICT_ROWS, type RowGuard, type Row, type Table } from './table.ts'

/**
 * A JSON list of objects as rows; their keys are the columns.
 * @param at key of the object that holds the list; without it the file itself is the list
 * @throws ProblemError `benchmarks/json-rows` with the item that is no object
 */
export const jsonTable = (value: PyValue, file: string, at?: string, rows: RowGuard = STRICT_ROWS): Table => {
  const list = at === undefined ? value : fieldOf(value, at)
  const place = at === undefined ? '' : `under ${JSON.stringify(at)} `
  if (!isList(list)) throw noRows(`${place}the file holds no list of objects`, { file })
  return tableOf(
    list.flatMap((item, index) => rows.attempt(() => [itemRow(item, index + 1, file)]) ?? []),
    file,
  )
}

const itemRow = (item: PyValue, row: number, file: string): Row => {
  if (isDict(item)) return { cells: item, row }
  throw noRows(`item ${row} is no object`, { file, row })
}

interface JsonLinesOptions extends Pick<CsvOptions, 'rows' | 'badLines'> {
  /** Refuses a key that an object has twice, keeps the digits of numbers, and takes a line of blanks for none. */
  readonly asWritten?: boolean
}

interface LinePlace {
  readonly file: string
  readonly line: number
  readonly row: number
}

/**
 * JSON lines: one object a line, white space at a line's end cut as HELM does (HELM.md B13).
 * @throws ProblemError `benchmarks/json` or `benchmarks/json-rows` with line and row, `benchmarks/empty-file`
 */
export const jsonLines = (
  text: string,
  file: string,
  { rows: guard = STRICT_ROWS, badLines, asWritten }: JsonLinesOptions = {},
): Table => {
  const lines = universalNewlines(text).split('\n')
  if (lines.at(-1) === '') lines.pop()
  if (lines.length === 0) throw emptyFile(file)
  const rows = lines.flatMap((line, index) => {
    if (asWritten === true && line.trim() === '') return []
    const place = { file, line: index + 1, row: index + 1 }
    return (
      guard.attempt(() => {
        const bad = badLines?.get(place.line)
        if (bad !== undefined) throw atRow(bad, place)
        return [lineRow(line, place, asWritten)]
      }) ?? []
    )
  })
  return tableOf(rows, file)
}

const lineRow = (line: string, place: LinePlace, asWritten?: boolean): Row => {
  const item = parseLine(rstrip(line), place, asWritten)
  if (isDict(item)) return { cells: item, row: place.row, line: place.line }
  throw noRows(`line ${place.line} is no object`, place)
}

const parseLine = (line: string, place: LinePlace, asWritten?: boolean): PyValue => {
  try {
    return loads(line, asWritten)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw new ProblemError(
      {
        code: 'benchmarks/json',
        message: `line ${place.line} is not JSON: ${error.message}`,
        where: { ...place, column: error.column },
        remedy: 'Each line must hold one whole JSON object. Fetch or export the file again.',
      },
      { cause: error },
    )
  }
}

const tableOf = (rows: readonly Row[], file: string): Table => ({
  file,
  columns: [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))],
  rows,
})

const fieldOf = (value: PyValue, key: string): PyValue => (isDict(value) ? (value.get(key) ?? null) : null)

const noRows = (message: string, where: { file: string; row?: number }): ProblemError =>
  new ProblemError({
    code: 'benchmarks/json-rows',
    message,
    where,
    remedy: 'Each item must be an object whose keys are column names; other shapes need a scenario.ts.',
  })
