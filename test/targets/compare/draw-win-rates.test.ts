import { describe, expect, it } from 'vitest'
import { winRates } from '../../../targets/aggregate/win-rate.ts'
import { drawWinRates } from '../../../targets/compare/draw-win-rates.ts'
import type { RankColumn, RankStratum } from '../../../targets/compare/rank-column.ts'
import { RandomStream, randomKey } from '../../../targets/statistics/random-stream.ts'

const MODELS = 5
const RESAMPLES = 300
const key = randomKey('a test')

/** Random scores from 1 to 5, some missing, some models not run. */
const stratum = (instances: number, random: RandomStream, clusters?: Int32Array): RankStratum => ({
  instances,
  ...(clusters === undefined ? {} : { clusters }),
  values: Array.from({ length: MODELS }, () =>
    random.below(12) === 0
      ? undefined
      : Float64Array.from({ length: instances }, () => (random.below(20) === 0 ? NaN : 1 + random.below(5))),
  ),
})

/** The means of one resample, instance by instance. */
const plainMeans = (
  strata: readonly RankStratum[],
  stream: RandomStream,
): readonly (number | undefined)[] => {
  const drawn = strata.map(({ instances, clusters }) => {
    const sourceOf = Array.from({ length: instances }, (_, at) => clusters?.[at] ?? at)
    return Array.from({ length: new Set(sourceOf).size }, () => stream.below(new Set(sourceOf).size)).flatMap(
      (source) => sourceOf.flatMap((own, at) => (own === source ? [at] : [])),
    )
  })
  return Array.from({ length: MODELS }, (_, model) => {
    const means = strata.map(({ values }, index) => {
      const own = (drawn[index] ?? [])
        .map((at) => values[model]?.[at] ?? NaN)
        .filter((each) => !Number.isNaN(each))
      return own.length === 0 ? NaN : own.reduce((a, b) => a + b, 0) / own.length
    })
    const mean = means.reduce((a, b) => a + b, 0) / means.length
    return Number.isNaN(mean) ? undefined : Number(mean.toPrecision(12))
  })
}

describe('win rates in resamples', () => {
  it('are those of columns and sources drawn one by one', () => {
    const random = new RandomStream(key, 0)
    const columns: readonly RankColumn[] = [
      { benchmark: 'plain', lowerIsBetter: false, strata: [stratum(30, random)] },
      { benchmark: 'lower', lowerIsBetter: true, strata: [stratum(7, random)] },
      {
        benchmark: 'clustered',
        lowerIsBetter: false,
        strata: [
          stratum(
            20,
            random,
            Int32Array.from({ length: 20 }, (_, at) => at % 6),
          ),
        ],
      },
      { benchmark: 'two runs', lowerIsBetter: false, strata: [stratum(9, random), stratum(13, random)] },
    ]
    const drawn = drawWinRates(columns, { models: MODELS, resamples: RESAMPLES, key })
    for (let resample = 0; resample < RESAMPLES; resample += 1) {
      const stream = new RandomStream(key, resample)
      const chosen = columns.flatMap(() => columns[stream.below(columns.length)] ?? [])
      const plain = winRates(
        chosen.map(({ lowerIsBetter = false, strata }) => ({
          lowerIsBetter,
          values: plainMeans(strata, stream),
        })),
        MODELS,
      )
      expect(drawn.map((rates) => rates[resample])).toEqual(plain.map((rate) => rate ?? NaN))
    }
  })

  it('part a win where sums of thirds are equal but for their last digit', () => {
    const values = [
      [1 / 3, 2 / 3, 4 / 3],
      [4 / 3, 2 / 3, 1 / 3],
    ].map((own) => Float64Array.from({ length: 300 }, (_, at) => own[Math.floor(at / 100)] ?? 0))
    const clusters = Int32Array.from({ length: 300 }, (_, at) => at % 100)
    const column = { benchmark: 'x', lowerIsBetter: false, strata: [{ instances: 300, values, clusters }] }
    const [one] = drawWinRates([column], { models: 2, resamples: 200, key })
    expect(new Set(one)).toEqual(new Set([0.5]))
  })

  it('keep the place of a value that is not finite', () => {
    const values = [0, Infinity, -Infinity].map((value) => Float64Array.from({ length: 10 }, () => value))
    const column = { benchmark: 'x', lowerIsBetter: false, strata: [{ instances: 10, values }] }
    const rates = drawWinRates([column], { models: 3, resamples: 3, key })
    expect(rates.map((own) => [...own])).toEqual([
      [0.5, 0.5, 0.5],
      [1, 1, 1],
      [0, 0, 0],
    ])
  })
})
