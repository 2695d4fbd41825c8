import { describe, expect, it } from 'vitest'
import { juryBias } from '../../../targets/statistics/agreement/jury-bias.ts'

describe('what a jury gives more than clinicians', () => {
  const ratings = {
    scores: [
      [3, 4, 2, null, 5],
      [4, null, 2, 3, 4],
    ],
    jury: [4, 4, 4, 4, null],
  }

  it('is a mean of differences by answer, with limits of 1.96 standard deviations', () => {
    // Differences 0.5, 0, 2, 1: their mean is 0.875, their standard deviation 0.8539.
    const found = juryBias(ratings, 0.95)
    expect(found?.value).toBeCloseTo(0.875, 12)
    expect(found?.limits?.low).toBeCloseTo(-0.798638, 5)
    expect(found?.limits?.high).toBeCloseTo(2.548638, 5)
    expect(found?.interval?.low).toBeCloseTo(-0.483765, 5)
    expect(found?.interval?.high).toBeCloseTo(2.233765, 5)
  })

  it('has an interval over sources, and none of one source, one answer or of equal differences', () => {
    const shared = juryBias({ ...ratings, sources: ['p', 'p', 'q', 'q', 'q'] }, 0.95)
    const apart = juryBias(ratings, 0.95)
    expect(shared?.value).toBeCloseTo(0.875, 12)
    expect((shared?.interval?.high ?? 0) > (apart?.interval?.high ?? 0)).toBe(true)
    expect(juryBias({ ...ratings, sources: ['p', 'p', 'p', 'p', 'q'] }, 0.95)?.interval).toBeNull()
    expect(juryBias({ scores: [[3]], jury: [4] }, 0.95)).toEqual({ value: 1, interval: null, limits: null })
    expect(juryBias({ scores: [[3, 4]], jury: [4, 5] }, 0.95)).toEqual({
      value: 1,
      interval: null,
      limits: { low: 1, high: 1 },
    })
    expect(juryBias({ scores: [[null]], jury: [4] }, 0.95)).toBeNull()
  })
})
