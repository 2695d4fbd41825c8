import { ProblemError } from '../../cache/problems/problem.ts'
import type { PyValue } from '../python/value.ts'
import { chatMessage, type Chat } from '../scenario/chat.ts'
import type { DraftInstance } from '../scenario/draft.ts'
import { rubricItems } from '../scenario/rubric.ts'
import { rowPlace, type Row, type Table } from './table.ts'

/** The parts of a row that asks for an answer to a chat and brings the rubric by which it is graded. */
export interface GradedChat {
  readonly messages: PyValue | undefined
  readonly rubrics: PyValue | undefined
  readonly extraData: ReadonlyMap<string, PyValue>
}

/**
 * Such a row as an instance, named by its position.
 * @param system stands before the chat, as the system's message
 * @throws ProblemError `benchmarks/json-rows` with file and row
 */
export const gradedChat = (
  table: Table,
  row: Row,
  { messages, rubrics = [], extraData }: GradedChat,
  system?: string,
): DraftInstance => {
  const fault = chatFault(messages) ?? rubricFault(rubrics)
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
  if (!Array.isArray(messages) || messages.length === 0) return 'has no list of messages'
  const bad = (messages as readonly PyValue[]).findIndex(
    (message) =>
      !(message instanceof Map) ||
      !ROLES.has(message.get('role')) ||
      typeof message.get('content') !== 'string',
  )
  return bad === -1 ? undefined : `has a message ${bad + 1} without a known role and a text`
}

const rubricFault = (rubrics: PyValue): string | undefined => {
  const items = rubricItems(rubrics)
  return typeof items === 'string' ? `has a rubric that ${items}` : undefined
}
