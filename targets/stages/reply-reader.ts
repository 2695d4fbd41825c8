import { digestJson } from '../../cache/values/digest.ts'
import { done, type Outcome } from '../../cache/outcome.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import { cuttingTokenizer } from '../keys/reply-key.ts'
import type { Profile } from '../profile.ts'
import type { Completion } from '../record/completion.ts'
import { helmResult } from '../record/helm-result.ts'
import type { HelmRequest, HelmResult } from '../record/request-state.ts'
import { retokenizedResult } from '../record/retokenized-result.ts'
import type { StageEnv } from '../env/env.ts'

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
