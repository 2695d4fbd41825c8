import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import { str } from '../../python/numbers/number.ts'
import { isDict } from '../../python/kinds.ts'
import type { PyValue } from '../../python/value.ts'
import type { Reference, DraftInstance } from '../../scenario/instance.ts'
import { cell, textCell, unexpectedValue } from '../../sources/csv/cells.ts'
import type { Row, Table } from '../../sources/table.ts'

/**
 * HEAD-QA's exam questions without pictures, all or those of one category.
 * @throws ProblemError with row and column
 */
export function* instances(data: SourceData, args: ReadonlyMap<string, PyValue>): Generator<DraftInstance> {
  const questions = dataFile(data.tables, 'questions')
  const category = args.get('category') ?? null
  for (const row of questions.rows) {
    const field = (column: string): PyValue => cell(questions, row, column)
    if (field('image') !== null) continue
    if (category !== null && field('category') !== category) continue
    yield {
      input: { text: textCell(questions, row, 'qtext') },
      references: referencesOf(questions, row),
      split: 'test',
      extraData: new Map<string, PyValue>([
        ['id', field('qid')],
        ['name', field('name')],
        ['category', field('category')],
        ['year', field('year')],
      ]),
    }
  }
}

const referencesOf = (questions: Table, row: Row): readonly Reference[] => {
  const answers = cell(questions, row, 'answers')
  const right = str(cell(questions, row, 'ra'))
  const list: readonly PyValue[] = Array.isArray(answers) ? answers : []
  return list.map((answer): Reference => {
    const [id, text] = ['aid', 'atext'].map((key) => (isDict(answer) ? answer.get(key) : undefined))
    if (id === undefined || typeof text !== 'string')
      throw unexpectedValue(questions, row, 'answers', 'has an entry without aid or atext')
    return { text, tags: str(id) === right ? ['correct'] : [] }
  })
}
