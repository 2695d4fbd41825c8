import { dataFile, rowsOf, type SourceData } from '../../declaration/data/scenario-data.ts'
import { str } from '../../python/numbers/number.ts'
import { strip } from '../../python/text.ts'
import type { PyValue } from '../../python/value.ts'
import type { ScenarioVersion } from '../../declaration/scenario-module.ts'
import type { Split, DraftInstance } from '../../scenario/instance.ts'
import { textCell } from '../../sources/csv/cells.ts'
import { universalNewlines } from '../../sources/read-text.ts'

/** The validation questions are asked as test questions. */
const SPLITS: readonly (readonly [string, Split])[] = [
  ['train', 'train'],
  ['valid', 'test'],
  ['test', 'test'],
]

/** The protocol that asks no unanswerable question; these have the word for a query. */
const ANSWERABLE_ONLY = 'medhelm-0.8'
const NO_QUERY = 'null'

/**
 * EHRSQL's questions behind the schema of the database, those without a query left out. Under
 * medhelm-0.8 the unanswerable ones are left out, too.
 * @throws ProblemError with row and column
 */
export function* instances(
  data: SourceData,
  _args: ReadonlyMap<string, PyValue>,
  { protocol }: Pick<ScenarioVersion, 'protocol'>,
): Generator<DraftInstance> {
  const schema = tablesOf(universalNewlines(dataFile(data.texts, 'schema').text))
  for (const [name, split] of SPLITS) {
    const questions = rowsOf(data, name)
    for (const row of questions.rows) {
      if (!row.cells.has('question') || !row.cells.has('query')) continue
      const question = textCell(questions, row, 'question')
      const query = textCell(questions, row, 'query')
      if (protocol === ANSWERABLE_ONLY && query === NO_QUERY) continue
      yield {
        input: {
          text: `-- Database Schema:\n${schema}\n\n-- ${' '.repeat(20)}Question:\n${question}\n\n`,
        },
        references: [{ text: query, tags: ['correct'] }],
        split,
        attributes: {
          question_type: query === NO_QUERY ? 'unanswerable' : 'answerable',
          department: departmentsOf(row.cells.get('department')),
        },
        extraData: new Map<string, PyValue>([
          ['db_path', 'eicu.sqlite'],
          ['value', row.cells.get('value') ?? new Map()],
          ['is_impossible', row.cells.get('is_impossible') ?? false],
        ]),
      }
    }
  }
}

/** Who would ask, in the order of the alphabet; empty where that is not stated. */
const departmentsOf = (departments: PyValue | undefined): string =>
  Array.isArray(departments)
    ? departments
        .map(str)
        .filter((department) => department !== '-')
        .sort()
        .join(', ')
    : ''

/**
 * The CREATE TABLE statements that end on a later line, at a `;`. As in HELM one that ends on its first line takes in
 * what follows, up to the next `;`, and is lost where another begins before.
 */
const tablesOf = (sql: string): string => {
  const statements: string[] = []
  let open: string[] | undefined
  for (const line of sql.split('\n').map(strip))
    if (line.startsWith('CREATE TABLE')) open = [line]
    else if (open !== undefined) {
      open.push(line)
      if (!line.endsWith(';')) continue
      statements.push(open.join('\n'))
      open = undefined
    }
  return statements.join('\n\n')
}
