import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import type { ScenarioVersion } from '../../declaration/scenario-module.ts'
import type { PyValue } from '../../python/value.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import { gradedChat, type GradedChat } from '../../sources/graded-chat.ts'
import type { Row } from '../../sources/table.ts'

/**
 * Chats, each with its rubric, as `partsOf` finds them in a row; what stands before each chat is in `system_message`.
 * @throws ProblemError with row
 */
export function* gradedChats(
  data: SourceData,
  args: ReadonlyMap<string, PyValue>,
  { rows, protocol }: ScenarioVersion,
  partsOf: (row: Row) => GradedChat & Pick<DraftInstance, 'attributes'>,
): Generator<DraftInstance> {
  const examples = dataFile(data.tables, 'examples')
  const system = args.get('system_message')
  const options = { byTag: protocol === 'health-bench', ...(typeof system === 'string' && { system }) }
  for (const row of examples.rows) {
    const draft = rows.attempt((): DraftInstance => {
      const { attributes, ...parts } = partsOf(row)
      return { ...gradedChat(examples, row, parts, options), ...(attributes && { attributes }) }
    })
    if (draft !== undefined) yield draft
  }
}
