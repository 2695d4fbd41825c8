import { describe, expect, it } from 'vitest'
import { groupGaps } from '../../../targets/statistics/intervals/group-gap.ts'

const answers = (right: number, of: number): number[] =>
  Array.from({ length: of }, (_, at) => (at < right ? 1 : 0))
const BINARY = { isBinary: true, range: { low: 0, high: 1 } }
const alone = { confidence: 0.95, family: 1 }

describe('gaps between groups of instances', () => {
  it('of two shares add up the squares of Clopper and Pearson’s ends: 56 of 70 and 48 of 80', () => {
    const [gap] = groupGaps([[{ values: answers(48, 80) }], [{ values: answers(56, 70) }]], BINARY, alone)
    expect(gap).toMatchObject({ high: 1, low: 0 })
    expect(gap?.difference).toBeCloseTo(0.2, 12)
    expect(gap?.interval?.low).toBeCloseTo(0.04388687820777562, 12)
    expect(gap?.interval?.high).toBeCloseTo(0.34417102320815796, 12)
    const even = groupGaps([[{ values: answers(6, 12) }], [{ values: answers(7, 14) }]], BINARY, alone)
    expect(even).toMatchObject([{ high: 0, low: 1, difference: 0 }])
  })

  it('are not sure of ten answers of which three are wrong, where 180 gaps are looked at', () => {
    const groups = [[{ values: answers(291, 300) }], [{ values: answers(7, 10) }]]
    const [gap] = groupGaps(groups, BINARY, { confidence: 0.95, family: 180 })
    expect(gap?.interval?.low).toBeCloseTo(-0.024174168299180843, 12)
    expect(gap?.interval?.high).toBeCloseTo(0.8197891506487411, 12)
  })

  it('are all pairs, the widest first, with wider intervals the more are looked at', () => {
    const groups = [3, 9, 6].map((right) => [{ values: answers(right, 12) }])
    const gaps = groupGaps(groups, BINARY, { confidence: 0.95, family: 3 })
    expect(gaps.map(({ high, low }) => [high, low])).toEqual([
      [1, 0],
      [2, 0],
      [1, 2],
    ])
    const [single] = groupGaps(groups, BINARY, alone)
    expect(gaps[0]?.interval?.low).toBeLessThan(single?.interval?.low ?? -1)
  })

  it('hold whatever the missing values are', () => {
    const [gap] = groupGaps(
      [[{ values: [...answers(10, 20), NaN, NaN] }], [{ values: answers(8, 20) }]],
      BINARY,
      alone,
    )
    const [worst] = groupGaps([[{ values: answers(10, 22) }], [{ values: answers(8, 20) }]], BINARY, alone)
    expect(gap?.interval?.low).toBeLessThanOrEqual(worst?.interval?.low ?? -1)
  })

  it('of groups that share patients are told over patients', () => {
    const sources = Array.from({ length: 12 }, (_, at) => `p${at}`)
    const values = answers(6, 12)
    // Every patient's two answers are the same but for one.
    const [shared] = groupGaps(
      [[{ values, sources }], [{ values: values.with(0, 0), sources }]],
      BINARY,
      alone,
    )
    const [apart] = groupGaps([[{ values }], [{ values: values.with(0, 0) }]], BINARY, alone)
    const width = (gap: typeof shared): number => (gap?.interval?.high ?? 0) - (gap?.interval?.low ?? 0)
    expect(width(shared)).toBeLessThan(width(apart))
    expect(shared?.interval?.low).toBeLessThan(0)
  })
  it('never leave the scale, also where patients are shared and few', () => {
    const sources = ['p', 'p', 'p', 'q', 'q', 'r']
    const [gap] = groupGaps(
      [[{ values: [1, 1, 1, 1, 0, 1], sources }], [{ values: [0, 0, 0, 1, 0, 0], sources }]],
      BINARY,
      { confidence: 0.95, family: 6 },
    )
    expect(gap).toMatchObject({ difference: expect.closeTo(2 / 3, 12) as number, interval: { high: 1 } })
    expect(gap?.interval?.low).toBeGreaterThanOrEqual(-1)
    const open = groupGaps(
      [[{ values: [9, 0, 9], sources: ['p', 'q', 'r'] }], [{ values: [0, 1, 0], sources: ['p', 'q', 'r'] }]],
      { isBinary: false },
      alone,
    )
    expect(open[0]?.interval?.low).toBeLessThan(-1)
  })
})
