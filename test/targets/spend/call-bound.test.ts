import { describe, expect, it } from 'vitest'
import { loadTokenizer } from '../../../models/tokenizers/tokenizer.ts'
import { callCeiling, inputBound, outputBound } from '../../../targets/spend/spending.ts'

const request = (content: string, maxTokens = 10, n = 1) => ({
  messages: [{ role: 'user' as const, content }],
  maxTokens,
  n,
})
const deployment = (args: Readonly<Record<string, unknown>> = {}) => ({
  client: { className: 'medmake.chat', args },
})

describe('the most a call can cost', () => {
  it('takes a byte for a token where no tokenizer is at hand', () => {
    expect(inputBound(request('für'), undefined)).toBe(4 + 64)
  })

  it('counts tokens where there is one', async () => {
    const tokenizer = await loadTokenizer({ tokenizerName: 'openai/cl100k_base' })
    expect(inputBound(request('hello world'), tokenizer)).toBe(2 + 64)
  })

  it('takes each of several answers at its longest', () => {
    expect(outputBound(request('', 10, 3), deployment())).toBe(30)
  })

  it('heeds a deployment that asks for longer or more answers', () => {
    expect(outputBound(request('', 10), deployment({ body: { max_completion_tokens: 500, n: 2 } }))).toBe(
      1000,
    )
    const asking = (name: string): number =>
      outputBound(request('', 10), deployment({ body: { [name]: 500 } }))
    expect(['max_tokens', 'max_output_tokens', 'max_words'].map(asking)).toEqual([500, 500, 10])
  })

  it('is nothing where nothing is charged', () => {
    expect(callCeiling(request('text'), deployment(), { input: 0, output: 0 }, undefined)).toBe(0)
  })

  it('is never nothing where one side is charged', () => {
    const of = (input: number, output: number): number =>
      callCeiling(request('', 100), deployment(), { input, output }, undefined)
    expect([of(10, 0), of(0, 20)]).toEqual([(64 * 10) / 1e6, (100 * 20) / 1e6])
  })

  it('counts no prompt where nothing is charged', () => {
    const never = { count: () => expect.fail('it was counted') } as never
    expect(callCeiling(request('text'), deployment(), { input: 0, output: 0 }, never)).toBe(0)
  })

  it('charges both sides per million tokens', () => {
    expect(callCeiling(request('', 100), deployment(), { input: 10, output: 20 }, undefined)).toBeCloseTo(
      (64 * 10 + 100 * 20) / 1e6,
      12,
    )
  })
})
