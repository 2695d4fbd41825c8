import { digestJson } from '../../cache/values/digest.ts'
import { done, type Outcome, failed, ProblemError } from '../../cache/problems/problem.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import { cuttingTokenizer } from '../keys/keys.ts'
import type { Profile } from '../profile.ts'
import type { Completion, StoredCompletion } from '../record/completion.ts'
import type { HelmRequest, HelmResult, HelmCompletion, Token } from '../record/request-state.ts'
import type { StageEnv } from '../env/env.ts'
import type { Choice } from '../../models/calls/client.ts'
import type { Tokenizer } from '../../models/tokenizers/tokenizer.ts'

/** Reads a deployment's replies as the profile does. The store keeps them as they were sent. */
export interface ReplyReader {
  /** @param cached HELM's flag: the same request was answered before in this run */
  read(completion: Completion, cached: boolean): Outcome<HelmResult>
  /** Digest of all that `read` depends on. */
  content(completion: Completion): string
}

type Limits = Pick<HelmRequest, 'stopSequences' | 'maxTokens'>

/** @throws ProblemError `targets/no-tokenizer` where the profile needs one that is not at hand */
export const createReplyReader = async (
  deployment: ModelDeployment,
  { stopSequences, maxTokens }: Limits,
  env: Pick<StageEnv, 'profile' | 'tokenizer'>,
): Promise<ReplyReader> => {
  const name = cuttingTokenizer(deployment, env.profile)
  if (name === undefined)
    return {
      read: ({ stored }, cached) => done(helmResult(stored, stopSequences, cached)),
      content: ({ content }) =>
        stopSequences.length === 0 ? content : digestJson<'completion'>([content, stopSequences]),
    }
  const tokenizer = await env.tokenizer(deployment)
  if (tokenizer === undefined) throw noTokenizer(deployment, env.profile)
  return {
    read: ({ stored }, cached) => retokenizedResult(stored, { stopSequences, maxTokens }, tokenizer, cached),
    content: ({ content }) =>
      digestJson<'completion'>([content, stopSequences, { tokenizer: name, maxTokens }]),
  }
}

/** The answer as judges and metrics see it; empty where there is none. */
export const answerOf = (result: Outcome<HelmResult>): string =>
  result.kind === 'done' ? (result.value.completions[0]?.text ?? '') : ''

const noTokenizer = ({ name, tokenizerName, file }: ModelDeployment, profile: Profile): ProblemError =>
  new ProblemError({
    code: 'targets/no-tokenizer',
    message:
      tokenizerName === undefined
        ? `the profile ${profile} cuts replies by tokens, but deployment ${name} names no tokenizer`
        : `the profile ${profile} cuts replies by tokens, but the tokenizer ${tokenizerName} of deployment ${name} is not at hand`,
    where: { file, field: 'tokenizer_name' },
    remedy:
      'Put its tokenizer.json under models/tokenizers/NAME/, set tokenizer_name to openai/cl100k_base, openai/o200k_base or simple/tokenizer1, or take the profile helm-0.5.16.',
  })

/**
 * A stored reply in the shape that HELM's RequestResult has: cut at the stop sequences, log probabilities summed.
 * A request with any stop sequence loses finish reason and thinking, matched or not (HELM.md T9).
 */
const helmResult = (
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
