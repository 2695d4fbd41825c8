import { describe, expect, it } from 'vitest'
import { judgePrompt } from '../../../targets/stages/judge.ts'

const judged = { question: 'Q', response: 'costs $5 {QUESTION}', gold: 'G' }

describe('a judge’s prompt', () => {
  it('is filled once: what the answer holds stays', () => {
    expect(judgePrompt('{QUESTION}|{RESPONSE}|{GOLD_RESPONSE}', judged)).toBe('Q|costs $5 {QUESTION}|G')
  })

  it('keeps other braces and halves a doubled dollar sign', () => {
    expect(judgePrompt('$$1 {"a": {}} {{QUESTION}}', judged)).toBe('$1 {"a": {}} {Q}')
  })

  it.each([
    ['a lone dollar sign', 'line\n costs $ 5', { line: 2, column: 8 }],
    ['a name that nothing is known of', '{QUESTION}s', { line: 1, column: 1 }],
  ])('names the place of %s', (_, rubric, where) => {
    expect(() => judgePrompt(rubric, judged)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ code: 'targets/bad-rubric', where })] }),
    )
  })
})
