import { numberOf } from '../../benchmarks/python/numbers/float.ts'
import { loads } from '../../benchmarks/python/json.ts'
import { str } from '../../benchmarks/python/numbers/number.ts'
import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import { chatText, type Chat } from '../../benchmarks/scenario/chat.ts'
import type { CompletionRequest, Message } from '../../models/calls/client.ts'
import type { HelmRequest } from '../record/request-state.ts'

/** What a model is asked: a text, or the messages of a chat as Python JSON text. */
export interface AskedPrompt {
  readonly text: string
  readonly messages?: string
}

/**
 * The request of one prompt as HELM writes it. Multiple choice asks for one completion without stop sequences,
 * whatever the adapter says (HELM.md T7).
 */
export const helmRequest = (adapter: AdapterSpec, { text, messages }: AskedPrompt): HelmRequest => {
  const choice = adapter.method === 'multiple_choice_joint'
  return {
    modelDeployment: adapter.modelDeployment,
    model: adapter.model,
    prompt: text,
    temperature: adapter.temperature,
    numCompletions: choice ? 1 : adapter.numOutputs,
    topKPerToken: choice ? adapter.numOutputs : 1,
    maxTokens: adapter.maxTokens,
    stopSequences: choice ? [] : adapter.stopSequences,
    ...(adapter.random === undefined ? {} : { random: adapter.random }),
    ...(messages === undefined ? {} : { messages: loads(messages) as Chat }),
  }
}

/** The same request as a client takes it. */
export const completionRequest = (request: HelmRequest): CompletionRequest => ({
  messages: request.messages?.map(messageOf) ?? [{ role: 'user', content: request.prompt }],
  temperature: numberOf(request.temperature),
  topP: 1,
  maxTokens: request.maxTokens,
  stop: request.stopSequences,
  n: request.numCompletions,
  sampleIndex: request.random === undefined ? 0 : Number(request.random),
})

/** What a request asks, as text for readers. */
export const requestText = ({ prompt, messages }: Pick<HelmRequest, 'prompt' | 'messages'>): string =>
  messages === undefined ? prompt : chatText(messages)

const messageOf = (message: Chat[number]): Message => ({
  role: str(message.get('role') ?? '') as Message['role'],
  content: str(message.get('content') ?? ''),
})
