import { describe, expect, it } from 'vitest'
import { meanScores } from '../../../targets/tables/group-table.ts'
import { winRates } from '../../../targets/tables/cells/win-rate.ts'

const higher = (...values: (number | undefined)[]) => ({ lowerIsBetter: false, values })
const lower = (...values: (number | undefined)[]) => ({ lowerIsBetter: true, values })

describe('mean win rate', () => {
  it('is the share of other models beaten, ties counting half', () => {
    expect(winRates([higher(0.1, 0.3, 0.3, 0.9)], 4)).toEqual([0, 0.5, 0.5, 1])
  })

  it('turns round where lower is better', () => {
    expect(winRates([lower(1, 2, 3)], 3)).toEqual([1, 0.5, 0])
  })

  it('leaves out columns with fewer than two values or no direction', () => {
    expect(winRates([higher(0.5, undefined), { values: [1, 2] }], 2)).toEqual([undefined, undefined])
  })

  it('averages each row over the columns it has a value in', () => {
    expect(winRates([higher(1, 0, undefined), higher(undefined, 0, 1), higher(0, 1, 2)], 3)).toEqual([
      0.5,
      1 / 6,
      1,
    ])
  })

  it('averages exactly, as Python’s statistics.mean does', () => {
    // Rates 0.1, 0.2 and 0.3: added one by one they would give 0.20000000000000004.
    const ten = (place: number) =>
      higher(...Array.from({ length: 11 }, (_, i) => (i === 0 ? place - 0.5 : i)))
    expect(winRates([ten(2), ten(3), ten(4)], 11)[0]).toBe(0.2)
  })
})

describe('mean score', () => {
  it('adds from left to right', () => {
    expect(meanScores([higher(0.1), higher(0.2), higher(0.3)], 1)).toEqual([(0.1 + 0.2 + 0.3) / 3])
  })

  it('is undefined for a row without values', () => {
    expect(meanScores([higher(undefined, 1)], 2)).toEqual([undefined, 1])
  })

  it('refuses columns of both directions', () => {
    expect(() => meanScores([higher(1), lower(1)], 1)).toThrow('targets/mixed-directions')
  })
})
