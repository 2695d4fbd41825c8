import { done, failed, type Outcome } from '../../cache/outcome.ts'
import type { Choice } from '../../models/calls/client.ts'
import type { Tokenizer } from '../../models/tokenizers/tokenizer.ts'
import type { StoredCompletion } from './completion.ts'
import type { HelmCompletion, HelmRequest, HelmResult, Token } from './request-state.ts'

/**
 * A stored reply as medhelm 0.8.0 shows it (HELM.md T10): cut into the tokens of the deployment's tokenizer,
 * at the stop sequences, then to `maxTokens`. What the last cut joins again may hold text that a stop sequence had
 * taken away. A request with any stop sequence, and a reply that is cut, lose finish reason and thinking.
 *
 * @returns a failure `completions/special-token` for text that the tokenizer refuses, which ends the original's run
 */
export const retokenizedResult = (
  { reply, requestTime, requestDatetime }: StoredCompletion,
  request: Pick<HelmRequest, 'stopSequences' | 'maxTokens'>,
  tokenizer: Tokenizer,
  cached: boolean,
): Outcome<HelmResult> => {
  const completions: HelmCompletion[] = []
  for (const choice of reply.choices) {
    const texts = tokenizer.tokens(choice.text)
    if (texts === undefined)
      return failed('completions/special-token', 'the reply holds the text of a special token')
    completions.push(cutToLength(request.stopSequences.reduce(cutAtStop, shown(choice, texts)), request))
  }
  return done({ success: true, completions, cached, requestTime, requestDatetime })
}

const shown = ({ text, finishReason, thinking }: Choice, texts: readonly string[]): HelmCompletion => ({
  text,
  logprob: 0,
  tokens: texts.map((token): Token => ({ text: token, logprob: 0 })),
  ...(finishReason === null ? {} : { finishReason }),
  ...(thinking === undefined ? {} : { thinking }),
})

/** The text ends where the stop sequence begins, the tokens only before one that begins with it. */
const cutAtStop = ({ text, tokens }: HelmCompletion, stop: string): HelmCompletion => {
  const inText = text.indexOf(stop)
  const inTokens = tokens.findIndex((token) => token.text.startsWith(stop))
  return {
    text: inText === -1 ? text : text.slice(0, inText),
    logprob: 0,
    tokens: inTokens === -1 ? tokens : tokens.slice(0, inTokens),
  }
}

const cutToLength = (
  completion: HelmCompletion,
  { maxTokens }: Pick<HelmRequest, 'maxTokens'>,
): HelmCompletion => {
  if (completion.tokens.length <= maxTokens) return completion
  const tokens = completion.tokens.slice(0, maxTokens)
  return { text: tokens.map(({ text }) => text).join(''), logprob: 0, tokens }
}
