import type { Jury } from '../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import type { CompletionRequest } from '../../models/calls/client.ts'
import { judgePrompt } from '../jury/judge-prompt.ts'

/** What a judge may reply. */
export const JUDGE_LIMITS = { maxTokens: 4096, stopSequences: [] } as const

/** HELM's judge request: greedy, long, no stop sequence (HELM.md T11). */
export const judgeRequest = (prompt: string): CompletionRequest => ({
  messages: [{ role: 'user', content: prompt }],
  temperature: 0,
  topP: 1,
  maxTokens: JUDGE_LIMITS.maxTokens,
  stop: JUDGE_LIMITS.stopSequences,
  n: 1,
  sampleIndex: 0,
})

/** What every judge of a jury is shown of an answer. */
export const juryPrompt = (jury: Jury, instance: Instance, answer: string): string =>
  judgePrompt(jury.template, {
    question: instance.input.text,
    response: answer,
    gold: instance.references[0]?.text ?? '',
  })
