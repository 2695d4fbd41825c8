import { str } from '../python/numbers/number.ts'
import type { PyValue } from '../python/value.ts'

/** A conversation as its data gives it, with all keys of each message; `role` and `content` are texts. */
export type Chat = readonly ReadonlyMap<string, PyValue>[]

/** A message of a chat. */
export const chatMessage = (role: string, content: string): Chat[number] =>
  new Map([
    ['role', role],
    ['content', content],
  ])

/** `role: content` of each message, a blank line between them: how graders and readers are shown a chat. */
export const chatText = (chat: Chat): string =>
  chat
    .map((message) => `${str(message.get('role') ?? null)}: ${str(message.get('content') ?? null)}`)
    .join('\n\n')
