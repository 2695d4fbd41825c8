import { describe, expect, it } from 'vitest'
import { randomKey, RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'
import { quantile, totalRange } from '../../../targets/estimate/total-range.ts'

describe('totalRange', () => {
  it('is a point where all replies were equal', () => {
    const seen = Array.from({ length: 30 }, () => ({ value: 7, size: 1 }))
    expect(totalRange(seen, 10, 10)).toEqual({ low: 70, high: 70 })
  })

  it('follows sizes where values do', () => {
    const seen = Array.from({ length: 30 }, (_, at) => ({ value: 3 * (at + 1), size: at + 1 }))
    expect(totalRange(seen, 4, 100)).toEqual({ low: 300, high: 300 })
  })

  it('is never below nothing', () => {
    const seen = Array.from({ length: 20 }, (_, at) => ({ value: at === 0 ? 1000 : 0, size: 1 }))
    expect(totalRange(seen, 1, 1).low).toBe(0)
  })

  it('holds the sum of further draws from the same replies in at least 95 of 100 cases', () => {
    const stream = new RandomStream(randomKey('replies'), 0)
    const draw = (): number => stream.word() / 2 ** 32
    const reply = (): number => 1 + Math.floor(-80 * Math.log(1 - draw()))
    let held = 0
    for (let trial = 0; trial < 400; trial += 1) {
      const seen = Array.from({ length: 40 }, () => ({ value: reply(), size: 1 }))
      const sum = Array.from({ length: 100 }, reply).reduce((total, value) => total + value, 0)
      const { low, high } = totalRange(seen, 100, 100)
      if (low <= sum && sum <= high) held += 1
    }
    expect(held / 400).toBeGreaterThanOrEqual(0.95)
  })
})

describe('quantile', () => {
  it('is the smallest value that covers its share', () => {
    const values = [5, 1, 4, 2, 3]
    expect([0, 0.2, 0.5, 0.95, 1].map((share) => quantile(values, share))).toEqual([1, 1, 3, 5, 5])
  })
})
