import { expect, test } from 'vitest'
import { calibrationError, equalWidthBins } from '../../../targets/statistics/confidence/calibration-error.ts'
import { meanInterval } from '../../../targets/statistics/intervals/mean-interval.ts'
import { wilson } from '../../../targets/statistics/intervals/wilson.ts'

test('a probability at a bin’s end is in that bin', () => {
  const answers = [
    { probability: 0.5, correct: true },
    { probability: 0.4, correct: false },
    { probability: 0.9, correct: true },
    { probability: 0.6, correct: false },
  ]
  // By hand: 0.45 against 1 of 2, and 0.75 against 1 of 2; in the next bin 0.5 would make it 0.1.
  expect(calibrationError(answers, equalWidthBins(2))).toBeCloseTo((0.05 + 0.25) / 2, 12)
})

test.each([
  [4, 'too few sources'],
  // Sources of one size have a degree of freedom less than there are of them; fewer than 4 are too few.
  [5, ''],
  [6, ''],
])('of %i sources of two it is said: “%s”', (count, reason) => {
  const values = Array.from({ length: 2 * count }, (_, at) => Number(at % 3 === 0))
  const sources = values.map((_, at) => `p${at >> 1}`)
  const scale = { range: { low: 0, high: 1 }, isBinary: true }
  expect(meanInterval([{ values, sources }], scale, 0.95)).toMatchObject({ sources: count, reason })
})

test('none right leaves an interval from 0 itself, all right one to 1, of however many', () => {
  for (let n = 1; n <= 200; n += 1) {
    expect(wilson(0, n, 0.95).low).toBe(0)
    expect(wilson(n, n, 0.95).high).toBe(1)
  }
})
