import { describe, expect, it } from 'vitest'
import { lossEvidence } from '../../../targets/statistics/gate/loss-evidence.ts'
import { differenceWithMissing } from '../../../targets/statistics/missing/difference-with-missing.ts'
import { meanWithMissing } from '../../../targets/statistics/missing/mean-with-missing.ts'
import type { PairedSides } from '../../../targets/statistics/paired/paired-sides.ts'

const sides = (a: readonly number[], b: readonly number[], sources?: readonly string[]): PairedSides => ({
  benchmark: 'x',
  a,
  b,
  ...(sources && { sources }),
})

describe('a difference of which nothing spreads', () => {
  it('is none where rounding alone parts the sides', () => {
    const sums = sides([0.3, 0.3, 0.3], [0.1 + 0.2, 0.1 + 0.2, 0.1 + 0.2])
    expect(sums.b[0]).not.toBe(0.3)
    expect(differenceWithMissing([sums], 0.95).decided?.p).toBe(1)
    expect(differenceWithMissing([sides(Array.from(sums.b), Array.from(sums.a))], 0.95).decided?.p).toBe(1)
  })

  it('is as sure as so many alike make it, though their last digits differ', () => {
    const at = (even: number, odd: number): readonly number[] =>
      Array.from({ length: 8 }, (_, place) => (place % 2 === 0 ? even : odd))
    const [a, b] = [at(0.2, 0.3), at(0.7, 0.8)]
    expect(0.7 - 0.2).not.toBe(0.8 - 0.3)
    // 2 · (1 / 1.5) ** 8
    expect(differenceWithMissing([sides(a, b)], 0.95).decided?.p).toBeCloseTo(0.078_036_9, 6)
  })
})

describe('what could not be read', () => {
  it('leaves no interval beyond the scale', () => {
    const { decided, bounds } = differenceWithMissing([sides([1, 0.9, NaN], [0, 0.1, NaN])], 0.95)
    expect([decided?.low, bounds.low, bounds.high]).toEqual([
      -1,
      expect.closeTo((-1 - 0.8 - 1) / 3, 12),
      expect.closeTo((-1 - 0.8 + 1) / 3, 12),
    ])
    const other = differenceWithMissing([sides([0, 0.1, NaN], [1, 0.9, NaN])], 0.95)
    expect(other.decided?.high).toBe(1)
  })

  it('speaks for the new side in a gate’s p, and against it in what the loss stays below', () => {
    const [a, b] = [
      [0.9, 0.8, 0.7, 0.9, 0.6, 0.8, NaN, 0.7],
      [0.5, 0.6, 0.5, 0.4, 0.5, NaN, 0.3, 0.6],
    ]
    const filled = (forB: boolean): PairedSides =>
      sides(
        a.map((value) => (Number.isNaN(value) ? Number(!forB) : value)),
        b.map((value) => (Number.isNaN(value) ? Number(forB) : value)),
      )
    const found = lossEvidence([sides(a, b)], false, 0.05)
    expect(found.p).toBeCloseTo(lossEvidence([filled(true)], false, 0.05).p, 12)
    expect(found.upper).toBeCloseTo(lossEvidence([filled(false)], false, 0.05).upper, 12)
    expect(found.p).toBeGreaterThan(lossEvidence([filled(false)], false, 0.05).p)
    expect(found.bounds).toEqual({ low: expect.closeTo(0.125, 12), high: expect.closeTo(0.375, 12) })
  })

  it('leaves the mean of one value that was read', () => {
    expect(meanWithMissing([1, undefined], { low: 0, high: 1 }, 0.95)).toMatchObject({
      n: 2,
      measured: 1,
      bounds: { low: 0.5, high: 1 },
    })
  })
})

describe('a gate of answers that are right or wrong', () => {
  it('counts four answers of one patient as one, not as four', () => {
    const patients = Array.from({ length: 40 }, (_, at) => `patient ${at % 10}`)
    // Three patients lost all of their four answers.
    const a = patients.map(() => 1)
    const b = patients.map((_, at) => Number(at % 10 > 2))
    const shared = lossEvidence([sides(a, b, patients)], true, 0.05)
    const apart = lossEvidence([sides(a, b)], true, 0.05)
    expect(shared.loss).toBe(apart.loss)
    // McNemar's mid-p of 12 lost and none won: 0.5 ** 13.
    expect(apart.p).toBeCloseTo(0.5 ** 13, 12)
    expect(shared.p).toBeGreaterThan(0.02)
    expect(shared).toEqual(lossEvidence([sides(a, b, patients)], false, 0.05))
  })
})
