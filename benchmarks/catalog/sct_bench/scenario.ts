import { stated } from '../../declaration/attributes.ts'
import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import type { ScenarioVersion } from '../../declaration/scenario-module.ts'
import { withUniqueIds } from '../../declaration/data/map-rows.ts'
import { float, pyFloat } from '../../python/numbers/number.ts'
import { isTruthy, type PyValue } from '../../python/value.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import { textCell, unexpectedValue } from '../../sources/csv/cells.ts'
import { rowPlace, type Row, type Table } from '../../sources/table.ts'

/** The ratings as answers and as the columns that count the experts behind each. */
const RATINGS = ['-2', '-1', '0', '+1', '+2'] as const

/** A case without one of these is left out, and told. */
const PARTS = ['sct_stem', 'question', 'additional_info'] as const

/** Asked for only with the argument `reason`. */
const EXPLANATION = ' and a brief explanation for your choice'

/**
 * SCT-Bench's cases: what a new finding does to a hypothesis, with the share of the experts that chose each rating.
 * @throws ProblemError with row and column
 */
export function* instances(
  data: SourceData,
  args: ReadonlyMap<string, PyValue>,
  { rows }: ScenarioVersion,
): Generator<DraftInstance> {
  const cases = dataFile(data.tables, 'cases')
  const guideline = dataFile(data.texts, 'guideline').text
  const examples = dataFile(data.texts, 'examples').text
  const intro = isTruthy(args.get('reason') ?? null) ? guideline : guideline.replace(EXPLANATION, '')
  // No line break behind the heading, as the original has it.
  const shots = isTruthy(args.get('few_shot') ?? null) ? `## Examples with Response Labels${examples}` : ''
  const asked = cases.rows.flatMap((row) => {
    const parts = PARTS.map((column) => textCell(cases, row, column))
    const ask = (): DraftInstance => draftOf(cases, row, `${intro}${shots}${caseText(parts)}`)
    const blank = PARTS[parts.indexOf('')]
    if (blank !== undefined) rows.leaveOut(rowPlace(cases.file, row, blank), 'empty-cell')
    const draft = blank === undefined ? rows.attempt(ask) : undefined
    return draft === undefined ? [] : [{ row, draft }]
  })
  for (const { draft } of withUniqueIds(asked, '{question_id}', cases, rows)) yield draft
}

const draftOf = (cases: Table, row: Row, text: string): DraftInstance => {
  const experts = expertsOf(cases, row)
  return {
    id: textCell(cases, row, 'question_id'),
    input: { text },
    references: [{ text: RATINGS[experts.indexOf(Math.max(...experts))] ?? '0', tags: ['correct'] }],
    split: 'test',
    attributes: { source: stated(row, 'source') },
    extraData: new Map([['expert_distribution', experts.map(float)]]),
  }
}

const caseText = ([stem, question, finding]: readonly string[]): string =>
  `## Scenario\n\n${stem}\n\n## Hypothesis\n\n${question}\n\n## Additional Information\n\n${finding}\n\n## Response`

const expertsOf = (cases: Table, row: Row): readonly number[] =>
  RATINGS.map((rating) => {
    const column = rating.replace('+', '')
    const share = pyFloat(textCell(cases, row, column))
    if (share === undefined || !(share >= 0) || share === Infinity)
      throw unexpectedValue(cases, row, column, 'is no number of experts')
    return share
  })
