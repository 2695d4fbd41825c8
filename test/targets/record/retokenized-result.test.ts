import { describe, expect, it } from 'vitest'
import type { HelmRequest } from '../../../targets/record/request-state.ts'
import { retokenizedResult } from '../../../targets/stages/reply-reader.ts'
import type { StoredCompletion } from '../../../targets/record/completion.ts'
import { loadTokenizer } from '../../../models/tokenizers/tokenizer.ts'

const stored = (text: string): StoredCompletion => ({
  key: {},
  reply: { choices: [{ text, finishReason: 'stop' }] },
  requestTime: 1,
  requestDatetime: 2,
  attempts: 1,
})

const cut = async (text: string, request: Pick<HelmRequest, 'stopSequences' | 'maxTokens'>) => {
  const tokenizer = await loadTokenizer({ tokenizerName: 'openai/cl100k_base' })
  if (tokenizer === undefined) throw new Error('no tokenizer')
  const result = retokenizedResult(stored(text), request, tokenizer, false)
  return result.kind === 'done' ? result.value.completions[0] : result
}

describe('a reply under medhelm-0.8', () => {
  it('keeps its text and finish reason where it is short enough, and shows its tokens', async () => {
    expect(await cut('A.', { stopSequences: [], maxTokens: 5 })).toEqual({
      text: 'A.',
      logprob: 0,
      tokens: [
        { text: 'A', logprob: 0 },
        { text: '.', logprob: 0 },
      ],
      finishReason: 'stop',
    })
  })

  it('loses what is beyond its tokens, and its finish reason', async () => {
    expect(await cut('A.', { stopSequences: [], maxTokens: 1 })).toEqual({
      text: 'A',
      logprob: 0,
      tokens: [{ text: 'A', logprob: 0 }],
    })
  })

  it('ends before the token that begins with a stop sequence, in text and tokens', async () => {
    const found = await cut('A\nB', { stopSequences: ['\n'], maxTokens: 5 })
    expect(found).toEqual({ text: 'A', logprob: 0, tokens: [{ text: 'A', logprob: 0 }] })
  })

  it('gets text behind a stop sequence back where the stop lies within a token', async () => {
    const reply = 'B.\n\nThe answer is B because of X'
    expect(await cut(reply, { stopSequences: ['\n'], maxTokens: 5 })).toMatchObject({
      text: 'B.\n\nThe answer is',
    })
    const long = 'B) yes.\nmore text here and more'
    expect(await cut(long, { stopSequences: ['\n'], maxTokens: 3 })).toMatchObject({ text: 'B) yes' })
  })

  it('shows the parts of a character that is cut by tokens as U+FFFD', async () => {
    const found = await cut('🩻', { stopSequences: [], maxTokens: 1 })
    expect(found).toMatchObject({ text: '\uFFFD' })
  })

  it('that is empty has no tokens', async () => {
    expect(await cut('', { stopSequences: [], maxTokens: 1 })).toMatchObject({ text: '', tokens: [] })
  })

  it('fails where the tokenizer refuses its text', async () => {
    expect(await cut('so <|endoftext|>', { stopSequences: [], maxTokens: 9 })).toMatchObject({
      kind: 'failed',
      cause: { code: 'completions/special-token' },
    })
  })
})
