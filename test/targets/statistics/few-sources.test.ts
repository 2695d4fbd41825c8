import { expect, test } from 'vitest'
import { bootstrapAgreement } from '../../../targets/statistics/agreement/agreement-bootstrap.ts'
import { alphaOfRaters } from '../../../targets/statistics/agreement/alpha-of-raters.ts'
import { kappaWithJury } from '../../../targets/statistics/agreement/kappa-with-jury.ts'
import { sharedIcc } from '../../../targets/statistics/agreement/shared-icc.ts'
import { RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'
import { isFlat, jackknifeInterval } from '../../../targets/statistics/resampling/jackknife.ts'

const ROWS = [
  [1, 2, 2],
  [3, 3, 4],
  [5, 4, 5],
  [2, 2, 1],
  [4, 5, 4],
  [3, 1, 2],
  [5, 5, 3],
  [1, 1, 2],
  [4, 4, 5],
  [2, 3, 2],
]
const BY_RATER = [0, 1, 2].map((rater) => ROWS.map((row) => row[rater] ?? NaN))
const FIVE = 'aabbccddee'.split('')
const FOUR = 'aabbccdddd'.split('')
const ratedOf = (sources: readonly string[]): Parameters<typeof kappaWithJury>[0] => ({
  scores: BY_RATER.slice(0, 2),
  jury: BY_RATER[2] ?? [],
  sources,
})
const between = (low: number, high: number): unknown => ({
  low: expect.closeTo(low, 12),
  high: expect.closeTo(high, 12),
})

// Each figure formed anew in numpy without a source at a time, with scipy's t of 4 degrees of freedom.
test('agreement has Student’s interval over sources left out one at a time', () => {
  expect(alphaOfRaters(BY_RATER, FIVE, 0.95)).toEqual({
    value: expect.closeTo(0.75, 12),
    interval: between(0.6253961859571247, 0.8746038140428753),
  })
  expect(sharedIcc(ROWS, FIVE, 0.95)).toEqual({
    value: expect.closeTo(0.763157894736842, 12),
    interval: between(0.6440821585677596, 0.8822336309059244),
  })
  // 1.036 without an end of the scale.
  expect(kappaWithJury(ratedOf(FIVE), 0.95)).toEqual({
    value: expect.closeTo(0.7272727272727273, 12),
    interval: between(0.41810604253129097, 1),
  })
})

test('the interval is the same whatever sources are called, and in whatever order answers come', () => {
  const turned = BY_RATER.map((row) => row.toReversed()).toReversed()
  const found = alphaOfRaters(turned, 'zzyyxxwwvv'.split(''), 0.95)
  expect(found).toEqual(alphaOfRaters(BY_RATER, FIVE, 0.95))
})

test('agreement over fewer than five sources has a value and no interval', () => {
  expect(alphaOfRaters(BY_RATER, FOUR, 0.95)).toEqual({ value: expect.closeTo(0.75, 12), interval: null })
  expect(sharedIcc(ROWS, FOUR, 0.95)).toEqual({ value: expect.closeTo(0.763157894736842, 12) })
  expect(kappaWithJury(ratedOf(FOUR), 0.95)?.interval).toBeNull()
  const drawn = (sources: readonly string[]): unknown =>
    bootstrapAgreement(ratedOf(sources), { draws: 400, confidence: 0.95 }).jury?.interval
  expect(drawn(FOUR)).toBeNull()
  expect(drawn(FIVE)).not.toBeNull()
})

test('what one source decides, or none, has no interval', () => {
  const own = 'abcdef'.split('')
  const mean = (times: readonly number[]): number =>
    times.reduce((sum, often, at) => sum + often * at, 0) / (10 * times.filter((often) => often > 0).length)
  expect(jackknifeInterval(own, mean, 0.95)).toBeDefined()
  expect(jackknifeInterval(own, (times) => (times[0] === 0 ? NaN : mean(times)), 0.95)).toBeUndefined()
  expect(jackknifeInterval(own, () => 0.3, 0.95)).toBeUndefined()
})

test('a great many sources are left out several at a time', () => {
  const random = new RandomStream([1, 2], 3)
  const values = Array.from({ length: 1500 }, () => random.below(1000) / 1000)
  const mean = (times: readonly number[]): number => {
    let [sum, count] = [0, 0]
    for (const [at, often] of times.entries()) {
      sum += often * (values[at] ?? NaN)
      count += often
    }
    return sum / count
  }
  const found = jackknifeInterval(
    values.map((_, at) => String(at)),
    mean,
    0.95,
  )
  // 1.96155 / √(12 · 1500), of values spread evenly; groups instead of single sources move it by little.
  expect(((found?.high ?? NaN) - (found?.low ?? NaN)) / 2 / 0.0146).toBeCloseTo(1, 1)
})

test('an interval is flat where its ends are a few roundings apart, of ends far from 0 more', () => {
  const flat = (low: number, width: number): boolean => isFlat({ low, high: low + width })
  expect([flat(0, 0), flat(0, 1e-12), flat(0, 1.1e-12)]).toEqual([true, true, false])
  expect([flat(-0.5, 1.4e-12), flat(0.5, 1.4e-12), flat(-0.5, 1.6e-12)]).toEqual([true, true, false])
})
