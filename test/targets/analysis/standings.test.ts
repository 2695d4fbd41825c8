import { describe, expect, it } from 'vitest'
import { categoryMeans } from '../../../targets/analysis/category-means.ts'
import { RATING, SHARE, type ScoreColumn, type ScoreTable } from '../../../targets/analysis/score-table.ts'
import { standings, type ModelStanding } from '../../../targets/analysis/standings.ts'

const column = (
  benchmark: string,
  values: readonly (number | null)[],
  rest: Partial<ScoreColumn> = { scale: SHARE, lowerIsBetter: false },
): ScoreColumn => ({ benchmark, values, ...rest })

const table = (...columns: readonly ScoreColumn[]): ScoreTable => ({ models: ['a', 'b', 'c'], columns })

const standingOf = (of: ScoreTable, model: string): ModelStanding | undefined =>
  standings(of)
    .map(({ standing }) => standing)
    .find((each) => each.model === model)

describe('standings', () => {
  it('put the best win rate first, and equals in the order of the table', () => {
    const order = standings(table(column('x', [0.1, 0.9, 0.9]), column('y', [0.2, 0.5, 0.5])))
    expect(order.map(({ row, standing }) => [row, standing.model])).toEqual([
      [1, 'b'],
      [2, 'c'],
      [0, 'a'],
    ])
  })

  it('measure how unlike the win rates against single opponents are; a tie wins nothing', () => {
    // a beats b always, c never, and ties with c once: 1 and 0, deviation 0.5.
    const of = table(column('x', [0.5, 0.1, 0.9]), column('y', [0.5, 0.1, 0.5]))
    expect(standingOf(of, 'a')?.winRateSd).toBe(0.5)
    expect(standingOf(of, 'a')?.winRate).toBe((0.5 + 0.75) / 2)
  })

  it('compare two models on the benchmarks that both have', () => {
    const of = table(column('x', [0.5, 0.1, null]), column('y', [0.5, null, 0.4]))
    expect(standingOf(of, 'a')?.winRateSd).toBe(0)
    // b and c have none in common, and c neither one that says which end is the better.
    const apart = table(
      column('x', [0.5, 0.1, null]),
      column('y', [0.5, null, null]),
      column('z', [0.2, 0.1, 0.4], { scale: SHARE }),
    )
    expect(standings(apart).map(({ standing: { model, winRateSd } }) => [model, winRateSd])).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', null],
    ])
  })

  it('turn wins and means around where less is better', () => {
    const of = table(
      column('x', [0.4, 0.1, 0.2]),
      column('y', [0.75, 0.5, 0.25], { scale: SHARE, lowerIsBetter: true }),
    )
    expect(standingOf(of, 'c')).toMatchObject({ winRate: 0.75, macroAverage: 0.475 })
  })

  it('average ratings as (x − 1) / 4 with shares', () => {
    const of = table(
      column('x', [0.5, 1, 0]),
      column('y', [4, 5, 1], { scale: RATING, lowerIsBetter: false }),
    )
    expect(standingOf(of, 'a')).toMatchObject({ macroAverage: 0.625 })
    expect(standingOf(of, 'b')).toMatchObject({ macroAverage: 1, macroSd: 0 })
    expect(standingOf(of, 'a')?.macroSd).toBeCloseTo(Math.sqrt(2 * 0.125 ** 2), 12)
  })

  it('take a rating of 1 from all models for the worst, not for the best', () => {
    const of = table(column('y', [1, 1, 1], { scale: RATING, lowerIsBetter: false }))
    expect(standingOf(of, 'a')?.macroAverage).toBe(0)
  })

  it('give no macro-average to a model that lacks a benchmark', () => {
    const of = table(column('x', [0.5, 0.1, 0.9]), column('y', [null, 0.1, 0.5]))
    expect(standingOf(of, 'a')).toMatchObject({ macroAverage: null, macroSd: null })
    expect(standingOf(of, 'b')?.macroAverage).toBeCloseTo(0.1, 12)
  })

  it('put a model last that lacks a benchmark, and count no benchmark that only one model has', () => {
    const of = table(
      column('x', [0.5, 0.1, 0.9]),
      column('y', [0.5, 0.1, null]),
      column('z', [null, null, 0.2]),
      column('lost', [null, null, null]),
    )
    expect(
      standings(of).map(({ standing: { model, winRateBenchmarks } }) => [model, winRateBenchmarks]),
    ).toEqual([
      ['a', 2],
      ['b', 2],
      ['c', 1],
    ])
    expect(standingOf(of, 'a')?.macroAverage).toBe(0.5)
  })

  it('know nothing of a model that stands alone', () => {
    expect(standings({ models: ['a'], columns: [column('x', [0.5])] })[0]?.standing).toEqual({
      model: 'a',
      winRate: null,
      winRateBenchmarks: 0,
      winRateSd: null,
      macroAverage: 0.5,
      macroSd: null,
    })
  })
})

describe('means by category', () => {
  const of = (category: string, values: readonly (number | null)[], more: Partial<ScoreColumn> = {}) =>
    column(category, values, { scale: SHARE, lowerIsBetter: false, category, ...more })

  it('are of models that have all of its benchmarks, ratings as shares of their scale', () => {
    const found = categoryMeans(
      table(
        of('Notes', [0.5, 0.25, null]),
        of('Notes', [4, 2, 5], { scale: RATING }),
        of('Letters', [1, 0.5, 0.75]),
        of('Notes', [0.5, 0.75, 0.75], { lowerIsBetter: true }),
        // Nobody says what its scores can be, only one has it, or it belongs nowhere.
        column('open', [0.3, 0.3, 0.3], { category: 'Notes', lowerIsBetter: false }),
        of('Letters', [0.2, null, null]),
        column('other', [0.9, 0.9, 0.9]),
      ),
      ({ category }) => category,
    )
    expect(found).toEqual([
      { category: 'Notes', benchmarks: ['Notes', 'Notes', 'Notes'], values: [1.75 / 3, 0.25, null] },
      { category: 'Letters', benchmarks: ['Letters'], values: [1, 0.5, 0.75] },
    ])
  })
})
