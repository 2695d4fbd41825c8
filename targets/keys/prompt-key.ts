import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import { dialectOf, type Profile } from '../profile.ts'
import { STAGE_VERSIONS } from './versions.ts'

/** What of an adapter shapes a prompt; the answer's sampling is not in it. */
const promptFields = (adapter: AdapterSpec): JsonObject => ({
  method: adapter.method,
  globalPrefix: adapter.globalPrefix,
  globalSuffix: adapter.globalSuffix,
  instructions: adapter.instructions,
  inputPrefix: adapter.inputPrefix,
  inputSuffix: adapter.inputSuffix,
  referencePrefix: adapter.referencePrefix,
  referencePrefixCharacters: adapter.referencePrefixCharacters ?? null,
  referenceSuffix: adapter.referenceSuffix,
  outputPrefix: adapter.outputPrefix,
  outputSuffix: adapter.outputSuffix,
  instancePrefix: adapter.instancePrefix,
  substitutions: adapter.substitutions,
  multiLabel: adapter.multiLabel,
})

/** What of a deployment shapes a prompt; the answer's length counts only where there is a window to share. */
export const windowKey = (deployment: ModelDeployment, maxTokens: number): JsonObject => {
  const length = deployment.maxRequestLength ?? deployment.maxSequenceLength
  const { tokenizerName: tokenizer, tokenizerFiles: files } = deployment
  if (tokenizer === undefined) return { tokenizer: null }
  return {
    tokenizer,
    ...(files === undefined ? {} : { files: files.digest }),
    ...(length === undefined ? {} : { maxRequestLength: length, maxTokens }),
  }
}

export const promptKey = (
  adapter: AdapterSpec,
  deployment: ModelDeployment,
  profile: Profile,
): JsonObject => ({
  stage: 'prompts',
  version: STAGE_VERSIONS.prompts,
  adapter: promptFields(adapter),
  ...(adapter.method === 'chat' && dialectOf(profile).countsChats ? { chats: 'counted' } : {}),
  window: windowKey(deployment, adapter.maxTokens),
})
