import { rstrip } from '../../benchmarks/python/text.ts'
import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import { isCorrect, type Instance, chatText, type Chat } from '../../benchmarks/scenario/instance.ts'
import { numberOf, str } from '../../benchmarks/python/numbers/number.ts'
import { loads } from '../../benchmarks/python/json.ts'
import type { CompletionRequest, Message } from '../../models/calls/client.ts'
import type { HelmRequest } from '../record/request-state.ts'

/** The blocks of a prompt before it is cut to a window (HELM.md T6). */
export interface PromptParts {
  readonly adapter: AdapterSpec
  readonly train: readonly Instance[]
  readonly instance: Instance
}

/** Joins instructions, in-context examples and the evaluated instance as HELM does. */
export const promptText = ({ adapter, train, instance }: PromptParts): string => {
  const blocks = [
    ...(adapter.instructions === '' ? [] : [adapter.instructions]),
    ...train.map((example) => block(example, adapter, true)),
    block(instance, adapter, false),
  ]
  const text = `${adapter.globalPrefix}${blocks.join(adapter.instancePrefix)}${adapter.globalSuffix}`
  return adapter.substitutions.reduce(
    (current, { source, target }) => current.split(source).join(target),
    text,
  )
}

/** Letter → reference text, in reference order; undefined for free text. */
export const outputMappingOf = (
  adapter: AdapterSpec,
  instance: Instance,
): ReadonlyMap<string, string> | undefined =>
  adapter.method === 'multiple_choice_joint'
    ? new Map(
        instance.references.map((reference, index) => [letterPrefix(adapter, index).letter, reference.text]),
      )
    : undefined

const block = (instance: Instance, adapter: AdapterSpec, withAnswer: boolean): string => {
  const output = withAnswer
    ? `${adapter.outputPrefix}${goldText(instance, adapter)}${adapter.outputSuffix}`
    : rstrip(adapter.outputPrefix)
  return `${adapter.inputPrefix}${instance.input.text}${adapter.inputSuffix}${optionsText(instance, adapter)}${output}`
}

const optionsText = (instance: Instance, adapter: AdapterSpec): string =>
  adapter.method === 'multiple_choice_joint'
    ? instance.references
        .map(
          (reference, index) =>
            `${letterPrefix(adapter, index).prefix}${reference.text}${adapter.referenceSuffix}`,
        )
        .join('')
    : ''

/** The answer that an in-context example shows: letters for multiple choice, texts otherwise, `n/a` for none. */
const goldText = (instance: Instance, adapter: AdapterSpec): string => {
  const correct = instance.references
    .map((reference, index) => ({ reference, index }))
    .filter(({ reference }) => isCorrect(reference))
    .map(({ reference, index }) =>
      adapter.method === 'multiple_choice_joint' ? letterPrefix(adapter, index).letter : reference.text,
    )
  if (correct.length === 0) return 'n/a'
  return adapter.multiLabel ? correct.join(', ') : (correct[0] ?? 'n/a')
}

/**
 * The letter and printed prefix of the reference at `index`: the first letter or digit of `reference_prefix` counts on
 * from there by code point, or through `reference_prefix_characters` (HELM.md T7).
 */
export const letterPrefix = (
  { referencePrefix, referencePrefixCharacters }: AdapterSpec,
  index: number,
): { readonly letter: string; readonly prefix: string } => {
  const first = /[\p{L}\p{N}]/u.exec(referencePrefix)?.[0] ?? 'A'
  const letter =
    referencePrefixCharacters === undefined
      ? String.fromCodePoint((first.codePointAt(0) ?? 65) + index)
      : (Array.from(referencePrefixCharacters)[index] ?? first)
  return { letter, prefix: referencePrefix.split(first).join(letter) }
}

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
