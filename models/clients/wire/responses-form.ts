import type { Response } from 'openai/resources/responses/responses'
import { ClientError, type Choice, type Reply } from '../../calls/client.ts'
import { toldText } from '../told-text.ts'
import { readUsage } from './usage.ts'
import { malformed, noChoices, optional, type WireForm } from './wire-form.ts'

/** The interface refuses less. */
const LEAST_TOKENS = 16

/** OpenAI's Responses; nothing is left with the provider. Stop sequences and seeds are unknown to it. */
export const responsesForm: WireForm = {
  path: '/responses',
  several: false,
  body: (request, model, { reasoning, reasoningEffort, body }) => ({
    model,
    input: request.messages.map(({ role, content }) => ({ role, content })),
    max_output_tokens: Math.max(LEAST_TOKENS, request.maxTokens),
    store: false,
    ...(reasoning
      ? { reasoning: { summary: 'detailed', ...optional('effort', reasoningEffort) } }
      : { temperature: request.temperature, top_p: request.topP }),
    ...body,
  }),
  reply: (value) => readReply(value as Response),
}

const readReply = (body: Response): Reply => {
  if (body?.error)
    throw new ClientError('reply/error', `the server could not answer: ${toldText(body.error.message)}`, {
      retriable: body.error.code === 'server_error' || body.error.code === 'rate_limit_exceeded',
    })
  if (!Array.isArray(body?.output)) throw noChoices()
  return {
    choices: [readChoice(body)],
    ...(body.model ? { model: body.model } : {}),
    ...usageOf(body),
  }
}

const readChoice = ({ output, status, incomplete_details: incomplete }: Response): Choice => {
  const contents = output.flatMap((item) => (item.type === 'message' ? item.content : []))
  const texts = contents.flatMap((part) => (part.type === 'output_text' ? [part.text] : []))
  if (!texts.every((text) => typeof text === 'string')) throw malformed('its content is no text')
  const refusals = contents.flatMap((part) => (part.type === 'refusal' ? [part.refusal] : []))
  const thinking = output.flatMap((item) =>
    item.type === 'reasoning' ? item.summary.map(({ text }) => text) : [],
  )
  return {
    text: texts.join(''),
    finishReason: finishReasonOf(status, incomplete?.reason),
    ...(thinking.length === 0 ? {} : { thinking: thinking.join('\n\n') }),
    ...(refusals.length === 0 ? {} : { refusal: refusals.join('\n') }),
  }
}

/** In the words of chat completions. */
const finishReasonOf = (status: Response['status'], reason: string | undefined): string | null => {
  if (reason === 'max_output_tokens') return 'length'
  if (reason !== undefined) return reason
  return status === 'completed' ? 'stop' : (status ?? null)
}

const usageOf = ({ usage }: Response): Pick<Reply, 'usage' | 'impossibleUsage'> =>
  readUsage({
    input: usage?.input_tokens,
    output: usage?.output_tokens,
    total: usage?.total_tokens,
    cached: usage?.input_tokens_details?.cached_tokens,
    reasoning: usage?.output_tokens_details?.reasoning_tokens,
  })
