import type { CompletionRequest } from '../../models/calls/client.ts'
import { ceilingOf } from '../../models/prices/cost.ts'
import type { Price } from '../../models/prices/price.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import type { Tokenizer } from '../../models/tokenizers/tokenizer.ts'

/** What a chat template adds to a request, at most: its marks, and a preface such as Llama's date. */
export const TEMPLATE_TOKENS = 64

type Messages = Pick<CompletionRequest, 'messages'>
type Asked = Pick<ModelDeployment, 'client'>

/** UTF-8 bytes of a request's messages. */
export const promptBytes = ({ messages }: Messages): number =>
  messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)

/** Tokens of a request's messages without the chat template. */
export const promptTokens = ({ messages }: Messages, tokenizer: Tokenizer): number =>
  messages.reduce((sum, { content }) => sum + tokenizer.count(content), 0)

/** The most input tokens that a request can be charged for; without its tokenizer one a byte. */
export const inputBound = (request: Messages, tokenizer: Tokenizer | undefined): number =>
  (tokenizer === undefined ? promptBytes(request) : promptTokens(request, tokenizer)) + TEMPLATE_TOKENS

const LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'] as const

/** The most tokens that all answers to a request can have, reasoning included. A deployment's `body` may ask for more. */
export const outputBound = (
  { maxTokens, n }: Pick<CompletionRequest, 'maxTokens' | 'n'>,
  { client }: Asked,
): number => {
  const body = (client.args['body'] ?? {}) as Readonly<Record<string, unknown>>
  const own = (name: string): number => (typeof body[name] === 'number' ? body[name] : 0)
  return Math.max(maxTokens, ...LIMITS.map(own)) * Math.max(n, own('n'))
}

/** The most that a call can cost, US dollars: nothing cached, each of its answers as long as it may be. */
export const callCeiling = (
  request: Pick<CompletionRequest, 'messages' | 'maxTokens' | 'n'>,
  deployment: Asked,
  price: Pick<Price, 'input' | 'output'>,
  tokenizer: Tokenizer | undefined,
): number =>
  // Where nothing is charged no prompt need be counted.
  price.input === 0 && price.output === 0
    ? 0
    : ceilingOf(price, {
        inputTokens: inputBound(request, tokenizer),
        maxTokens: outputBound(request, deployment),
      })
