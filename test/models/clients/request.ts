import type { CompletionRequest } from '../../../models/calls/client.ts'

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
