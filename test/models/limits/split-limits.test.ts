import { assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { firstPause, mostTasks, splitLimits } from '../../../models/limits/split-limits.ts'

test('All tasks together have what is stated, whole parts each, none much more than another.', () => {
  assert(
    property(integer({ min: 0, max: 500 }), integer({ min: 1, max: 60 }), (total, count) => {
      const parts = Array.from({ length: count }, (_, index) =>
        splitLimits({ concurrency: total }, { index, count }),
      )
      const shares = parts.map(({ concurrency }) => concurrency ?? Number.NaN)
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total)
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
      expect(shares).toEqual(shares.toSorted((a, b) => b - a))
    }),
  )
})

test('Each limit is split by itself; what is not stated stays so; a fraction is nobody’s.', () => {
  const part = { index: 1, count: 3 }
  expect(splitLimits({}, part)).toStrictEqual({})
  expect(splitLimits({ concurrency: 8, requestsPerMinute: 10, tokensPerMinute: 100.5 }, part)).toStrictEqual({
    concurrency: 3,
    requestsPerMinute: 3,
    tokensPerMinute: 33,
  })
})

test('What each machine has for itself stays whole.', () => {
  const limits = { concurrency: 8, requestsPerMinute: 10, perMachine: true } as const
  expect(splitLimits(limits, { index: 2, count: 3 })).toBe(limits)
  expect(splitLimits({ ...limits, perMachine: false }, { index: 2, count: 3 })).toMatchObject({
    concurrency: 2,
  })
})

test.each([
  [{}, undefined],
  [{ concurrency: 8 }, 8],
  [{ concurrency: 8, requestsPerMinute: 2.5, tokensPerMinute: 100 }, 2],
  [{ tokensPerMinute: 100 }, 100],
  [{ concurrency: 8, perMachine: true }, undefined],
])('%j can be split over %s tasks.', (limits, tasks) => {
  expect(mostTasks(limits)).toBe(tasks)
})

test.each([
  [{}, 0, 0],
  [{ requestsPerMinute: 0 }, 0, 0],
  [{ requestsPerMinute: 10 }, 6005, 6005],
  [{ tokensPerMinute: 10 }, 0, 60_050],
  [{ requestsPerMinute: 10, tokensPerMinute: 10 }, 6005, 60_050],
  [{ requestsPerMinute: 10, tokensPerMinute: 10, perMachine: true }, 0, 0],
])(
  'Under %j a task waits %i ms before its first call, %i where it was tried before.',
  (limits, fresh, resumed) => {
    expect([firstPause(limits, false), firstPause(limits, true)]).toEqual([fresh, resumed])
  },
)
