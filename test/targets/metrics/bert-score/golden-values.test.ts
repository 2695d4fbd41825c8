import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openOnnxEncoder } from '../../../../models/encoders/onnx-encoder.ts'
import type { Encoder } from '../../../../models/encoders/encoder.ts'
import {
  createBertScorer,
  type BertScoreOptions,
  type EmbeddingCache,
  type BertScore,
} from '../../../../targets/metrics/bert-score/bert-score.ts'
import { shared } from '../../../rig/shared.ts'

const folder = shared('golden/metrics/bert-score')

type Triple = readonly (number | null)[]

interface Row {
  readonly id: number
  readonly c: string
  readonly r?: string
  readonly refs?: readonly string[]
  readonly c_ids?: readonly number[]
  readonly r_ids?: readonly number[]
  readonly layer1?: Triple
  readonly layer3?: Triple
  readonly layer1_idf?: Triple
  readonly layer3_idf?: Triple
}

const rows = (name: string): readonly Row[] =>
  readFileSync(join(folder ?? '', name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)

const open = (layer: number): Promise<Encoder> =>
  openOnnxEncoder(
    {
      model: join(folder ?? '', 'model.onnx'),
      tokenizer: join(folder ?? '', 'tokenizer.json'),
      tokenizerConfig: join(folder ?? '', 'tokenizer_config.json'),
    },
    { layer, device: 'cpu' },
  )

const NO_CACHE: EmbeddingCache = { get: () => undefined, put: () => Promise.resolve() }

const idf = (): BertScoreOptions => {
  const file = JSON.parse(readFileSync(join(folder ?? '', 'idf.json'), 'utf8')) as {
    default: number
    idf: Record<string, number>
  }
  return {
    idf: {
      default: file.default,
      weights: new Map(Object.entries(file.idf).map(([id, weight]) => [Number(id), weight])),
    },
  }
}

/** How far apart two scores are at most; a NaN has to be one in both. */
const distance = ({ precision, recall, f1 }: BertScore, golden: Triple): number =>
  Math.max(
    ...[precision, recall, f1].map((value, index) => {
      const wanted = golden[index] ?? null
      if (wanted === null || Number.isNaN(value)) return wanted === null && Number.isNaN(value) ? 0 : Infinity
      return Math.abs(value - wanted)
    }),
  )

describe.skipIf(folder === undefined)('BERTScore', () => {
  test.each([
    ['layer1', 1, false],
    ['layer3', 3, false],
    ['layer1_idf', 1, true],
    ['layer3_idf', 3, true],
  ] as const)('is that of bert_score within 2e-5: %s', async (field, layer, weighted) => {
    const encoder = await open(layer)
    const score = createBertScorer(encoder, weighted ? idf() : {}, NO_CACHE)
    let worst = 0
    for (const row of rows('values.jsonl')) {
      const golden = row[field]
      if (golden === undefined) continue
      const off = distance(await score(row.c, [row.r ?? '']), golden)
      expect(off, JSON.stringify(row).slice(0, 200)).toBeLessThan(2e-5)
      worst = Math.max(worst, off)
    }
    expect(worst).toBeLessThan(2e-6)
    await encoder.close()
  })

  test('takes the best of several references for each of the three', async () => {
    for (const [field, layer] of [
      ['layer1', 1],
      ['layer3', 3],
    ] as const) {
      const encoder = await open(layer)
      const score = createBertScorer(encoder, {}, NO_CACHE)
      for (const row of rows('values-references.jsonl')) {
        const golden = row[field]
        if (golden !== undefined)
          expect(distance(await score(row.c, row.refs ?? []), golden), String(row.id)).toBeLessThan(2e-5)
      }
      await encoder.close()
    }
  })

  test('cuts texts into the tokens that transformers cuts them into', async () => {
    const encoder = await open(1)
    for (const { c, r, c_ids: candidate, r_ids: reference } of rows('values.jsonl')) {
      expect(encoder.tokenize(c.trim())).toEqual(candidate)
      expect(encoder.tokenize((r ?? '').trim())).toEqual(reference)
    }
    await encoder.close()
  })

  test('gives a text the same vectors to the last bit in whatever company it is', async () => {
    const encoder = await open(3)
    const all = rows('values.jsonl')
      .slice(0, 60)
      .map(({ c }) => encoder.tokenize(c))
    const together = await encoder.embed(all)
    for (const [index, ids] of all.entries()) expect(await encoder.embed([ids])).toEqual([together[index]])
    await encoder.close()
  })

  test('embeds a reference once', async () => {
    const encoder = await open(1)
    const kept = new Map<string, Parameters<EmbeddingCache['put']>[1]>()
    const cache: EmbeddingCache = {
      get: (ids) => kept.get(ids.join()),
      put: (ids, embedding) => Promise.resolve(void kept.set(ids.join(), embedding)),
    }
    const score = createBertScorer(encoder, {}, cache)
    const first = await score('the patient has a fever', ['the patient is febrile', 'no fever'])
    expect(kept.size).toBe(2)
    expect(await score('the patient has a fever', ['the patient is febrile', 'no fever'])).toEqual(first)
    expect(kept.size).toBe(2)
    await encoder.close()
  })

  test('is 0 at the baseline once rescaled', async () => {
    const encoder = await open(1)
    const plain = await createBertScorer(encoder, {}, NO_CACHE)('one text', ['another text'])
    const baseline = { ...plain, recall: 0.5 }
    const scaled = await createBertScorer(encoder, { baseline }, NO_CACHE)('one text', ['another text'])
    expect(scaled).toEqual({ precision: 0, recall: (plain.recall - 0.5) / 0.5, f1: 0 })
    await encoder.close()
  })

  test('of a layer that the model lacks is a problem with a remedy', async () => {
    await expect(open(9)).rejects.toThrow(/hidden_states.9/)
  })
})
