import { expect, test } from 'vitest'
import { cutToScale, ranksByClinicians, shownScore } from '../../../../targets/jury/study/calibrated-score.ts'

const COUNTS = { labels: 40, unlabelled: 60, raw: 4, sample: 'random' as const }
const shown = (estimate: number, low: number, high: number) =>
  shownScore(COUNTS, { estimate, interval: { low, high }, lambda: 1 }, [1, 5])

test('An interval is cut to the scale, and left out where nothing of it lies within: an end alone would look sure.', () => {
  expect(shown(4.9, 4.7, 5.1)).toMatchObject({ value: 4.9, interval: { low: 4.7, high: 5 } })
  expect(shown(5.2, 4.9, 5.5)).toMatchObject({ value: 5, interval: { low: 4.9, high: 5 } })
  for (const [estimate, low, high, value] of [
    [5.3, 5.1, 5.5, 5],
    [5.2, 5, 5.4, 5],
    [0.7, 0.5, 0.9, 1],
  ] as const) {
    const found = shown(estimate, low, high)
    expect(found).toMatchObject({ value, interval: null })
    expect(found.reason).toContain('beyond the scale')
  }
  expect(shown(4.9, 4.9, 4.9).reason).toBe('the labels have no spread')
})

test('A mean that is known to its last digit, since all were rated, keeps its end of the scale.', () => {
  expect(cutToScale({ low: 5, high: 5 }, [1, 5])).toEqual({ low: 5, high: 5 })
  expect(cutToScale({ low: 5, high: 5.1 }, [1, 5])).toBeNull()
})

test('Places by what clinicians give are shared where only rounding parts scores, and want twenty labels of each model.', () => {
  const of = (value: number, labels = 20) => ({ value, labels, interval: { low: 1, high: 5 } })
  expect(ranksByClinicians([of(0.1 + 0.2), of(0.3), of(0.5)])).toEqual([2, 2, 1])
  expect(ranksByClinicians([of(3), of(4, 19)])).toBeUndefined()
})
