import { gradedChat } from '../../sources/graded-chat.ts'
import { stated } from '../../declaration/attributes.ts'
import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import type { ScenarioVersion } from '../../declaration/scenario-module.ts'
import type { PyValue } from '../../python/value.ts'
import type { DraftInstance } from '../../scenario/draft.ts'

/** What its publisher tells of each chat. */
const FACTS = ['specialty', 'use_case', 'difficulty', 'type'] as const

/**
 * HealthBench Professional's chats, each with its rubric and a physician's answer.
 * @throws ProblemError with row
 */
export function* instances(
  data: SourceData,
  args: ReadonlyMap<string, PyValue>,
  { rows, protocol }: ScenarioVersion,
): Generator<DraftInstance> {
  const examples = dataFile(data.tables, 'examples')
  const system = args.get('system_message')
  for (const row of examples.rows) {
    const chat: PyValue | undefined = row.cells.get('conversation')
    const physician: PyValue | undefined = row.cells.get('physician_response')
    const draft = rows.attempt(() =>
      gradedChat(
        examples,
        row,
        {
          messages: chat instanceof Map ? chat.get('messages') : undefined,
          rubrics: row.cells.get('rubric_items'),
          extraData: new Map<string, PyValue>([
            ['prompt_id', row.cells.get('id') ?? null],
            ['physician_response', physician === undefined ? '' : physician],
          ]),
        },
        { byTag: protocol === 'health-bench', ...(typeof system === 'string' && { system }) },
      ),
    )
    if (draft !== undefined)
      yield {
        ...draft,
        attributes: Object.fromEntries(FACTS.map((column) => [column, stated(row, column)])),
      }
  }
}
