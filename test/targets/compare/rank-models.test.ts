import { describe, expect, it } from 'vitest'
import { standings } from '../../../targets/board/standings.ts'
import type { RankColumn } from '../../../targets/compare/ranks/rank-column.ts'
import { rankModels } from '../../../targets/compare/ranks/rank-models.ts'

/** Scores of each model on 60 instances: a level, and noise that differs from model to model. */
const column = (
  benchmark: string,
  levels: readonly (number | undefined)[],
  lowerIsBetter = false,
): RankColumn => ({
  benchmark,
  lowerIsBetter,
  isBinary: false,
  range: { low: -10, high: 20 },
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
    const { models, letters, likeTheseReason } = rankModels(NAMES, columns)
    expect(models.map(({ name }) => name).toSorted()).toEqual(NAMES)
    const sure = (rank: number) => ({ low: rank, high: rank })
    expect(models[0]).toMatchObject({
      name: 'a',
      winRate: 1,
      rank: 1,
      winRateOnThese: sure(1),
      average: { first: 1, onThese: { marginal: sure(1), simultaneous: sure(1) } },
    })
    expect(models[3]).toMatchObject({
      name: 'd',
      winRate: 0,
      rank: 4,
      average: { first: 0, onThese: { marginal: sure(4) }, likeThese: { marginal: { high: 4 } } },
    })
    expect(models[1]?.average?.onThese.marginal).toEqual({ low: 2, high: 3 })
    expect(models.map(({ behind }) => behind.toSorted())).toEqual([[], ['a'], ['a'], NAMES.slice(0, 3)])
    expect(letters).toEqual(['a', 'b', 'b', 'c'])
    expect(likeTheseReason).toBe('')
  })

  it('says nothing of benchmarks like these under 8 of them', () => {
    const columns = Array.from({ length: 7 }, (_, index) => column(`x${index}`, [5, 2, 2, -3]))
    const { models, likeTheseReason } = rankModels(NAMES, columns)
    expect(likeTheseReason).toBe('fewer than 8 benchmarks')
    expect(models[0]).toMatchObject({ winRateLikeThese: null, average: { likeThese: null } })
  })

  it('claims a win for the side that the pair’s own test favours', () => {
    // On the two instances that c has in full b looks better than a; all that a and b have say the opposite.
    const a = Float64Array.from({ length: 60 }, (_, at) => (at < 2 ? 0 : 12 + (at % 3)))
    const b = Float64Array.from({ length: 60 }, (_, at) => (at < 2 ? 9 : 1 + (at % 4)))
    const c = Float64Array.from({ length: 60 }, (_, at) => (at < 2 ? 5 : NaN))
    const { models } = rankModels(
      ['a', 'b', 'c'],
      [{ ...column('x', []), strata: [{ instances: 60, values: [a, b, c] }] }],
    )
    const interval = (name: string): unknown => models.find((each) => each.name === name)?.winRateOnThese
    expect(interval('a')).toEqual({ low: 0.5, high: 1 })
    expect(interval('b')).toEqual({ low: 0, high: 0.5 })
  })

  it('goes by the instances that each model has in full, as a board does', () => {
    const values = [
      [4, 4, 4, 0],
      [3.5, 3.5, 3.5, NaN],
      [NaN, NaN, NaN, 1],
    ].map((own) => Float64Array.from(own))
    const ratesOf = (...names: readonly string[]): unknown => {
      const strata = [{ instances: 4, values: values.slice(0, names.length) }]
      return rankModels(names, [{ ...column('x', []), strata }]).models.map(({ name, winRate }) => [
        name,
        winRate,
      ])
    }
    // On the instances that both have a is ahead.
    expect(ratesOf('a', 'b')).toEqual([
      ['b', 1],
      ['a', 0],
    ])
    // A model that shares no instance with them turns nobody's order.
    expect(ratesOf('a', 'b', 'c')).toEqual([
      ['b', 1],
      ['a', 0.5],
      ['c', 0],
    ])
  })

  it('has no place for a model that lacks a column', () => {
    const columns = Array.from({ length: 12 }, (_, index) =>
      column(`x${index}`, index < 2 ? [1, 1, 1, 9] : [1, 1, 1.01, undefined]),
    )
    const { models, partial } = rankModels(NAMES, columns)
    expect(models.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c'])
    expect(partial).toEqual([{ name: 'd', winRate: 1, columns: 2 }])
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

  it('averages scores to the digit as a board does', () => {
    const scores = [
      [0.3, 0.59],
      [0.59, 0.03],
      [0.88, 0.24],
      [0.85, 0.8],
      [0.51, 0.41],
    ]
    // Added up in HELM's order: 0.1 + 0.1 + 0.1 is 0.30000000000000004.
    const helm = scores.map((own) => own.map((score) => (score + score + score) / 3))
    const ends = { low: 0, high: 1 }
    const columns = scores.map((own, at): RankColumn => ({
      benchmark: `x${at}`,
      lowerIsBetter: at === 1,
      isBinary: false,
      range: ends,
      strata: [{ instances: 3, values: own.map((score) => Float64Array.of(score, score, score)) }],
      helmScores: helm[at] ?? [],
    }))
    const { rows } = standings(
      columns.map(({ lowerIsBetter = false }, at) => ({
        lowerIsBetter,
        range: ends,
        values: helm[at] ?? [],
      })),
      2,
    )
    const { models } = rankModels(['a', 'b'], columns)
    expect(new Map(models.map(({ name, average }) => [name, average?.mean]))).toEqual(
      new Map(['a', 'b'].map((name, at) => [name, rows[at]?.average.mean])),
    )
  })

  it('of benchmarks without a direction is empty', () => {
    const { lowerIsBetter: _, ...undirected } = column('x', [1, 2, 3, 4])
    expect(rankModels(NAMES, [undirected])).toMatchObject({ models: [], letters: [], columns: [] })
  })
})

describe('win rates', () => {
  const scores = (values: readonly (readonly number[])[]): readonly RankColumn[] =>
    values.map((levels, at) => ({
      benchmark: `x${at}`,
      lowerIsBetter: false,
      isBinary: false,
      range: { low: 0, high: 1 },
      strata: [{ instances: 2, values: levels.map((level) => Float64Array.of(level, level)) }],
    }))

  it('to expect on a further benchmark are Student’s over the benchmarks', () => {
    // numpy, scipy.stats.t.ppf(.975, 8) of the shares 1 1 1 1 0 0 0 0.5 1.
    const columns = scores([1, 1, 1, 1, 0, 0, 0, 0.5, 1].map((own) => [own, 0.5]))
    const { models } = rankModels(['a', 'b'], columns)
    expect(models[0]).toMatchObject({
      name: 'a',
      winRateLikeThese: {
        low: expect.closeTo(0.237605578286, 10) as unknown,
        high: expect.closeTo(0.984616643936, 10) as unknown,
      },
    })
  })

  it('that differ in the last digit alone share a place, by name', () => {
    // b wins 1/3 + 1/3 + 1 over three rivals, a the same in another order: 1/3 + 1 + 1/3.
    const columns = scores([
      [0.2, 0.2, 0.1, 0.9],
      [0.2, 0.9, 0.1, 0.9],
      [0.9, 0.2, 0.1, 0.9],
    ])
    const { models } = rankModels(['b', 'a', 'c', 'd'], columns)
    expect(models.map(({ name, rank }) => [name, rank])).toEqual([
      ['d', 1],
      ['a', 2],
      ['b', 2],
      ['c', 4],
    ])
  })
})
