import { describe, expect, it } from 'vitest'
import { changedCells, type ScorePair } from '../../../targets/compare/changed-cells.ts'

const score = (value: number, half: number) => ({
  value,
  interval: { low: value - half, high: value + half },
})

const SHARE = { isBinary: false, range: { low: 0, high: 1 } }

const apart = (pair: Pick<ScorePair, 'before' | 'now'>): ScorePair => ({
  ...pair,
  metric: SHARE,
  basis: { reason: 'no values before' },
})

describe('changes from one release to the next', () => {
  it('are held against the standard errors of both, adjusted over all', () => {
    const [small, large, none, unknown] = changedCells(
      [
        { before: score(0.5, 0.1), now: score(0.55, 0.1) },
        { before: score(0.5, 0.0196), now: score(0.6, 0.0196) },
        { before: score(0.5, 0.1), now: score(0.5, 0.1) },
        { before: { value: 0.5, interval: null }, now: score(0.9, 0.1) },
      ].map(apart),
    )
    expect(large?.interval?.low).toBeCloseTo(0.1 - 0.0196 * Math.SQRT2, 12)
    expect(large?.interval?.high).toBeCloseTo(0.1 + 0.0196 * Math.SQRT2, 12)
    expect(large?.p).toBeCloseTo(1.54e-12, 13)
    expect(large?.holm).toBeCloseTo(3 * (large?.p ?? NaN), 14)
    expect(small?.p).toBeCloseTo(0.48834, 5)
    expect(none).toMatchObject({ p: 1, holm: 1 })
    expect(unknown).toMatchObject({
      from: 0.5,
      to: 0.9,
      interval: null,
      p: null,
      holm: null,
      way: 'independent',
    })
    expect(unknown?.difference).toBeCloseTo(0.4, 12)
  })

  it('keep their adjusted p where those before them have none', () => {
    const [unknown, fall] = changedCells(
      [
        { before: { value: 0.5, interval: null }, now: score(0.9, 0.1) },
        { before: score(0.6, 0.0196), now: score(0.5, 0.0196) },
      ].map(apart),
    )
    expect(unknown?.holm).toBeNull()
    expect(fall?.difference).toBeCloseTo(-0.1, 12)
    expect(fall?.holm).toBe(fall?.p)
  })

  it('stay on the scale where scores are taken as independent', () => {
    const [wide] = changedCells([apart({ before: score(0.1, 0.7), now: score(0.9, 0.7) })])
    expect(wide?.interval?.high).toBe(1)
  })

  it('are paired differences where the instances are known, of which seven falls of 60 are beyond noise', () => {
    const a = Array.from({ length: 60 }, (_, at) => (at < 42 ? 1 : 0))
    const b = a.map((value, at) => (at < 7 ? 0 : value))
    const pair = { before: score(0.7, 0.11), now: score(42 / 60 - 7 / 60, 0.12) }
    const metric = { isBinary: true, range: { low: 0, high: 1 } }
    const [paired, unpaired] = changedCells([
      { ...pair, metric, basis: { runs: [{ benchmark: 'x', a, b }], asked: 66 } },
      { ...pair, metric, basis: { reason: 'no values now' } },
    ])
    // McNemar's mid-p: half of the chance that all seven fall, twice.
    expect(paired?.p).toBeCloseTo(2 ** -7, 14)
    expect(paired).toMatchObject({ way: 'paired', counts: { asked: 66, shared: 60, common: 60 }, reason: '' })
    expect(paired?.difference).toBeCloseTo(-7 / 60, 14)
    expect(unpaired?.p).toBeGreaterThan(0.1)
  })

  it('are none of scores that stand on the same answers, and no part of the family', () => {
    const [same, other] = changedCells([
      { before: score(0.5, 0.1), now: score(0.5, 0.1), metric: SHARE, basis: 'same' },
      apart({ before: score(0.5, 0.1), now: score(0.6, 0.1) }),
    ])
    expect(same).toMatchObject({ way: 'same', difference: 0, p: null, holm: null })
    expect(other?.holm).toBe(other?.p)
  })

  it('say why a pair is not tested, and do not fall back', () => {
    const [lone] = changedCells([
      {
        before: score(0.5, 0.01),
        now: score(0.9, 0.01),
        metric: SHARE,
        basis: { runs: [{ benchmark: 'x', a: [0.5], b: [0.9] }], asked: 1 },
      },
    ])
    expect(lone).toMatchObject({ way: 'paired', p: null, holm: null, reason: 'one source' })
  })
})
