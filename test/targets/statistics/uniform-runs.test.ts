import { expect, test } from 'vitest'
import { meanInterval } from '../../../targets/statistics/intervals/mean-interval.ts'

const UNIT = { range: { low: 0, high: 1 }, isBinary: false }
const times = (count: number, ...values: readonly number[]): readonly number[] =>
  Array.from({ length: count }, () => values).flat()
const SIX_OF_TEN = times(10, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0)
const intervalOf = (...benchmarks: readonly (readonly number[])[]) =>
  meanInterval(
    benchmarks.map((values, at) => ({ values, benchmark: String(at) })),
    UNIT,
    0.95,
  ).interval

// Wilson's interval at the effective n, and what Gaffke's of a constant adds, formed anew with numpy and scipy.
test.each([
  [
    'twelve right answers beside others',
    [times(12, 1), SIX_OF_TEN, times(50, 1, 0)],
    0.5873825916776629,
    0.7617679889787776,
  ],
  [
    'of two such runs the one that leaves more open at an end',
    [times(5, 0), times(4, 1), SIX_OF_TEN],
    0.30328382925867303,
    0.7386063433800593,
  ],
  [
    'scores amid the scale, open to both sides',
    [times(6, 0.5), times(10, 0.2, 0.4, 0.6, 0.9)],
    0.30918378942227637,
    0.7135356270564533,
  ],
  ['three and forty right answers, by the three', [times(3, 1), times(40, 1)], 0.6462008869106433, 1],
  [
    'all right in runs of one size, by all answers together',
    [times(20, 1), times(20, 1)],
    0.9070670830552597,
    1,
  ],
])(
  'the interval of a mean over runs holds what answers that are all alike leave open: %s',
  (_, runs, low, high) => {
    const found = intervalOf(...runs)
    expect(found?.low).toBeCloseTo(low, 12)
    expect(found?.high).toBeCloseTo(high, 12)
  },
)

test('answers of one patient, all alike, are open as one answer is', () => {
  const others = { values: times(50, 1, 0), benchmark: 'others' }
  const visits = (count: number) => ({
    values: times(count, 1),
    sources: Array.from({ length: count }, (_, at) => `patient ${at % 2}`),
    benchmark: 'visits',
  })
  const [few, many] = [2, 40].map((count) => meanInterval([visits(count), others], UNIT, 0.95).interval)
  // Half of 1 − .025^(1/2), the two patients' part of the mean.
  const open = (1 - Math.sqrt(0.025)) / 2
  expect(0.75 - (few?.low ?? 1)).toBeGreaterThan(open)
  expect(0.75 - (many?.low ?? 1)).toBeGreaterThan(open)
})
