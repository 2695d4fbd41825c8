import { expect, test } from 'vitest'
import { measureAgreement } from '../../../../targets/jury/study/agreement.ts'
import type { Rating } from '../../../../targets/jury/study/ratings.ts'

test('Agreement of four judges about six targets is that of Shrout and Fleiss, each figure under its own name', () => {
  const rows = ['9 2 5 8', '6 1 3 2', '8 4 6 8', '7 1 2 6', '10 5 6 9', '6 2 4 7']
  const ratings = rows.flatMap((row, at) =>
    row.split(' ').map((score, rater): Rating => ({
      rater: `r${rater}`,
      benchmark: 'demo',
      instance: `i${at}`,
      model: 'm',
      scores: [Number(score)],
      jury: [3],
      metrics: new Map(),
    })),
  )
  const [found] = measureAgreement(ratings, 'text', 200)
  const { icc1, icc2, alpha } = found?.clinicians ?? {}
  expect([icc1?.value, icc2?.value]).toEqual([expect.closeTo(0.1657, 4), expect.closeTo(0.2898, 4)])
  // Krippendorff’s for an interval scale: 1 less the mean squared difference within targets over that of all scores.
  expect(alpha?.value).toBeCloseTo(0.14730785039046446, 12)
  // Six sources are enough for an interval about each.
  for (const each of [icc1, icc2, alpha]) {
    expect(each?.interval?.low).toBeLessThan(each?.value ?? NaN)
    expect(each?.interval?.high).toBeGreaterThan(each?.value ?? NaN)
  }
})
