import { describe, expect, it } from 'vitest'
import { comparePaired, type PairedValue } from '../../../targets/compare/paired-values.ts'

const scores: readonly PairedValue[] = Array.from({ length: 40 }, (_, index) => ({
  a: 1 + (index % 5),
  b: 1 + ((index * 3) % 5),
}))

describe('answers that are right or wrong', () => {
  const values = Array.from({ length: 20 }, (_, index) => ({ a: index < 12 ? 1 : 0, b: index < 16 ? 1 : 0 }))

  it('are tested by McNemar, with an interval and the share that B wins', () => {
    const found = comparePaired(values, { isBinary: true, name: 'x' })
    expect(found).toMatchObject({ n: 20, meanA: 0.6, meanB: 0.8, test: 'McNemar exact' })
    expect(found.difference).toBeCloseTo(0.2, 12)
    expect(found.p).toBeCloseTo(2 / 16, 12)
    expect(found.effect).toMatchObject({ kind: 'share', value: 1 })
    expect(found.interval?.low).toBeLessThan(0.2)
    expect(found.interval?.high).toBeGreaterThan(0.2)
  })

  it('that never differ leave doubt in the interval and no effect', () => {
    const found = comparePaired(
      values.map(({ a }) => ({ a, b: a })),
      { isBinary: true, name: 'x' },
    )
    expect(found).toMatchObject({ difference: 0, p: 1, effect: null, mde: null, medhelmMde: null })
    expect(found.interval?.high).toBeGreaterThan(0.1)
  })

  it('that were averaged over trials or share sources are tested by sign flips', () => {
    const averaged = comparePaired([...values, { a: 0.5, b: 1 }], { isBinary: true, name: 'x' })
    expect(averaged.test).toBe('sign flips, all')
    const clustered = values.map((value, index) => ({ ...value, cluster: `p${index >> 2}` }))
    expect(comparePaired(clustered, { isBinary: true, name: 'x' })).toMatchObject({
      clusters: 5,
      test: 'sign flips, all',
      p: 1,
    })
  })
})

describe('scores', () => {
  it('give the same figures each time, and other draws under another name', () => {
    const found = comparePaired(scores, { isBinary: false, name: 'x' })
    expect(found.test).toBe('sign flips, 9,999 drawn')
    expect(comparePaired(scores, { isBinary: false, name: 'x' })).toEqual(found)
    expect(comparePaired(scores, { isBinary: false, name: 'y' }).effect).not.toEqual(found.effect)
  })

  it('counted twice as if independent look surer than by their sources', () => {
    const lifted = scores.map(({ a, b }, index) => ({ a, b: b + 0.6, cluster: String(index) }))
    const once = comparePaired(lifted, { isBinary: false, name: 'x' })
    const twice = [...lifted, ...lifted]
    const honest = comparePaired(twice, { isBinary: false, name: 'x' })
    const naive = comparePaired(
      twice.map(({ a, b }) => ({ a, b })),
      { isBinary: false, name: 'x' },
    )
    expect(honest.mde).toBeCloseTo(once.mde ?? NaN, 12)
    expect(naive.mde).toBeLessThan((honest.mde ?? NaN) * 0.75)
    expect(honest.p).toBeGreaterThan(naive.p)
  })

  it('that all differ by the same amount have no interval', () => {
    const found = comparePaired(
      [1, 2, 3].map((a) => ({ a, b: a + 1 })),
      { isBinary: false, name: 'x' },
    )
    expect(found).toMatchObject({ difference: 1, interval: null, effect: null, mde: null, p: 2 / 8 })
  })

  it('of nobody are refused', () => {
    expect(() => comparePaired([], { isBinary: false, name: 'x' })).toThrow(RangeError)
  })
})
