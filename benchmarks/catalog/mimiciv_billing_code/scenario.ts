import { safeText, ProblemError } from '../../../cache/problems/problem.ts'
import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import { str } from '../../python/numbers/number.ts'
import type { PyValue } from '../../python/value.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import { rowPlace } from '../../sources/table.ts'

/**
 * Discharge notes and their codes as one text with commas. A missing list of codes is the
 * code `None`, a missing note an empty one.
 *
 * @throws ProblemError `benchmarks/not-text`
 */
export function* instances(data: SourceData): Generator<DraftInstance> {
  const table = dataFile(data.tables, 'notes')
  for (const row of table.rows) {
    const text = row.cells.get('text') ?? ''
    if (typeof text !== 'string')
      throw new ProblemError({
        code: 'benchmarks/not-text',
        safe: safeText`a cell that must hold text holds none`,
        message: `the note is ${str(text)}, which is no text`,
        where: rowPlace(table.file, row, 'text'),
        remedy: 'Write the column text as texts.',
      })
    const codes = row.cells.get('target') ?? null
    const list: readonly PyValue[] = Array.isArray(codes) ? codes : [codes]
    yield {
      input: { text },
      references: [{ text: list.map(str).join(','), tags: ['correct'] }],
      split: 'test',
    }
  }
}
