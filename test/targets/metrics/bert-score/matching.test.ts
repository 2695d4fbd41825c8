import { describe, expect, it } from 'vitest'
import type { Embedding, Encoder } from '../../../../models/encoders/encoder.ts'
import {
  createBertScorer,
  type BertScoreOptions,
  greedyMatch,
} from '../../../../targets/metrics/bert-score/bert-score.ts'
import { scoreSummary } from '../../../../targets/metrics/bert-score/score-summary.ts'
import { sampleState } from '../sample-state.ts'

const vectors = (...rows: readonly (readonly number[])[]): Embedding => ({
  values: Float32Array.from(rows.flat()),
  size: rows[0]?.length ?? 0,
})

describe('greedy matching', () => {
  const candidate = { embedding: vectors([1, 0], [0, 2], [3, 4]), weights: [0, 1, 3] }
  const reference = { embedding: vectors([1, 0], [0, 1], [0, -1], [2, 0]), weights: [0, 1, 1, 0] }

  it('takes each token by the cosine with its nearest on the other side, by weight', () => {
    const { precision, recall, f1 } = greedyMatch(candidate, reference)
    // (0, 2) is (0, 1); (3, 4) is 0.8 of (0, 1): (1 + 3 · 0.8) / 4.
    expect(precision).toBeCloseTo(0.85, 6)
    // (0, 1) is found; of (0, −1) the nearest is (1, 0): (1 + 0) / 2.
    expect(recall).toBeCloseTo(0.5, 6)
    expect(f1).toBeCloseTo((2 * 0.85 * 0.5) / 1.35, 6)
  })

  it('has nothing of a text of boundaries alone, and no precision of tokens without weight', () => {
    const bare = { embedding: vectors([1, 0], [0, 1]), weights: [1, 1] }
    const nothing = { precision: 0, recall: 0, f1: 0 }
    expect([greedyMatch(bare, reference), greedyMatch(candidate, bare)]).toEqual([nothing, nothing])
    expect(
      greedyMatch({ embedding: { values: new Float32Array(), size: 0 }, weights: [] }, reference),
    ).toEqual(nothing)
    expect(greedyMatch({ ...candidate, weights: [0, 0, 0] }, reference)).toMatchObject({
      precision: NaN,
      f1: 0,
    })
    const opposite = { embedding: vectors([-1, 0], [-1, 0], [-1, 0]), weights: [1, 1, 1] }
    const one = { embedding: vectors([1, 0], [1, 0], [1, 0]), weights: [1, 1, 1] }
    expect(greedyMatch(opposite, one)).toMatchObject({ precision: -1, recall: -1 })
  })
})

describe('a scorer', () => {
  /** Letters as tokens: a is (1, 0), b (0, 1), any other (1, 1); 0 opens and closes. */
  const embedded: string[] = []
  const encoder: Encoder = {
    boundaries: new Set([0]),
    tokenize: (text) => [0, ...Array.from(text, (letter) => letter.charCodeAt(0)), 0],
    embed: async (sequences) =>
      sequences.map((ids) => {
        embedded.push(String.fromCharCode(...ids.filter((id) => id > 0)))
        return vectors(...ids.map((id) => (id === 97 ? [1, 0] : id === 98 ? [0, 1] : [1, 1])))
      }),
    close: async () => {},
  }
  const scorer = (options: BertScoreOptions = {}) => {
    const kept = new Map<string, Embedding>()
    return createBertScorer(encoder, options, {
      get: (ids) => kept.get(ids.join()),
      put: async (ids, embedding) => void kept.set(ids.join(), embedding),
    })
  }

  it('takes the best of several references part by part, and embeds each of them once', async () => {
    const score = scorer()
    embedded.length = 0
    // Cosines: a with b 0, but the boundaries (1, 1) are 0.7071 of either.
    const half = Math.SQRT1_2
    expect(await score(' a ', ['b'])).toMatchObject({
      precision: expect.closeTo(half, 6),
      recall: expect.closeTo(half, 6),
    })
    expect(await score('ab', ['a', 'b'])).toMatchObject({
      precision: expect.closeTo((1 + half) / 2, 6),
      recall: expect.closeTo(1, 6),
    })
    expect(embedded).toEqual(['a', 'b', 'ab', 'a'])
    await expect(score('a', [])).rejects.toThrow('BERTScore needs a reference')
  })

  it('weighs by rarity, and rescales by what unrelated texts score', async () => {
    const idf = {
      default: 2,
      weights: new Map([
        [0, 0],
        [97, 6],
      ]),
    }
    const half = Math.SQRT1_2
    // a weighs 6 and is found, b the default 2 and is half found.
    const { precision } = await scorer({ idf })('ab', ['a'])
    expect(precision).toBeCloseTo((6 + 2 * half) / 8, 6)
    const baseline = { precision: 0.5, recall: 0.2, f1: 0 }
    expect(await scorer({ baseline })('a', ['b'])).toMatchObject({
      precision: expect.closeTo((half - 0.5) / 0.5, 6),
      recall: expect.closeTo((half - 0.2) / 0.8, 6),
      f1: expect.closeTo(half, 6),
    })
  })

  it('leaves a part out that is no number, and tells', async () => {
    const state = sampleState({ golds: ['Rest.'], answers: ['Rest.'] })
    const found = await scoreSummary(state, async () => ({ precision: NaN, recall: 0.5, f1: 0 }))
    expect(found.points.map(({ name, value }) => [name, value])).toEqual([
      ['BERTScore-R', 0.5],
      ['BERTScore-F', 0],
    ])
    expect(found.failures.map(({ part, cause }) => [part, cause.code])).toEqual([
      ['BERTScore-P', 'bert-score/no-weight'],
    ])
  })
})
