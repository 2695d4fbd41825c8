import { describe, expect, it } from 'vitest'
import { ceilingOf, costOf } from '../../../models/prices/price.ts'

const PRICE = { input: 1.25, cachedInput: 0.125, output: 10 }

describe('the cost of calls', () => {
  it('is charged per million tokens', () => {
    expect(costOf(PRICE, { inputTokens: 2_000_000, outputTokens: 300_000 })).toBe(5.5)
    expect(costOf(PRICE, { inputTokens: 0, outputTokens: 0 })).toBe(0)
  })

  it('counts cached tokens once, at their own price', () => {
    const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 0 }
    expect(costOf(PRICE, usage)).toBeCloseTo(0.75 + 0.05, 12)
  })

  it('charges cached tokens in full where the provider grants no discount', () => {
    const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 0 }
    expect(costOf({ input: 3, output: 15 }, usage)).toBeCloseTo(3, 12)
  })
})

/** Rows of MedHELM's costs by benchmark (som-shahlab/medhelm, data/costs.csv), for Claude 3.5 Sonnet: USD to the cent. */
const PUBLISHED = [
  { benchmark: 'ACIBench', input: 200_887, replies: 120, longest: 768, cost: [0.6, 1.38] },
  { benchmark: 'DischargeMe', input: 3_668_270, replies: 1000, longest: 300, cost: [11, 4.5] },
  { benchmark: 'EHR-SQL', input: 1_126_031, replies: 1000, longest: 1024, cost: [3.38, 15.36] },
  { benchmark: 'Medec', input: 191_349, replies: 597, longest: 256, cost: [0.57, 2.29] },
] as const

describe("the ceiling of MedHELM's Table 3", () => {
  it.each(PUBLISHED)(
    'charges every reply of $benchmark at its longest',
    ({ input, replies, longest, cost }) => {
      const price = { input: 3, output: 15 }
      const [prompts, answers] = cost
      expect(ceilingOf(price, { inputTokens: input, maxTokens: 0 })).toBeCloseTo(prompts, 2)
      expect(ceilingOf(price, { inputTokens: 0, maxTokens: replies * longest })).toBeCloseTo(answers, 2)
    },
  )

  it('takes no discount for cached prompts', () => {
    expect(ceilingOf(PRICE, { inputTokens: 1_000_000, maxTokens: 100_000 })).toBe(2.25)
  })
})
