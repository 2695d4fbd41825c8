import { asJson } from '../../cache/stored-shape.ts'
import { canonicalJson, digestJson } from '../../cache/values/digest.ts'
import { keyTemplate, type KeyTemplate } from '../../cache/values/key.ts'
import type { CompletionRequest } from '../../models/calls/client.ts'
import { identityOf } from '../../models/clients/create-client.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import { dialectOf, type Profile } from '../profile.ts'
import { STAGE_VERSIONS } from './versions.ts'

/**
 * Everything that can alter an answer is in the key (deployment identity, model string, messages, sampling, sample index);
 * nothing else is: no URL, key, timeout, retry policy, concurrency, price or code hash.
 */
export const completionKey = (
  deployment: ModelDeployment,
): KeyTemplate<'messages' | 'sampling', 'completion'> =>
  keyTemplate<'messages' | 'sampling', 'completion'>(
    { stage: 'completions', version: STAGE_VERSIONS.completions, ...identityOf(deployment) },
    ['messages', 'sampling'],
  )

export interface CompletionParts extends Readonly<Record<string, string>> {
  readonly messages: string
  readonly sampling: string
}

/** The judges of a jury are asked by one request, and each of its texts is long. */
const known = new WeakMap<CompletionRequest, CompletionParts>()

export const completionParts = (request: CompletionRequest): CompletionParts => {
  const before = known.get(request)
  if (before !== undefined) return before
  const { messages, ...sampling } = request
  const parts = {
    messages: digestJson<'text'>(asJson(messages)),
    sampling: canonicalJson(sampling),
  }
  known.set(request, parts)
  return parts
}

/**
 * Name, and digest of the files where it has any, of the tokenizer by which the profile cuts a deployment's replies;
 * undefined where it leaves them as they are: only clients of chat servers cut (HELM.md T10).
 */
export const cuttingTokenizer = (deployment: ModelDeployment, profile: Profile): string | undefined =>
  dialectOf(profile).retokenizes && identityOf(deployment).protocol === 'chat'
    ? [deployment.tokenizerName ?? '', deployment.tokenizerFiles?.digest ?? []].flat().join('@')
    : undefined
