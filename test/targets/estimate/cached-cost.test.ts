import { expect, test } from 'vitest'
import type { Digest } from '../../../cache/values/digest.ts'
import { sumUp } from '../../../targets/estimate/cached-cost.ts'
import { madeUpEntry } from '../spend/made-up-entry.ts'

const entry = (completion: string, day: string, usd: number | null = 2) => ({
  ...madeUpEntry({ time: `2026-03-${day}T10:00:00.000Z`, usd }),
  completion: completion as Digest<'completion'>,
})

test('A reply that was paid for twice is two calls, and does not hide one that no ledger knows.', () => {
  const paid = [entry('a', '04'), entry('b', '02'), entry('a', '05')]
  expect(sumUp(paid, new Set(['a', 'b', 'c']))).toEqual({
    calls: 3,
    usd: 6,
    from: '2026-03-02',
    to: '2026-03-05',
    unrecorded: 1,
  })
})

test('Of one call of unknown cost the sum is unknown, and nothing used costs nothing on no day.', () => {
  expect(sumUp([entry('a', '04'), entry('b', '04', null)], new Set(['a', 'b']))).toMatchObject({ usd: null })
  expect(sumUp([], new Set())).toEqual({ calls: 0, usd: 0, unrecorded: 0 })
})
