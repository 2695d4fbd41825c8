import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import { pyInt } from '../../python/numbers/number.ts'
import { strip } from '../../python/text.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import { textCell, unexpectedValue } from '../../sources/csv/cells.ts'

/** Notes without an error have none. */
const errorType = (text: (column: string) => string): string =>
  text('Error Type') === 'NA' || text('Error Type') === '' ? 'no error' : text('Error Type')

/**
 * MEDEC's notes in file order: the sentences, and as reference the id and correction of
 * the wrong one, or CORRECT. Rows without sentences are left out.
 *
 * @throws ProblemError with row and column
 */
export function* instances(data: SourceData): Generator<DraftInstance> {
  const notes = dataFile(data.tables, 'notes')
  for (const row of notes.rows) {
    const sentences = row.cells.get('Sentences')
    if (notes.columns.includes('Sentences') && (sentences === null || sentences === '')) continue
    const text = (column: string): string => strip(textCell(notes, row, column))
    const flag = pyInt(text('Error Flag'))
    if (flag === undefined) throw unexpectedValue(notes, row, 'Error Flag', 'is no whole number')
    const [sentence, correction] = [text('Error Sentence ID'), text('Corrected Sentence')]
    const wrong = Number(flag) === 1 && correction !== 'NA' && sentence !== '-1'
    yield {
      input: { text: text('Sentences') },
      references: [{ text: wrong ? `${sentence} ${correction}` : 'CORRECT', tags: ['correct'] }],
      split: 'test',
      ...(notes.columns.includes('Error Type') ? { attributes: { error_type: errorType(text) } } : {}),
    }
  }
}
