import { asJson } from '../../cache/stored-shape.ts'
import { canonicalJson, digestJson } from '../../cache/values/digest.ts'
import { keyTemplate, type KeyTemplate } from '../../cache/values/key.ts'
import type { CompletionRequest } from '../../models/calls/client.ts'
import { identityOf } from '../../models/clients/create-client.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
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

export const completionParts = (request: CompletionRequest): { messages: string; sampling: string } => {
  const { messages, ...sampling } = request
  return {
    messages: digestJson<'text'>(asJson(messages)),
    sampling: canonicalJson(sampling),
  }
}
