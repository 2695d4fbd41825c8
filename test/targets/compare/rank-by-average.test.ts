import { describe, expect, test } from 'vitest'
import { ColumnTests, type UnitColumn } from '../../../targets/compare/ranks/column-tests.ts'
import {
  averageOf,
  rankByAverage,
  type AverageRanks,
} from '../../../targets/compare/ranks/rank-by-average.ts'
import { commonScores } from '../../../targets/compare/ranks/rank-models.ts'
import { studentT, studentTail } from '../../../targets/statistics/distributions/student-t.ts'
import { finish } from '../../../targets/statistics/scale.ts'

const UNIT = { low: 0, high: 1 }
const times = <T>(count: number, of: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => of(at))
type Values = readonly number[] | undefined

/** Of one benchmark: its runs, each with the values of every model. */
const ranked = (
  runs: readonly (readonly Values[])[],
  isLowerBetter = false,
): AverageRanks & { readonly means: readonly unknown[] } => {
  const column = {
    benchmark: 'x',
    isBinary: false,
    range: UNIT,
    strata: runs.map((values) => ({
      instances: values[0]?.length ?? 0,
      values: values.map((own) => own && Float64Array.from(own)),
    })),
  }
  const unit = new ColumnTests(column).unit(isLowerBetter)
  const units = unit === undefined ? [] : [unit]
  const models = runs[0]?.map((_, model) => model) ?? []
  return {
    ...finish(rankByAverage(units, models)),
    means: models.map((model) => averageOf(units, model)?.mean),
  }
}

