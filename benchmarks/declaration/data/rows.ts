import { jsonTable } from '../../sources/json-table.ts'
import { STRICT_ROWS, type RowGuard } from '../../sources/row-guard.ts'
import type { Table } from '../../sources/table.ts'
import { dataFile, type SourceData } from './scenario-data.ts'

/**
 * A data file as rows: a table, or a JSON list of objects, whose keys are the columns.
 * @throws ProblemError `benchmarks/json-rows` with the item that is no object
 */
export const rowsOf = (data: SourceData, name: string, rows: RowGuard = STRICT_ROWS): Table => {
  const table = data.tables.get(name)
  if (table !== undefined) return table
  const { file, value } = dataFile(data.json, name)
  return jsonTable(value, file, undefined, rows)
}
