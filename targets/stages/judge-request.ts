import type { ItemGrading, Jury } from '../../benchmarks/scenario/benchmark.ts'
import { inputText, type Instance } from '../../benchmarks/scenario/instance.ts'
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
    question: inputText(instance),
    response: answer,
    gold: instance.references[0]?.text ?? '',
  })

/** What a grader of one rubric item may reply, by style. */
export const GRADER_LIMITS = {
  'medhelm-0.8': JUDGE_LIMITS,
  'health-bench': { maxTokens: 2048, stopSequences: [] },
} as const satisfies Readonly<Record<ItemGrading['style'], unknown>>

/** As HealthBench's authors ask their grader: not greedily, and behind their system message (HELM.md T27). */
export const graderRequest = (prompt: string, style: ItemGrading['style']): CompletionRequest => {
  const request = judgeRequest(prompt)
  if (style === 'medhelm-0.8') return request
  return {
    ...request,
    messages: [{ role: 'system', content: 'You are a helpful assistant.' }, ...request.messages],
    temperature: 0.5,
    maxTokens: GRADER_LIMITS[style].maxTokens,
  }
}
