import type { CompletionRequest } from '../../models/clients/client.ts'
import { ceilingOf } from '../../models/prices/cost.ts'
import type { Price } from '../../models/prices/price.ts'
import type { Tokenizer } from '../../models/tokenizers/tokenizer.ts'

/** What a chat template adds to a request, at most: its marks, and a preface such as Llama's date. */
const TEMPLATE_TOKENS = 64

/** UTF-8 bytes of a request's messages. */
export const promptBytes = ({ messages }: Pick<CompletionRequest, 'messages'>): number =>
  messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)

/** Tokens of a request's messages without the chat template. */
export const promptTokens = (
  { messages }: Pick<CompletionRequest, 'messages'>,
  tokenizer: Tokenizer,
): number => messages.reduce((sum, { content }) => sum + tokenizer.count(content), 0)

/** The most input tokens that a request can be charged for; without its tokenizer one a byte. */
export const inputBound = (
  request: Pick<CompletionRequest, 'messages'>,
  tokenizer: Tokenizer | undefined,
): number =>
  (tokenizer === undefined ? promptBytes(request) : promptTokens(request, tokenizer)) + TEMPLATE_TOKENS

/** The most that a call can cost, US dollars: nothing cached, each of its answers as long as it may be. */
export const callCeiling = (
  request: Pick<CompletionRequest, 'messages' | 'maxTokens' | 'n'>,
  price: Pick<Price, 'input' | 'output'>,
  tokenizer: Tokenizer | undefined,
): number =>
  // Where nothing is charged no prompt need be counted.
  price.input === 0 && price.output === 0
    ? 0
    : ceilingOf(price, {
        inputTokens: inputBound(request, tokenizer),
        maxTokens: request.maxTokens * request.n,
      })
