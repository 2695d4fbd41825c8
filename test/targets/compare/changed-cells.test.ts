import { describe, expect, it } from 'vitest'
import { changedCells } from '../../../targets/compare/changed-cells.ts'

const score = (value: number, half: number) => ({
  value,
  interval: { low: value - half, high: value + half },
})

describe('changes from one release to the next', () => {
  it('are held against the standard errors of both, adjusted over all', () => {
    const [small, large, none, unknown] = changedCells([
      { before: score(0.5, 0.1), now: score(0.55, 0.1) },
      { before: score(0.5, 0.0196), now: score(0.6, 0.0196) },
      { before: score(0.5, 0.1), now: score(0.5, 0.1) },
      { before: { value: 0.5, interval: null }, now: score(0.9, 0.1) },
    ])
    expect(large?.standardError).toBeCloseTo(0.01 * Math.SQRT2, 5)
    expect(large?.p).toBeCloseTo(1.54e-12, 13)
    expect(large?.holm).toBeCloseTo(3 * (large?.p ?? NaN), 14)
    expect(small?.p).toBeCloseTo(0.48834, 5)
    expect(none).toMatchObject({ p: 1, holm: 1 })
    expect(unknown).toMatchObject({ standardError: null, p: null, holm: null })
    expect(unknown?.difference).toBeCloseTo(0.4, 12)
  })

  it('keep their adjusted p where those before them have none', () => {
    const [unknown, fall] = changedCells([
      { before: { value: 0.5, interval: null }, now: score(0.9, 0.1) },
      { before: score(0.6, 0.0196), now: score(0.5, 0.0196) },
    ])
    expect(unknown?.holm).toBeNull()
    expect(fall?.difference).toBeCloseTo(-0.1, 12)
    expect(fall?.holm).toBe(fall?.p)
  })
})
