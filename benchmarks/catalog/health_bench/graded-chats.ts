import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import type { ScenarioVersion } from '../../declaration/scenario-module.ts'
import { isDict, isList } from '../../python/kinds.ts'
import type { PyValue } from '../../python/value.ts'
import { type DraftInstance, chatMessage, type Chat } from '../../scenario/instance.ts'
import { type Row, rowPlace, type Table } from '../../sources/table.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { repeatedTag, rubricItems } from '../../scenario/rubric.ts'

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

/** The parts of a row that asks for an answer to a chat and brings the rubric by which it is graded. */
interface GradedChat {
  readonly messages: PyValue | undefined
  readonly rubrics: PyValue | undefined
  readonly extraData: ReadonlyMap<string, PyValue>
}

interface GradedChatOptions {
  /** Stands before the chat, as the system's message. */
  readonly system?: string
  /** Scores are given by tag: one that is named twice is a fault, as HealthBench's authors have it. */
  readonly byTag: boolean
}

/**
 * Such a row as an instance, named by its position.
 * @throws ProblemError `benchmarks/json-rows` with file and row
 */
export const gradedChat = (
  table: Table,
  row: Row,
  { messages, rubrics = [], extraData }: GradedChat,
  { system, byTag }: GradedChatOptions,
): DraftInstance => {
  const fault =
    chatFault(messages) ??
    rubricFault(rubrics) ??
    (byTag ? tagFault(rubrics, extraData.get('example_tags')) : undefined)
  if (fault !== undefined)
    throw new ProblemError({
      code: 'benchmarks/json-rows',
      message: `row ${row.row} ${fault}`,
      where: rowPlace(table.file, row),
      remedy: 'This is not the published file: fetch it again.',
    })
  const chat = messages as Chat
  return {
    id: String(row.row - 1),
    input: { text: '', messages: system === undefined ? chat : [chatMessage('system', system), ...chat] },
    references: [],
    split: 'test',
    extraData: new Map<string, PyValue>([['rubrics', rubrics], ...extraData]),
  }
}

const ROLES: ReadonlySet<PyValue | undefined> = new Set(['system', 'user', 'assistant'])

const chatFault = (messages: PyValue | undefined): string | undefined => {
  if (!isList(messages) || messages.length === 0) return 'has no list of messages'
  const bad = messages.findIndex(
    (message) =>
      !isDict(message) || !ROLES.has(message.get('role')) || typeof message.get('content') !== 'string',
  )
  return bad === -1 ? undefined : `has a message ${bad + 1} without a known role and a text`
}

const rubricFault = (rubrics: PyValue): string | undefined => {
  const items = rubricItems(rubrics)
  return typeof items === 'string' ? `has a rubric that ${items}` : undefined
}

const tagFault = (rubrics: PyValue, exampleTags: PyValue | undefined): string | undefined => {
  const items = rubricItems(rubrics)
  const item = typeof items === 'string' ? -1 : items.findIndex(({ tags }) => repeatedTag(tags) !== undefined)
  if (item !== -1) return `has a rubric whose item ${item + 1} names a tag twice`
  return isList(exampleTags) && repeatedTag(exampleTags) !== undefined
    ? 'names an example tag twice'
    : undefined
}
