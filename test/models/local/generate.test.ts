import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  batchNoise,
  generate,
  generateTogether,
  type GeneratedTokens,
  type Generation,
} from '../../../models/local/generate.ts'
import { openOnnxDecoder } from '../../../models/local/onnx-decoder.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { END, writeTinyLlama } from '../../rig/tiny-llama.ts'

const tiny = async () => {
  const folder = temporaryFolder()
  writeTinyLlama(folder)
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as Record<string, unknown>
  return openOnnxDecoder(join(folder, 'onnx/model.onnx'), { device: 'cpu', threads: 1, config })
}

const wanted = (prompt: readonly number[], maxTokens = 40): Generation => ({
  prompt,
  maxTokens,
  sampling: { temperature: 0, topP: 1, topK: 50, repetitionPenalty: 1 },
  eos: new Set([END]),
  draw: () => 0,
  stopped: () => false,
  signal: new AbortController().signal,
})

const text = (length: number, step: number): readonly number[] =>
  Array.from({ length }, (_, index) => 32 + ((index * step) % 90))

test('a prompt that is read in parts gives the logits of one that is read whole', async () => {
  const decoder = await tiny()
  const prompt = text(300, 7)
  const whole = await decoder.step({ ids: [prompt], padding: [0] })
  const [{ id, logprob } = { id: -1, logprob: 0 }] = (await generate(decoder, wanted(prompt, 1))).tokens
  const logits = whole.logits[0] ?? new Float32Array()
  expect(id).toBe(logits.indexOf(Math.max(...logits)))
  const sum = logits.reduce((total, logit) => total + Math.exp(logit), 0)
  expect(logprob).toBeCloseTo((logits[id] ?? 0) - Math.log(sum), 4)
})

test('tokens that come one at a time see what they would see at once', async () => {
  const decoder = await tiny()
  const prompt = text(20, 3)
  const { tokens } = await generate(decoder, wanted(prompt, 12))
  const ids = tokens.map(({ id }) => id)
  for (const [index, id] of ids.entries()) {
    const { logits } = await decoder.step({ ids: [[...prompt, ...ids.slice(0, index)]], padding: [0] })
    expect(logits[0]?.indexOf(Math.max(...logits[0]))).toBe(id)
  }
})

test('padding and company move no logit by more than rounding, and no token', async () => {
  const decoder = await tiny()
  expect(await batchNoise(decoder, text(30, 11))).toBeLessThan(1e-4)
  const all = [wanted(text(3, 5)), wanted(text(61, 7), 5), wanted(text(17, 13)), wanted(text(90, 3), 0)]
  const together: (GeneratedTokens | undefined)[] = []
  await generateTogether(decoder, all, 0, (index, generated) => (together[index] = generated))
  for (const [index, each] of all.entries()) {
    const alone = await generate(decoder, each)
    expect(together[index]?.tokens.map(({ id }) => id)).toEqual(alone.tokens.map(({ id }) => id))
    expect(together[index]?.finish).toBe(alone.finish)
  }
})
