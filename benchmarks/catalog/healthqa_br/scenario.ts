import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import { strip } from '../../python/text.ts'
import { SPACE } from '../../python/unicode.ts'
import type { DraftInstance } from '../../scenario/draft.ts'
import { textCell } from '../../sources/csv/cells.ts'

/** Where the options begin. */
const FIRST_OPTION = new RegExp(`\\n'[A-Z]':[${SPACE}]*'[^\\n]`)
const OPTION = new RegExp(`'([A-Z])':[${SPACE}]*'([^']+)'`, 'g')

/**
 * HealthQA-BR's questions with the options that their text ends with. As in HELM a row whose answer is none of the
 * options that could be read is left out, and options of the same text as the right one are right.
 * @throws ProblemError with row and column
 */
export function* instances(data: SourceData): Generator<DraftInstance> {
  const questions = dataFile(data.tables, 'questions')
  for (const row of questions.rows) {
    const text = textCell(questions, row, 'question')
    const start = text.search(FIRST_OPTION)
    if (start === -1) continue
    const found = text.slice(start).matchAll(OPTION)
    const options = new Map([...found].map(([, letter = '', option = '']) => [letter, option]))
    const right = options.get(strip(textCell(questions, row, 'answer')).toUpperCase())
    if (right === undefined) continue
    yield {
      input: { text: strip(text.slice(0, start)) },
      references: [...options.values()].map((option) => ({
        text: option,
        tags: option === right ? ['correct'] : [],
      })),
      split: 'test',
    }
  }
}
