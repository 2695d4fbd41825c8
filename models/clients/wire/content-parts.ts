import { isMapping } from '../../../cache/values/json.ts'
import { malformed } from './wire-form.ts'

/** A message's content as text, and what the model thought on the way. */
interface ReadContent {
  readonly text: string
  readonly thinking: string | undefined
}

/**
 * Mistral's reasoning models, and Claude as Databricks serves it, answer in parts, of which some are thoughts. What is
 * neither text nor thought, such as a reference, is no part of the answer.
 * @throws ClientError `reply/malformed`
 */
export const readContent = (content: unknown): ReadContent => {
  if (typeof content === 'string') return { text: content, thinking: undefined }
  if (!Array.isArray(content)) throw malformed('its content is no text')
  const parts = (content as readonly unknown[]).map((part) =>
    isMapping(part) ? part : { type: 'text', text: part },
  )
  const texts = parts.flatMap((part) => (part['type'] === 'text' ? [part['text']] : []))
  if (!texts.every((text) => typeof text === 'string')) throw malformed('its content is no text')
  const thoughts = parts.flatMap(({ type, thinking, summary }) =>
    type === 'thinking' ? textsOf(thinking) : type === 'reasoning' ? textsOf(summary) : [],
  )
  return { text: texts.join(''), thinking: thoughts.length === 0 ? undefined : thoughts.join('\n\n') }
}

const textsOf = (told: unknown): readonly string[] => {
  if (typeof told === 'string') return [told]
  if (!Array.isArray(told)) return []
  return (told as readonly unknown[]).flatMap((part) =>
    isMapping(part) && typeof part['text'] === 'string' ? [part['text']] : [],
  )
}
