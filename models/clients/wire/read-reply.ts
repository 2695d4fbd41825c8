import type { Json } from '../../../cache/values/json.ts'
import { ClientError, type Choice, type Reply } from '../../calls/client.ts'
import { toldText } from '../told-text.ts'
import { malformed, optional, otherCount, type WireForm } from './wire-form.ts'

/**
 * A server's reply, whatever it put where: what has not its type is left out, and names are fit to be shown.
 * @param n answers that were asked for; scores over fewer, or over others, would be scores of something else
 * @throws ClientError `reply/…`
 */
export const readReply = (form: Pick<WireForm, 'reply'>, body: Json, n?: number): Reply => {
  const { choices, model, systemFingerprint, ...rest } = withPossibleUsage(formed(form, body))
  if (n !== undefined && choices.length !== n) throw otherCount(choices.length, n)
  return {
    ...rest,
    choices: choices.map(readChoice),
    ...optional('model', name(model)),
    ...optional('systemFingerprint', name(systemFingerprint)),
  }
}

/** No prompt and no text are of no tokens: servers that don't count tell zeros. */
const withPossibleUsage = ({ usage, ...reply }: Reply): Reply => {
  if (usage === undefined) return reply
  const isSilent = usage.outputTokens === 0 && reply.choices.some(({ text }) => text !== '')
  return usage.inputTokens === 0 || isSilent ? { ...reply, impossibleUsage: true } : { ...reply, usage }
}

const formed = (form: Pick<WireForm, 'reply'>, body: Json): Reply => {
  try {
    return form.reply(body)
  } catch (error) {
    if (error instanceof ClientError || !(error instanceof TypeError)) throw error
    throw malformed('it is not of the form that was asked for', error)
  }
}

/** The forms trust the server's types. */
type Unchecked<T> = { readonly [Key in keyof T]: unknown }

const readChoice = (choice: Choice): Choice => {
  const { finishReason, tokens, thinking, refusal }: Unchecked<Choice> = choice
  return {
    text: choice.text,
    finishReason: text(finishReason) ?? null,
    ...optional('tokens', areTokens(tokens) ? tokens : undefined),
    ...optional('thinking', text(thinking)),
    ...optional('refusal', text(refusal)),
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const name = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? toldText(value) : undefined

/** A log probability beyond all numbers makes all of them useless. */
const areTokens = (value: unknown): value is NonNullable<Choice['tokens']> =>
  Array.isArray(value) &&
  (value as readonly Unchecked<NonNullable<Choice['tokens']>[number]>[]).every(
    (token) => typeof token?.text === 'string' && Number.isFinite(token.logprob),
  )
