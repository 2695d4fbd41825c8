import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import type { ScenarioVersion } from '../../declaration/scenario-module.ts'
import type { PyValue } from '../../python/value.ts'
import type { Split, DraftInstance } from '../../scenario/instance.ts'
import { textCell, unknownAnswer } from '../../sources/csv/cells.ts'
import type { Row, Table } from '../../sources/table.ts'

const SPLITS: readonly (readonly [string, Split])[] = [
  ['dev', 'train'],
  ['val', 'valid'],
  ['test', 'test'],
]

const LETTERS = ['A', 'B', 'C', 'D'] as const

/**
 * Questions of one subject in one language. As in HELM options of the same text as the right one are right.
 * @throws ProblemError with row and column
 */
export function* instances(
  data: SourceData,
  _args: ReadonlyMap<string, PyValue>,
  { rows }: ScenarioVersion,
): Generator<DraftInstance> {
  for (const [name, split] of SPLITS) {
    const questions = dataFile(data.tables, name)
    for (const row of questions.rows) {
      const draft = rows.attempt(() => draftOf(questions, row, split))
      if (draft !== undefined) yield draft
    }
  }
}

const draftOf = (questions: Table, row: Row, split: Split): DraftInstance => {
  const options = LETTERS.map((letter) => textCell(questions, row, letter))
  const answer = textCell(questions, row, 'answer')
  const right = options[LETTERS.findIndex((letter) => letter === answer)]
  if (right === undefined) throw unknownAnswer(questions, row, 'answer', LETTERS)
  return {
    input: { text: textCell(questions, row, 'question') },
    references: options.map((text) => ({ text, tags: text === right ? ['correct'] : [] })),
    split,
  }
}
