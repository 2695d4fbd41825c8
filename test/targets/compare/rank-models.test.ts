import { describe, expect, it } from 'vitest'
import type { RankColumn } from '../../../targets/compare/rank-column.ts'
import { rankModels } from '../../../targets/compare/rank-models.ts'

/** Scores of each model on 60 instances: a level, and noise that differs from model to model. */
const column = (
  benchmark: string,
  levels: readonly (number | undefined)[],
  lowerIsBetter = false,
): RankColumn => ({
  benchmark,
  lowerIsBetter,
  strata: [
    {
      instances: 60,
      values: levels.map((level, model) =>
        level === undefined
          ? undefined
          : Float64Array.from({ length: 60 }, (_, index) => level + ((index * (7 + model)) % 13) / 13),
      ),
    },
  ],
})
const NAMES = ['a', 'b', 'c', 'd']

describe('a ranking', () => {
  it('is sure of a model that wins everywhere and unsure of two that are alike', () => {
    const columns = Array.from({ length: 8 }, (_, index) => column(`x${index}`, [5, 2, 2, -3]))
    const { models, groups, resamples } = rankModels(NAMES, columns)
    expect(models.map(({ name }) => name).toSorted()).toEqual(NAMES)
    expect(models[0]).toMatchObject({ name: 'a', winRate: 1, rank: 1, ranks: { low: 1, high: 1 }, first: 1 })
    expect(models[3]).toMatchObject({
      name: 'd',
      winRate: 0,
      rank: 4,
      ranks: { low: 4, high: 4 },
      topThree: 0,
    })
    expect(models[1]?.ranks).toEqual({ low: 2, high: 3 })
    expect(groups).toEqual([
      { first: 0, last: 0 },
      { first: 1, last: 2 },
      { first: 3, last: 3 },
    ])
    expect(resamples).toBe(2000)
  })

  it('has no place for a model that lacks a column, and shares first places out among the others to 1', () => {
    const columns = Array.from({ length: 12 }, (_, index) =>
      column(`x${index}`, index < 2 ? [1, 1, 1, 9] : [1, 1, 1.01, undefined]),
    )
    const { models, partial } = rankModels(NAMES, columns)
    expect(models.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c'])
    expect(partial).toEqual([{ name: 'd', winRate: 1, columns: 2 }])
    expect(models.reduce((sum, { first }) => sum + first, 0)).toBeCloseTo(1, 12)
    expect(models.map(({ rank }) => rank)[0]).toBe(1)
  })

  it('gives the same bytes each time', () => {
    const columns = [column('x', [1, 1.1, 0.9, 1]), column('y', [1, 0.8, 1.2, 1])]
    expect(JSON.stringify(rankModels(NAMES, columns))).toBe(JSON.stringify(rankModels(NAMES, columns)))
  })

  it('knows that lower can be better, and leaves out who was not run', () => {
    const { models } = rankModels(NAMES, [column('x', [3, 1, undefined, 2], true)])
    expect(models.map(({ name, winRate }) => [name, winRate])).toEqual([
      ['b', 1],
      ['d', 0.5],
      ['a', 0],
    ])
  })

  it('of benchmarks without a direction is empty', () => {
    const { lowerIsBetter: _, ...undirected } = column('x', [1, 2, 3, 4])
    expect(rankModels(NAMES, [undirected])).toMatchObject({ models: [], groups: [], columns: [] })
  })
})
