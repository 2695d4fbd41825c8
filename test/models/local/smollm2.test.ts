import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Message } from '../../../models/calls/client.ts'
import { createBatches } from '../../../models/local/batches.ts'
import { chatTemplate } from '../../../models/local/chat-template.ts'
import { generate, type Generation } from '../../../models/local/generate.ts'
import type { Decoder } from '../../../models/local/decoder.ts'
import { openOnnxDecoder } from '../../../models/local/onnx-decoder.ts'
import { loadHuggingFaceTokenizer } from '../../../models/tokenizers/hugging-face.ts'
import { shared } from '../../rig/shared.ts'

interface Expected {
  readonly max_new_tokens: number
  readonly prompts: readonly {
    readonly id: string
    readonly messages: readonly Message[]
    readonly rendered: string
    readonly input_ids: readonly number[]
    readonly first_step_top5: readonly {
      readonly id: number
      readonly logit: number
      readonly logprob: number
    }[]
    readonly output_ids: readonly number[]
    readonly output_text: string
    readonly finish: 'eos' | 'length'
  }[]
}

const folder = shared('models/smollm2-135m-instruct')
const signal = new AbortController().signal
const EOS = 2

const read = (name: string): unknown => JSON.parse(readFileSync(join(folder ?? '', name), 'utf8'))

// The model lies beside the repository.
describe.skipIf(folder === undefined)('SmolLM2, 135 M', { timeout: 120_000 }, () => {
  const expected = folder === undefined ? undefined : (read('expected.json') as Expected)
  const prompts = expected?.prompts ?? []
  const generation = (prompt: readonly number[]): Generation => ({
    prompt,
    maxTokens: expected?.max_new_tokens ?? 0,
    sampling: { temperature: 0, topP: 1, topK: 50, repetitionPenalty: 1 },
    eos: new Set([EOS]),
    draw: () => 0,
    stopped: () => false,
    signal,
  })
  // To open it takes as long as all that it computes here.
  let opening: Promise<Decoder> | undefined
  const open = (): Promise<Decoder> =>
    (opening ??= openOnnxDecoder(join(folder ?? '', 'onnx/model_q4.onnx'), {
      device: 'cpu',
      config: read('config.json') as Record<string, unknown>,
    }))
  afterAll(async () => (await opening)?.close())

  test('renders, cuts, computes and decodes as its reference does, token by token', async () => {
    const tokenizer = await loadHuggingFaceTokenizer(folder ?? '')
    const render = chatTemplate(tokenizer.config, undefined, folder ?? '')
    const decoder = await open()
    for (const prompt of prompts) {
      const rendered = render?.(prompt.messages) ?? ''
      expect(rendered).toBe(prompt.rendered)
      expect(tokenizer.encode(rendered)).toEqual(prompt.input_ids)
      const { logits } = await decoder.step({ ids: [prompt.input_ids], padding: [0] })
      for (const { id, logit } of prompt.first_step_top5)
        expect(Math.abs((logits[0]?.[id] ?? 0) - logit)).toBeLessThan(1e-3)
      // The long ones are computed to their ends below, in one batch.
      if (prompt.output_ids.length > 5) continue
      const { tokens, finish } = await generate(decoder, generation(prompt.input_ids))
      const ended = finish === 'stop' ? [EOS] : []
      expect([...tokens.map(({ id }) => id), ...ended]).toEqual(prompt.output_ids)
      const [first] = tokens
      const reference = prompt.first_step_top5.find(({ id }) => id === first?.id)
      expect(Math.abs((first?.logprob ?? 0) - (reference?.logprob ?? 0))).toBeLessThan(1e-3)
    }
  })

  test('answers six prompts in one batch as it answers them one by one', async () => {
    const batches = createBatches(await open(), 8)
    const tokenizer = await loadHuggingFaceTokenizer(folder ?? '')
    const made = await Promise.all(prompts.map((prompt) => batches.answer(generation(prompt.input_ids))))
    for (const [index, { output_text, output_ids, finish }] of prompts.entries()) {
      const ids = made[index]?.tokens.map(({ id }) => id) ?? []
      expect(ids).toEqual(output_ids.filter((id) => id !== EOS))
      expect(tokenizer.decode(ids)).toBe(output_text)
      expect(made[index]?.finish).toBe(finish === 'eos' ? 'stop' : 'length')
    }
  })
})
