import type { ItemGrading, Jury } from '../../benchmarks/scenario/benchmark.ts'
import { inputText, type Instance } from '../../benchmarks/scenario/instance.ts'
import type { CompletionRequest } from '../../models/calls/client.ts'
import { StringTemplateError, substituteTemplate } from '../../benchmarks/python/templates/string-template.ts'
import { ProblemError } from '../../cache/problems/problem.ts'

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

/** What a judge is shown. */
export interface Judged {
  /** The scenario's text: no instructions, no options. */
  readonly question: string
  /** The model's answer as it came. */
  readonly response: string
  /** Text of the first reference, `''` without one. */
  readonly gold: string
}

/**
 * Fills a rubric's {QUESTION}, {RESPONSE} and {GOLD_RESPONSE} (benchmarks/HELM.md B7). What is filled in is not
 * read again, so an answer that holds placeholders stays as it is.
 * @throws ProblemError `targets/bad-rubric` with line and column within the rubric
 */
export const judgePrompt = (rubric: string, { question, response, gold }: Judged): string => {
  try {
    return substituteTemplate(rubric, { QUESTION: question, RESPONSE: response, GOLD_RESPONSE: gold })
  } catch (cause) {
    if (!(cause instanceof StringTemplateError)) throw cause
    throw new ProblemError(
      {
        code: 'targets/bad-rubric',
        message: `the judge's rubric cannot be filled: ${cause.message}`,
        where: { line: cause.line, column: cause.column },
        remedy:
          'Write $$ for a dollar sign; use no placeholder but {QUESTION}, {RESPONSE} and {GOLD_RESPONSE}, ' +
          'and let no letter, digit or underscore follow one.',
      },
      { cause },
    )
  }
}
