import { stated } from '../../declaration/attributes.ts'
import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import { rstrip } from '../../python/text.ts'
import { isDict } from '../../python/kinds.ts'
import type { Reference, Split, DraftInstance } from '../../scenario/instance.ts'
import { cell, textCell, unexpectedValue } from '../../sources/csv/cells.ts'
import type { Row, Table } from '../../sources/table.ts'

const SPLITS: readonly (readonly [string, Split])[] = [
  ['train', 'train'],
  ['dev', 'valid'],
  ['test', 'test'],
]

/**
 * MedQA's questions of the three splits with their four options.
 * @throws ProblemError with row and column
 */
export function* instances(data: SourceData): Generator<DraftInstance> {
  for (const [name, split] of SPLITS) {
    const questions = dataFile(data.tables, name)
    for (const row of questions.rows)
      yield {
        input: { text: textCell(questions, row, 'question') },
        references: referencesOf(questions, row),
        split,
        attributes: { meta_info: stated(row, 'meta_info') },
      }
  }
}

const referencesOf = (questions: Table, row: Row): readonly Reference[] => {
  const options = cell(questions, row, 'options')
  const right = cell(questions, row, 'answer_idx')
  if (!isDict(options) || options.size !== 4)
    throw unexpectedValue(questions, row, 'options', 'has not four options')
  return [...options].map(([letter, text]): Reference => {
    if (typeof text !== 'string')
      throw unexpectedValue(questions, row, 'options', 'has an option without text')
    return { text: rstrip(text.replace(/"+$/, '')), tags: letter === right ? ['correct'] : [] }
  })
}
