import { describe, expect, it } from 'vitest'
import { standings, type StandingColumn } from '../../../targets/board/standings.ts'

const column = (
  values: readonly (number | undefined)[],
  more: Partial<StandingColumn> | 'unknown' = {},
): StandingColumn => ({
  range: { low: 0, high: 1 },
  values,
  ...(more === 'unknown' ? {} : { lowerIsBetter: false, ...more }),
})

const ERRORS = { lowerIsBetter: true }
const POINTS = { range: { low: 1, high: 5 } }

describe('standings', () => {
  it('average shares of scales with ends, turned so that 1 is best, in which two are ranked', () => {
    const found = standings(
      [
        column([0.8, 0.6, 0.4]),
        column([0.4, 0.2, undefined]),
        // An error rate is a share, too; and what only one has is no column to average.
        column([0.1, 0.2, 0.3], ERRORS),
        column([4, 3, 2], POINTS),
        { lowerIsBetter: false, values: [40, 30, 20] },
        column([0.9, undefined, undefined]),
        column([0.7, 0.7, 0.7], 'unknown'),
      ],
      3,
    )
    expect(found.isAveraged).toEqual([true, true, true, true, false, false, false])
    expect(found.isCompared).toEqual([true, true, true, true, true, false, false])
    expect(found.rows.map(({ average }) => average)).toEqual([
      { mean: expect.closeTo((0.8 + 0.4 + 0.9 + 0.75) / 4, 12), ranked: 4, of: 4 },
      { mean: expect.closeTo((0.6 + 0.2 + 0.8 + 0.5) / 4, 12), ranked: 4, of: 4 },
      { mean: expect.closeTo((0.4 + 0.7 + 0.25) / 3, 12), ranked: 3, of: 4 },
    ])
  })

  it('of one row average what it has', () => {
    expect(standings([column([0.5]), column([undefined])], 1)).toMatchObject({
      isAveraged: [true, false],
      rows: [{ average: { mean: 0.5, ranked: 1, of: 1 }, winRate: null, place: null }],
    })
  })

  it('place those that are ranked in all compared columns, by the share of the others that they beat', () => {
    const { rows } = standings([column([3, 1, 2, 9]), column([1, 2, 3, undefined], ERRORS)], 4)
    // Beaten: 2 of 3 and 2 of 2; none and 1 of 2; 1 of 3 and none; 3 of 3.
    expect(rows.map(({ winRate }) => winRate)).toEqual([
      expect.closeTo(5 / 6, 12),
      expect.closeTo(1 / 4, 12),
      expect.closeTo(1 / 6, 12),
      1,
    ])
    expect(rows.map(({ place, compared }) => [place?.rank, compared])).toEqual([
      [1, 2],
      [2, 2],
      [3, 2],
      [undefined, 1],
    ])
  })

  it('tie rates that only rounding parts', () => {
    // Ranks 1, 2, 3 of three columns in another order each: thirds whose sums differ in the last digit.
    const { rows } = standings([column([4, 3, 2, 1]), column([2, 4, 3, 1]), column([3, 2, 4, 1])], 4)
    expect(rows.map(({ place }) => place?.rank)).toEqual([1, 1, 1, 4])
    expect(rows[0]?.winRate).toBeCloseTo(2 / 3, 12)
  })

  it('tell two win rates apart that differ in their third digit', () => {
    const columns = [
      ...Array.from({ length: 60 }, () => column([2, 1, 0])),
      ...Array.from({ length: 59 }, () => column([1, 2, 0])),
      column([1, 1, 0]),
    ]
    // (60 + 29.5 + 0.75) / 120, and half a rival less.
    expect(
      standings(columns, 3).rows.map(({ winRate, place }) => [winRate?.toFixed(4), place?.rank]),
    ).toEqual([
      ['0.7521', 1],
      ['0.7479', 2],
      ['0.0000', 3],
    ])
  })

  it('count the compared columns that a row is ranked in, and average shares of a scale of its own', () => {
    const percent = column([50, 25], { range: { low: 0, high: 100 } })
    const { rows } = standings([percent, column([1, undefined])], 2)
    expect(rows.map(({ compared }) => compared)).toEqual([1, 1])
    expect(standings([percent], 2).rows.map(({ average }) => average.mean)).toEqual([0.5, 0.25])
  })
})
