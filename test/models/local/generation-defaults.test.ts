import { expect, test } from 'vitest'
import { generationDefaults } from '../../../models/local/generation-defaults.ts'
import { problemOf } from '../../rig/problem-of.ts'

test('what a model says of itself is taken, else what transformers takes', () => {
  expect(generationDefaults({ eos_token_id: 2, max_position_embeddings: 8192 }, {}, '')).toEqual({
    eos: new Set([2]),
    topK: 50,
    repetitionPenalty: 1,
    context: 8192,
  })
  const qwen = { eos_token_id: [5, 6], top_k: 20, repetition_penalty: 1.05, temperature: 0.7, top_p: 0.8 }
  expect(generationDefaults({ eos_token_id: 2 }, qwen, '')).toEqual({
    eos: new Set([5, 6]),
    topK: 20,
    repetitionPenalty: 1.05,
  })
})

test('neutral settings do nothing, others that can’t be kept are refused by name', async () => {
  const read = (generation: Readonly<Record<string, unknown>>) =>
    generationDefaults({ eos_token_id: 2 }, generation, 'm')
  expect(read({ no_repeat_ngram_size: 0, num_beams: 1, suppress_tokens: [], min_length: null }).topK).toBe(50)
  expect(await problemOf(() => read({ no_repeat_ngram_size: 3 }))).toMatchObject({
    code: 'models/local-config',
    where: { file: 'm/generation_config.json', field: 'no_repeat_ngram_size' },
  })
  expect((await problemOf(() => read({ num_beams: 4 })))?.message).toContain('num_beams')
})

test('a model without a token that ends an answer is refused', async () => {
  expect(await problemOf(() => generationDefaults({}, {}, 'm'))).toMatchObject({
    where: { field: 'eos_token_id' },
  })
})
