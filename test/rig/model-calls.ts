import type { CompletionRequest } from '../../models/calls/client.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import type { Price } from '../../models/prices/price.ts'
import type { TokenUsage } from '../../targets/record/completion.ts'

/** A request with one user message; sampling as MedHELM's, one answer. */
export const requestOf = (prompt: string, changes: Partial<CompletionRequest> = {}): CompletionRequest => ({
  messages: [{ role: 'user', content: prompt }],
  temperature: 0,
  topP: 1,
  maxTokens: 100,
  stop: [],
  n: 1,
  sampleIndex: 0,
  ...changes,
})

export const never = new AbortController().signal

export const deploymentOf = (
  className: string,
  args: Readonly<Record<string, unknown>> = {},
  changes: Partial<ModelDeployment> = {},
): ModelDeployment => ({
  name: 'acme/m',
  modelName: 'maker/some-model',
  client: { className, args },
  deprecated: false,
  limits: {},
  file: 'models/acme.yaml',
  ...changes,
})

/** USD of a million tokens. */
export const priceOf = (deployment: string, input: number, output: number): Price => ({
  deployment,
  input,
  output,
  date: '2026-01-01',
  source: 'contract',
  file: 'models/prices.yaml',
})

/** No calls, unless told otherwise. */
export const usageOf = (changes: Partial<TokenUsage> = {}): TokenUsage => ({
  calls: 0,
  unknown: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  seconds: 0,
  ...changes,
})
