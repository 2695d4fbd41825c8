import { describe, expect, test } from 'vitest'
import type { Choice } from '../../../models/calls/client.ts'
import { replyCause } from '../../../targets/walk/collect/run-tally.ts'

const causeOf = (choice: Partial<Choice>, answer = choice.text ?? ''): string | undefined =>
  replyCause({ choices: [{ text: '', finishReason: 'stop', ...choice }] }, answer)

describe('the cause that a reply names', () => {
  test('is none for a whole answer', () => {
    expect(causeOf({ text: 'yes' })).toBeUndefined()
    expect(causeOf({ text: 'yes', finishReason: null })).toBeUndefined()
  })

  test.each(['length', 'max_tokens', 'MAX_TOKENS', 'model_length'])(
    'is truncated where it ends with %s',
    (finishReason) => {
      expect(causeOf({ text: 'ye', finishReason })).toBe('truncated')
    },
  )

  test('is refused by the filter or in the words of the model, with or without text', () => {
    expect(causeOf({ text: 'The dose is', finishReason: 'content_filter' })).toBe('refused')
    expect(causeOf({ finishReason: 'PROHIBITED_CONTENT' })).toBe('refused')
    expect(causeOf({ finishReason: 'content_filter: SAFETY' })).toBe('refused')
    expect(causeOf({ refusal: 'I cannot help.' })).toBe('refused')
  })

  test('is empty where only blanks are left before the stop sequence', () => {
    expect(causeOf({ text: ' \n' })).toBe('empty-completion')
    expect(causeOf({ text: '\nyes' }, '')).toBe('empty-completion')
  })

  test('is what explains the others: all thought and no answer is truncated, not empty', () => {
    expect(causeOf({ thinking: 'hm', finishReason: 'length' })).toBe('truncated')
    expect(causeOf({ refusal: 'no', finishReason: 'length' })).toBe('refused')
  })

  test('is that of any completion', () => {
    const choices = [
      { text: 'a', finishReason: 'stop' },
      { text: 'b', finishReason: 'length' },
    ]
    expect(replyCause({ choices }, 'a')).toBe('truncated')
  })
})
