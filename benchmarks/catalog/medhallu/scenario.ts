import { stated } from '../../declaration/attributes.ts'
import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import { str } from '../../python/numbers/number.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import { cell } from '../../sources/csv/cells.ts'

/** Two instances a row: the true answer, then the hallucinated one. */
export function* instances(data: SourceData): Generator<DraftInstance> {
  const table = dataFile(data.tables, 'rows')
  for (const row of table.rows) {
    const field = (column: string): string => str(cell(table, row, column))
    for (const [column, label] of [
      ['Ground Truth', '0'],
      ['Hallucinated Answer', '1'],
    ] as const)
      yield {
        input: {
          text: `World Knowledge: ${field('Knowledge')}\n\nQuestion: ${field('Question')}\n\nAnswer: ${field(column)}\n`,
        },
        references: [{ text: label, tags: ['correct'] }],
        split: 'test',
        attributes: {
          'Difficulty Level': stated(row, 'Difficulty Level'),
          'Category of Hallucination': label === '1' ? stated(row, 'Category of Hallucination') : '',
        },
      }
  }
}
