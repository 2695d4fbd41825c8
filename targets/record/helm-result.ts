import type { Choice } from '../../models/calls/client.ts'
import type { StoredCompletion } from './completion.ts'
import type { HelmCompletion, HelmResult } from './request-state.ts'

/**
 * A stored reply in the shape that HELM's RequestResult has: cut at the stop sequences, log probabilities summed.
 * A request with any stop sequence loses finish reason and thinking, matched or not (HELM.md T9).
 */
export const helmResult = (
  { reply, requestTime, requestDatetime }: StoredCompletion,
  stopSequences: readonly string[],
  cached: boolean,
): HelmResult => ({
  success: true,
  completions: reply.choices.map((choice) => cutAtStops(helmCompletion(choice), stopSequences)),
  cached,
  requestTime,
  requestDatetime,
})

const helmCompletion = (choice: Choice): HelmCompletion => {
  const tokens = choice.tokens ?? []
  return {
    text: choice.text,
    logprob: tokens.reduce((sum, token) => sum + token.logprob, 0),
    tokens,
    ...(choice.finishReason === null ? {} : { finishReason: choice.finishReason }),
    ...(choice.thinking === undefined ? {} : { thinking: choice.thinking }),
  }
}

const cutAtStops = (completion: HelmCompletion, stops: readonly string[]): HelmCompletion =>
  stops.reduce((current, stop) => {
    const at = current.text.indexOf(stop)
    const text = at === -1 ? current.text : current.text.slice(0, at)
    const tokens = tokensWithin(current.tokens, text)
    return { text, logprob: tokens.reduce((sum, token) => sum + token.logprob, 0), tokens }
  }, completion)

/** Tokens up to the one in which the cut falls. */
const tokensWithin = (tokens: HelmCompletion['tokens'], text: string): HelmCompletion['tokens'] => {
  let length = 0
  const kept = []
  for (const token of tokens) {
    if (length >= text.length) break
    kept.push(token)
    length += token.text.length
  }
  return kept
}
