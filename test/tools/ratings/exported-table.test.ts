import { expect, test } from 'vitest'
import { separatedTable } from '../../../benchmarks/sources/csv/separated-table.ts'
import { exportedCsv, type ExportedRow } from '../../../tools/ratings/exported-rows.ts'
import { exportedExtras, exportedTable } from '../../../tools/ratings/exported-table.ts'

const ROW: ExportedRow = {
  rater: 'ann',
  instance_id: 'i',
  benchmark: 'notes',
  model: 'm/a',
  scores: { safety: 4 },
  composite: 4,
  jury: { safety: 3 },
  study: 's',
  at: '',
  order: 7,
  instance: 'i',
  answer: null,
  rubric: null,
  reason: null,
  safety: true,
  active_ms: null,
  opened: [],
  changes: 0,
}

test('An export tells a criterion from what else of a rating has its name, such as safety', () => {
  const cells = new Map(
    Object.entries(ROW).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
  const lines = { file: 'r.jsonl', columns: [...cells.keys()], rows: [{ cells, row: 1 }] }
  for (const { rows } of [separatedTable(exportedCsv([ROW]), 'r.csv', ','), exportedTable(lines)]) {
    const [read] = rows
    expect(read?.cells.get('safety')).toBe('4')
    expect(read && exportedExtras(read)).toMatchObject({ order: 7, content: { safety: true } })
  }
})
