import { gradedChat } from '../../sources/graded-chat.ts'
import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import type { ScenarioVersion } from '../../declaration/scenario-module.ts'
import type { PyValue } from '../../python/value.ts'
import type { DraftInstance } from '../../scenario/draft.ts'

/**
 * HealthBench's chats, each with its rubric; what its authors say before each chat stands in `system_message`.
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
    const draft = rows.attempt(() =>
      gradedChat(
        examples,
        row,
        {
          messages: row.cells.get('prompt'),
          rubrics: row.cells.get('rubrics'),
          extraData: new Map<string, PyValue>([
            ['example_tags', row.cells.get('example_tags') ?? []],
            ['prompt_id', row.cells.get('prompt_id') ?? null],
          ]),
        },
        { byTag: protocol === 'health-bench', ...(typeof system === 'string' && { system }) },
      ),
    )
    if (draft !== undefined) yield draft
  }
}
