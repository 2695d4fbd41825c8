import { numberOf } from '../../benchmarks/python/float.ts'
import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import type { CompletionRequest } from '../../models/calls/client.ts'
import type { HelmRequest } from '../record/request-state.ts'

/**
 * The request of one prompt as HELM writes it. Multiple choice asks for one completion without stop sequences,
 * whatever the adapter says (HELM.md T7).
 */
export const helmRequest = (adapter: AdapterSpec, prompt: string): HelmRequest => {
  const choice = adapter.method === 'multiple_choice_joint'
  return {
    modelDeployment: adapter.modelDeployment,
    model: adapter.model,
    prompt,
    temperature: adapter.temperature,
    numCompletions: choice ? 1 : adapter.numOutputs,
    topKPerToken: choice ? adapter.numOutputs : 1,
    maxTokens: adapter.maxTokens,
    stopSequences: choice ? [] : adapter.stopSequences,
    ...(adapter.random === undefined ? {} : { random: adapter.random }),
  }
}

/** The same request as a client takes it. */
export const completionRequest = (request: HelmRequest): CompletionRequest => ({
  messages: [{ role: 'user', content: request.prompt }],
  temperature: numberOf(request.temperature),
  topP: 1,
  maxTokens: request.maxTokens,
  stop: request.stopSequences,
  n: request.numCompletions,
  sampleIndex: request.random === undefined ? 0 : Number(request.random),
})
