import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseToken, type Sampling } from '../../../models/local/choose-token.ts'

const greedy: Sampling = { temperature: 0, topP: 1, topK: 50, repetitionPenalty: 1 }
const logits = Float32Array.of(1, 3, 2.5, 3, -1)

describe('at temperature 0', () => {
  test('the likeliest token is taken, of equals the first, and the lead over the next is told', () => {
    expect(chooseToken(logits, [], greedy, 0)).toMatchObject({ id: 1, lead: 0, drawnLogprob: 0 })
    expect(chooseToken(Float32Array.of(0, 2, 1.5), [], greedy, 0)).toMatchObject({ id: 1, lead: 0.5 })
  })

  test('HELM’s 1e-7 is the same', () => {
    expect(chooseToken(logits, [], { ...greedy, temperature: 1e-7 }, 0.99).id).toBe(1)
  })

  test('tokens that were said are penalised: positive logits divided, negative ones multiplied', () => {
    const penalty = { ...greedy, repetitionPenalty: 2 }
    expect(chooseToken(Float32Array.of(3, 2), [0], penalty, 0)).toMatchObject({ id: 1, lead: 0.5 })
    expect(chooseToken(Float32Array.of(-1, -1.5), [0, 0], penalty, 0)).toMatchObject({ id: 1, lead: 0.5 })
  })

  test('the log probability is the model’s own', () => {
    expect(chooseToken(Float32Array.of(0, Math.log(3)), [], greedy, 0).logprob).toBeCloseTo(Math.log(0.75), 6)
    const penalty = { ...greedy, repetitionPenalty: 2 }
    expect(chooseToken(Float32Array.of(0, Math.log(9)), [1], penalty, 0)).toMatchObject({
      id: 1,
      logprob: expect.closeTo(Math.log(0.9), 6) as number,
    })
  })
})

describe('drawn', () => {
  const warm: Sampling = { temperature: 1, topP: 1, topK: 0, repetitionPenalty: 1 }
  const shares = (sampling: Sampling, from: Float32Array, trials = 4000): readonly number[] => {
    const counts = Array.from(from, () => 0)
    for (let trial = 0; trial < trials; trial += 1) {
      const { id } = chooseToken(from, [], sampling, (trial + 0.5) / trials)
      counts[id] = (counts[id] ?? 0) + 1
    }
    return counts.map((count) => count / trials)
  }
  const quarters = Float32Array.from([0.5, 0.25, 0.15, 0.1].map(Math.log))

  test('every token has the share that softmax gives it', () => {
    for (const [id, share] of shares(warm, quarters).entries())
      expect(share).toBeCloseTo([0.5, 0.25, 0.15, 0.1][id] ?? 0, 3)
  })

  test('top-k leaves the k likeliest and what ties with the last of them', () => {
    expect(shares({ ...warm, topK: 1 }, quarters)).toEqual([1, 0, 0, 0])
    expect(shares({ ...warm, topK: 1 }, Float32Array.of(1, 1, 0))).toEqual([0.5, 0.5, 0])
  })

  test('top-p leaves the fewest that reach it', () => {
    expect(shares({ ...warm, topP: 0.6 }, quarters).map((share) => share > 0)).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(shares({ ...warm, topP: 0.01 }, quarters)).toEqual([1, 0, 0, 0])
    // One of two equal ones reaches a half.
    expect(shares({ ...warm, topP: 0.5 }, Float32Array.of(2, 2))).toEqual([1, 0])
  })

  test('a draw where two tokens meet is the second’s', () => {
    const drawn = (draw: number) => chooseToken(Float32Array.of(2, 2), [], warm, draw).id
    expect([0, 0.49, 0.5, 0.99].map(drawn)).toEqual([0, 0, 1, 1])
  })

  test('a low temperature sharpens, a high one levels', () => {
    const [cold = 0] = shares({ ...warm, temperature: 0.5 }, quarters)
    const [hot = 0] = shares({ ...warm, temperature: 2 }, quarters)
    expect(cold).toBeCloseTo(0.25 / 0.345, 3)
    expect(hot).toBeLessThan(0.4)
  })

  test('the drawn log probability is that of what was left', () => {
    expect(chooseToken(quarters, [], { ...warm, topK: 2 }, 0).drawnLogprob).toBeCloseTo(Math.log(2 / 3), 6)
  })

  test('any draw below 1 gives a token that is there', () => {
    fc.assert(
      fc.property(
        fc.array(fc.float({ min: -30, max: 30, noNaN: true }), { minLength: 1, maxLength: 30 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 0, max: 40 }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (scores, draw, topK, topP) => {
          const { id } = chooseToken(Float32Array.from(scores), [], { ...warm, topK, topP }, draw)
          expect(id).toBeGreaterThanOrEqual(0)
          expect(id).toBeLessThan(scores.length)
        },
      ),
    )
  })
})
