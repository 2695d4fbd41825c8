import { stated } from '../../declaration/attributes.ts'
import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import type { ScenarioVersion } from '../../declaration/scenario-module.ts'
import { strip, SPACE } from '../../python/text.ts'
import type { PyValue } from '../../python/value.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import { textCell } from '../../sources/csv/cells.ts'
import { rowPlace } from '../../sources/table.ts'

/** Where the options begin. */
const FIRST_OPTION = new RegExp(`\\n'[A-Z]':[${SPACE}]*'[^\\n]`)
const OPTION = new RegExp(`'([A-Z])':[${SPACE}]*'([^']+)'`, 'g')
/** What may stand between options. */
const BETWEEN = new RegExp(`^[${SPACE},;.{}]*$`)

/**
 * HealthQA-BR's questions with the options that their text ends with. As in HELM a row whose answer is none of the
 * options that could be read is left out, and told, as is what of the options could not be read; options of the same text
 * as the right one are right.
 * @throws ProblemError with row and column
 */
export function* instances(
  data: SourceData,
  _args: ReadonlyMap<string, PyValue>,
  { rows }: ScenarioVersion,
): Generator<DraftInstance> {
  const questions = dataFile(data.tables, 'questions')
  for (const row of questions.rows) {
    const text = textCell(questions, row, 'question')
    const answer = textCell(questions, row, 'answer')
    const start = text.search(FIRST_OPTION)
    const listed = start === -1 ? '' : text.slice(start)
    const found = [...listed.matchAll(OPTION)]
    const options = new Map(found.map(([, letter = '', option = '']) => [letter, option]))
    const right = options.get(strip(answer).toUpperCase())
    if (right === undefined) {
      rows.leaveOut(rowPlace(questions.file, row, 'answer'), 'unknown-answer')
      continue
    }
    if (found.length > options.size || !BETWEEN.test(listed.replaceAll(OPTION, '')))
      rows.readInPart(rowPlace(questions.file, row, 'question'), 'lost-option')
    yield {
      input: { text: strip(text.slice(0, start)) },
      references: [...options.values()].map((option) => ({
        text: option,
        tags: option === right ? ['correct'] : [],
      })),
      split: 'test',
      attributes: { group: stated(row, 'group'), source: stated(row, 'source') },
    }
  }
}
