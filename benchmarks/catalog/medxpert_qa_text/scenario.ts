import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import type { ScenarioVersion } from '../../declaration/scenario-module.ts'
import { isDict } from '../../python/kinds.ts'
import type { PyValue } from '../../python/value.ts'
import type { Reference, DraftInstance } from '../../scenario/instance.ts'
import { cell, textCell, unexpectedValue, unknownAnswer } from '../../sources/csv/cells.ts'
import type { Row, Table } from '../../sources/table.ts'

/** What stands beside a question, in the order of HELM's files. */
const EXTRA = ['id', 'medical_task', 'body_system', 'question_type'] as const

/**
 * MedXpertQA's text questions with their options in file order; the question's text lists the options, too.
 * @throws ProblemError with row and column
 */
export function* instances(
  data: SourceData,
  _args: ReadonlyMap<string, PyValue>,
  { rows }: ScenarioVersion,
): Generator<DraftInstance> {
  const questions = dataFile(data.tables, 'questions')
  for (const row of questions.rows) {
    const draft = rows.attempt((): DraftInstance => ({
      input: { text: textCell(questions, row, 'question') },
      references: referencesOf(questions, row),
      split: 'test',
      extraData: new Map(EXTRA.map((column) => [column, cell(questions, row, column)])),
    }))
    if (draft !== undefined) yield draft
  }
}

const referencesOf = (questions: Table, row: Row): readonly Reference[] => {
  const options = cell(questions, row, 'options')
  const label = textCell(questions, row, 'label')
  if (!isDict(options)) throw unexpectedValue(questions, row, 'options', 'is no object')
  const texts = [...options].flatMap(([letter, text]) =>
    // A column of objects has a place for every letter that any row has.
    text === null ? [] : [[letter, text] as const],
  )
  if (!texts.some(([letter]) => letter === label))
    throw unknownAnswer(
      questions,
      row,
      'label',
      texts.map(([letter]) => letter),
    )
  return texts.map(([letter, text]): Reference => {
    if (typeof text !== 'string')
      throw unexpectedValue(questions, row, 'options', 'has an option without text')
    return { text, tags: letter === label ? ['correct'] : [] }
  })
}
