import { ProblemError } from '../../cache/problem.ts'
import type { PyValue } from '../python/value.ts'
import type { Row, Table } from '../sources/table.ts'
import type { ScenarioData } from './scenario-data.ts'

/**
 * A data file as rows: a table, or a JSON list of objects, whose keys are the columns.
 * @throws ProblemError `benchmarks/json-rows` with the item that is no object
 */
export const rowsOf = (data: ScenarioData, name: string): Table => {
  const table = data.tables.get(name)
  if (table !== undefined) return table
  const { file, value } = data.json.get(name) ?? { file: name, value: null }
  const items: readonly PyValue[] = isList(value) ? value : [null]
  const rows = items.map((item, index): Row => {
    if (item instanceof Map) return { cells: item as ReadonlyMap<string, PyValue>, row: index + 1 }
    throw new ProblemError({
      code: 'benchmarks/json-rows',
      message: isList(value) ? `item ${index + 1} is no object` : 'the file holds no list of objects',
      where: isList(value) ? { file, row: index + 1 } : { file },
      remedy: 'Each item must be an object whose keys are column names; other shapes need a scenario.ts.',
    })
  })
  return { file, columns: [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))], rows }
}

const isList = (value: PyValue): value is readonly PyValue[] => Array.isArray(value)
