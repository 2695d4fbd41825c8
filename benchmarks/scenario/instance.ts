import type { PyValue } from '../python/value.ts'
import { str } from '../python/numbers/number.ts'

/** HELM's splits. Evaluated are `valid` and `test`; `train` feeds in-context examples. */
export type Split = 'train' | 'valid' | 'test'

/** A possible answer. Tag `correct` marks a right one. */
export interface Reference {
  readonly text: string
  readonly tags: readonly string[]
}

/** One item of a scenario, before any adapter saw it. */
export interface Instance {
  /** HELM numbers instances `id0`, `id1`, … over all splits unless the data has ids of its own (these may be ints). */
  readonly id: string | number
  /** A chat has messages, and then no text. */
  readonly input: { readonly text: string; readonly messages?: Chat }
  readonly references: readonly Reference[]
  readonly split: Split
  readonly subSplit?: string
  readonly extraData?: ReadonlyMap<string, PyValue>
  /** The source that it shares with others, such as a patient: together they are one piece of evidence. Not in HELM's files. */
  readonly cluster?: string
  /** Groups that it belongs to, by attribute; what is not stated is left out. Not in HELM's files. */
  readonly attributes?: Readonly<Record<string, string>>
}

export const isCorrect = (reference: Reference): boolean => reference.tags.includes('correct')

/** What is asked, as text: a chat's messages one after the other. */
export const inputText = ({ input: { text, messages } }: Pick<Instance, 'input'>): string =>
  messages === undefined ? text : chatText(messages)

/** An instance as its data gives it: without an id where HELM numbers instances by position. */
export type DraftInstance = Omit<Instance, 'id'> & { readonly id?: string | number }

/** A conversation as its data gives it, with all keys of each message; `role` and `content` are texts. */
export type Chat = readonly ReadonlyMap<string, PyValue>[]

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
