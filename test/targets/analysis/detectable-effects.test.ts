import { describe, expect, it } from 'vitest'
import { detectableEffect } from '../../../targets/analysis/detectable-effects.ts'
import { medhelmMde } from '../../../targets/statistics/mean.ts'

const column = (...values: readonly (readonly number[] | undefined)[]) => ({
  benchmark: 'notes',
  strata: [
    {
      instances: values.find((own) => own !== undefined)?.length ?? 0,
      values: values.map((own) => own && Float64Array.from(own)),
    },
  ],
})

describe('the minimum detectable effect of a benchmark', () => {
  it('is the mean over all pairs of models', () => {
    const found = detectableEffect(column([1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 1, 0]), 1)
    const pairs = [
      [1, 0, 0, 1],
      [0, -1, 0, 1],
      [-1, -1, 0, 0],
    ].map((differences) => medhelmMde(differences) ?? NaN)
    const mean = pairs.reduce((sum, each) => sum + each, 0) / 3
    expect(found).toMatchObject({ benchmark: 'notes', pairs: 3, instances: [4, 4] })
    expect(found?.mean).toBeCloseTo(mean, 12)
    expect(found?.sd).toBeCloseTo(Math.sqrt(pairs.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 3), 12)
    expect(found?.asPublished.mean).toBeCloseTo(mean, 12)
  })

  it('divides ratings by 5, all of them', () => {
    const found = detectableEffect(column([5, 1], [3, 1]), 5)
    expect(found?.mean).toBeCloseTo(medhelmMde([0.4, 0]) ?? NaN, 12)
  })

  it('as published takes a rating of 1 for the highest', () => {
    const found = detectableEffect(column([5, 5], [5, 1]), 5)
    expect(found?.mean).toBeCloseTo(medhelmMde([0, 0.8]) ?? NaN, 12)
    expect(found?.asPublished.mean).toBe(0)
  })

  it('is told of no pair that differs by the same everywhere, which as published shows any difference', () => {
    const found = detectableEffect(column([5, 4, 3], [4, 3, 2], [4, 2, 2]), 5)
    const effects = [
      [0.2, 0.4, 0.2],
      [0, 0.2, 0],
    ].map((differences) => medhelmMde(differences) ?? NaN)
    expect(found).toMatchObject({ pairs: 3, still: 1 })
    expect(found?.mean).toBeCloseTo(((effects[0] ?? NaN) + (effects[1] ?? NaN)) / 2, 12)
    expect(found?.asPublished.mean).toBeCloseTo(((effects[0] ?? NaN) + (effects[1] ?? NaN)) / 3, 12)
    expect(detectableEffect(column([1], [0]), 1)).toMatchObject({
      pairs: 1,
      still: 1,
      mean: null,
      sd: null,
    })
  })

  it('counts only instances that both models have, and pairs that share any', () => {
    const found = detectableEffect(column([1, NaN, 0], [0, 1, NaN], [NaN, 1, 1], undefined), 1)
    expect(found).toMatchObject({ pairs: 3, instances: [1, 1] })
    expect(detectableEffect(column([1, 0, 1], [0, 1, 1], [NaN, 1, 1]), 1)?.instances).toEqual([2, 3])
    expect(detectableEffect(column([1, 0], undefined), 1)).toBeUndefined()
  })

  it('pools the runs of a benchmark', () => {
    const [stratum] = column([1, 0], [0, 0]).strata
    if (stratum === undefined) throw new Error('no stratum')
    const found = detectableEffect({ benchmark: 'notes', strata: [stratum, stratum] }, 1)
    expect(found).toMatchObject({ instances: [4, 4] })
    expect(found?.mean).toBeCloseTo(medhelmMde([1, 0, 1, 0]) ?? NaN, 12)
  })
})