describe('models by their average', () => {
  const HIGH = [0.8, 0.2, 0.8, 0.2]
  const LOW = [0.4, 0.2, 0.4, 0.2]

  test('are first as often as their difference, which varies less than either, is above 0', () => {
    // Differences of 0.4, 0, 0.4 and 0: 0.2 with a standard error of √(0.04/3), z = √3, Φ(√3) = 0.9584.
    const { models, pairs } = ranked([[HIGH, LOW]])
    expect(pairs[0]?.variance).toBeCloseTo(0.04 / 3, 12)
    expect(models[0]?.first).toBeCloseTo(0.9584, 2)
    expect((models[0]?.first ?? 0) + (models[1]?.first ?? 0)).toBeCloseTo(1, 9)
  })

  test('are turned where less is better, on a scale from 0 to 1, too', () => {
    const { means, pairs } = ranked([[HIGH, LOW]], true)
    expect(means).toEqual([0.5, expect.closeTo(0.7, 12)])
    expect(pairs[0]?.direction).toBe(-1)
  })

  test('of one source have no test, no p that would be sure, and no chance to be first', () => {
    const { pairs, models } = ranked([[[0.9], [0.1]]])
    expect(pairs).toMatchObject([{ p: null, direction: 1 }])
    expect(models[0]?.onThese.marginal).toEqual({ low: 1, high: 2 })
    expect(models.map((model) => model?.first)).toEqual([null, null])
    // Nor over several runs, one of which has one source.
    expect(
      ranked([
        [HIGH, LOW],
        [[0.9], [0.1]],
      ]).models[0]?.first,
    ).toBeNull()
  })

  test('name the benchmarks of one source, which leave open who is first', () => {
    const units = [1, 2, 3].flatMap((answers) => {
      const values = [0.9, 0.1].map((value) => Float64Array.from(times(answers, () => value)))
      const column = { benchmark: `of ${answers}`, isBinary: false, range: UNIT }
      return new ColumnTests({ ...column, strata: [{ instances: answers, values }] }).unit(false) ?? []
    })
    expect(finish(rankByAverage(units, [0, 1])).untold.oneSource).toEqual(['of 1'])
  })

  test('point nowhere where what is missing could turn them round', () => {
    const own = [0.6, 0.6, 0.6, 0.6]
    // Of the last instance the difference may be −0.4 to 0.6: −0.025 to 0.225 at 0.1 of the others, 0.275 to 0.525 at 0.5.
    expect(ranked([[own, [0.5, 0.5, 0.5, NaN]]]).pairs[0]?.direction).toBe(0)
    expect(ranked([[own, [0.1, 0.1, 0.1, NaN]]]).pairs[0]?.direction).toBe(1)
    expect(ranked([[[0.1, 0.1, 0.1, NaN], own]]).pairs[0]?.direction).toBe(-1)
  })

  test('are parted on these benchmarks by Welch’s test, by one over sources where benchmarks share these', () => {
    const five = ['p1', 'p2', 'p3', 'p4', 'p5']
    const over = (
      sourcesOf: (benchmark: number) => readonly string[] | undefined,
    ): number | null | undefined => {
      const units = times(8, (benchmark) => {
        const sources = sourcesOf(benchmark)
        const own = Float64Array.from([0.5, 0.6, 0.4, 0.7, 0.1], (value) => (benchmark === 0 ? value : 0.2))
        const strata = [
          { instances: 5, values: [own, new Float64Array(5).fill(0.2)], ...(sources && { sources }) },
        ]
        const column = { benchmark: `${benchmark}`, isBinary: false, range: UNIT, strata }
        return new ColumnTests(column).unit(false) ?? []
      }).flat()
      return finish(rankByAverage(units, [0, 1])).pairs[0]?.p
    }
    // The first alone varies: its t of 4 degrees of freedom, not of 32.
    // Beside them stands what five answers that are all alike leave open.
    const open = (1 - 0.025 ** (1 / 5)) / studentT(0.95, 4)
    const alone = studentTail(0.26 / Math.sqrt(0.053 / 5 + open ** 2), 4)
    expect(over(() => undefined)).toBeCloseTo(alone, 12)
    expect(over((benchmark) => five.map((name) => `${name} of ${benchmark}`))).toBeCloseTo(alone, 12)
    // Benchmarks two and two with the patients of one: parts of a benchmark that varies and one that does not.
    expect(over((benchmark) => five.map((name) => `${name} of ${benchmark >> 1}`))).toBeCloseTo(alone, 12)
    expect(over(() => five)).toBeCloseTo(alone, 12)
  })

  test('point over several benchmarks as over one, and have no average without a run', () => {
    const over = (a: Values, b: Values) => {
      const units = ['x', 'y'].flatMap((benchmark) => {
        const strata = [{ instances: 4, values: [a, b].map((own) => own && Float64Array.from(own)) }]
        return new ColumnTests({ benchmark, isBinary: false, range: UNIT, strata }).unit(false) ?? []
      })
      return { units, direction: finish(rankByAverage(units, [0, 1])).pairs[0]?.direction }
    }
    const own = [0.6, 0.6, 0.6, 0.6]
    expect(over(own, [0.5, 0.5, 0.5, NaN]).direction).toBe(0)
    expect(over(own, [0.1, 0.1, 0.1, NaN]).direction).toBe(1)
    expect(over([0.1, 0.1, 0.1, NaN], own).direction).toBe(-1)
    expect(over(own, own).direction).toBe(0)
    const { units } = over(own, undefined)
    expect([averageOf(units, 0)?.mean, averageOf(units, 1), averageOf([], 0)]).toEqual([
      expect.closeTo(0.6, 12),
      undefined,
      undefined,
    ])
  })

  test('differ by what both have, however unevenly they lost', () => {
    // Of the first four alone: 0.4, 0, 0.4 and 0 again.
    const { pairs, means } = ranked([
      [
        [...HIGH, 0.9, NaN],
        [...LOW, NaN, 0.1],
      ],
    ])
    expect(pairs[0]?.variance).toBeCloseTo(0.04 / 3, 12)
    expect(means).toEqual([expect.closeTo(2.9 / 5, 12), expect.closeTo(1.3 / 5, 12)])
  })

  test('that are equal point nowhere, and one alone is not ranked', () => {
    expect(ranked([[HIGH, HIGH]]).pairs).toMatchObject([{ direction: 0 }])
    expect(ranked([[HIGH]])).toMatchObject({ models: [null], pairs: [], benchmarks: [] })
  })

  test('keep the ranks open that a test at 5 % does', () => {
    // scipy.stats.ttest_1samp of these differences: p 0.1672.
    const base = [0.2, 0.4, 0.3, 0.5, 0.6, 0.1]
    const better = [0.3, -0.1, 0.2, 0.1, -0.05, 0.15].map((more, at) => (base[at] ?? 0) + more)
    const { models, pairs } = ranked([[better, base]])
    expect(pairs[0]?.p).toBeCloseTo(0.167200468776, 10)
    expect(models.map((model) => model?.onThese.marginal)).toEqual([
      { low: 1, high: 2 },
      { low: 1, high: 2 },
    ])
  })

  test('have no chance to be first that a few answers alike would make sure', () => {
    const always = (value: number, count: number): number[] => Array.from({ length: count }, () => value)
    const chances = (count: number, low: number): unknown =>
      ranked([[always(0.8, count), always(low, count)]]).models.map((model) => model?.first)
    // p = 2 · (1 / 1.6)², by Gaffke; of twelve 0.007.
    expect(chances(2, 0.2)).toEqual([null, null])
    expect(chances(12, 0.2)).toEqual([1, 0])
    expect(chances(2, 0.8)).toEqual([0.5, 0.5])
  })

  test('are not surely first by three answers of a run that are all alike', () => {
    const many = times(400, (at) => at % 2)
    const few = (value: number): readonly number[] => times(3, () => value)
    const { models, pairs } = ranked([
      [many, many.toReversed(), many],
      [few(1), few(0), few(0)],
    ])
    expect(pairs.map(({ p }) => (p ?? 0) > 0.05)).toEqual([true, true, true])
    expect(models[0]?.first).toBeLessThan(0.95)
  })

  test('are shares of whatever scale the values are on', () => {
    const strata = [
      {
        instances: 4,
        values: [
          [1, 2, 2, 3],
          [0, 0, 1, 1],
        ].map((own) => Float64Array.from(own)),
      },
    ]
    const unit = new ColumnTests({
      benchmark: 'x',
      isBinary: false,
      range: { low: 0, high: 4 },
      strata,
    }).unit(false)
    const means = [0, 1].map((model) => unit && averageOf([unit], model)?.mean)
    expect(means).toEqual([0.5, 0.125])
  })

  describe('over one benchmark of right and wrong answers', () => {
    const answers = (right: number): Float64Array =>
      Float64Array.from({ length: 20 }, (_, at) => Number(at < right))
    const unitOf = (benchmark: string, isLowerBetter = false): UnitColumn[] => {
      const strata = [{ instances: 20, values: [answers(20), answers(15)] }]
      return [
        new ColumnTests({ benchmark, isBinary: true, range: UNIT, strata }).unit(isLowerBetter) ?? [],
      ].flat()
    }
    const ps = (units: readonly UnitColumn[]): unknown => {
      const [pair] = finish(rankByAverage(units, [0, 1])).pairs
      return pair && [pair.p, pair.direction]
    }

    test('have the interval and the p that the benchmark has', () => {
      // statsmodels: proportion_confint(15, 20, method='wilson'); mcnemar's mid-p of 5 and 0 is 2 · ½⁵ − ½⁵.
      expect(averageOf(unitOf('x'), 1)).toMatchObject({
        method: 'Wilson',
        interval: { low: expect.closeTo(0.5312991, 6), high: expect.closeTo(0.8881383, 6) },
      })
      expect(ps(unitOf('x'))).toEqual([expect.closeTo(0.03125, 12), 1])
      expect(ps(unitOf('x', true))).toEqual([expect.closeTo(0.03125, 12), -1])
    })

    test('are averaged as scores over two', () => {
      const units = [...unitOf('x'), ...unitOf('y')]
      expect(averageOf(units, 1)?.method).toContain('effective n')
      expect(ps(units)).not.toEqual([expect.closeTo(0.03125, 12), 1])
    })
  })

  test('have no common score where no instance has values of all', () => {
    const strata = [
      {
        instances: 2,
        values: [
          [1, NaN],
          [NaN, 1],
        ].map((own) => Float64Array.from(own)),
      },
    ]
    expect(commonScores({ strata }, 2)).toEqual([undefined, undefined])
  })

  test('have none where a run of a benchmark is lacking, and no common score either', () => {
    const runs = [
      [HIGH, LOW, LOW],
      [HIGH, undefined, LOW],
    ]
    expect(ranked(runs).models.map((model) => model !== null)).toEqual([true, false, true])
    const strata = runs.map((values) => ({
      instances: 4,
      values: values.map((own) => own && Float64Array.from(own)),
    }))
    expect(commonScores({ strata }, 3)).toEqual([0.5, undefined, expect.closeTo(0.3, 12)])
  })
})
