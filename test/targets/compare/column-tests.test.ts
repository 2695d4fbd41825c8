import { expect, test } from 'vitest'
import { ColumnTests } from '../../../targets/compare/ranks/column-tests.ts'
import { pairSides, type RankColumn } from '../../../targets/compare/ranks/rank-column.ts'
import { pairOrder } from '../../../targets/statistics/paired/pair-difference.ts'
import { sumsOf } from '../../../targets/statistics/paired/sums.ts'
import { sharesOf } from '../../../targets/statistics/scale.ts'
import { minus } from '../../../targets/statistics/paired/paired-sides.ts'

const MODELS = 5
const INSTANCES = 40

/** @param gap one of so many values is missing; 0: none */
const stratum = (of: (at: number) => number, gap = 0, sources = false) => ({
  instances: INSTANCES,
  values: Array.from({ length: MODELS }, (_, model) =>
    Float64Array.from({ length: INSTANCES }, (_value, at) =>
      gap > 0 && (at + 3 * model) % gap === 1 ? NaN : of(at * 7919 + model * 31 + ((at * model) % 7) * 13),
    ),
  ),
  ...(sources && { sources: Array.from({ length: INSTANCES }, (_, at) => `s${at % 9}`) }),
})
const part = (at: number): number => (at % 97) / 97
const bit = (at: number): number => Number(at % 97 > 40)

/** Of the first two models alone. */
const partly = <Value>(values: readonly Value[]): readonly (Value | undefined)[] =>
  values.map((value, model) => (model < 2 ? value : undefined))

const UNIT = { low: 0, high: 1 }
const COLUMNS: readonly (readonly [string, Omit<RankColumn, 'benchmark'>])[] = [
  ['whole', { isBinary: false, range: UNIT, strata: [stratum(part)] }],
  ['of another scale', { isBinary: false, range: { low: -2, high: 5 }, strata: [stratum(part)] }],
  ['right or wrong', { isBinary: true, range: UNIT, strata: [stratum(bit)] }],
  ['right or wrong in two runs', { isBinary: true, range: UNIT, strata: [stratum(bit), stratum(bit)] }],
  [
    'right or wrong, most of them in one run of two alone',
    {
      isBinary: true,
      range: UNIT,
      strata: [stratum(bit), { ...stratum(bit), values: partly(stratum(bit).values) }],
    },
  ],
  ['of a scale without ends', { isBinary: false, strata: [stratum(part)] }],
  ['with gaps', { isBinary: false, range: UNIT, strata: [stratum(part, 7)] }],
  [
    'with gaps in one of two runs',
    { isBinary: false, range: UNIT, strata: [stratum(part), stratum(bit, 7)] },
  ],
  ['off its scale', { isBinary: false, range: UNIT, strata: [stratum((at) => part(at) * 1.2)] }],
  ['of shared sources', { isBinary: false, range: UNIT, strata: [stratum(part, 0, true)] }],
]

test.each(COLUMNS)('every two models are tested as two sides alone: %s', (_, given) => {
  const column = { benchmark: 'x', ...given }
  const tests = new ColumnTests(column)
  for (let one = 0; one < MODELS; one += 1)
    for (let other = 0; other < MODELS; other += 1) {
      if (one === other) continue
      const { p, direction } = pairOrder(pairSides(column, other, one), column)
      const found = tests.of(one, other)
      expect([one, other, found.p]).toEqual([one, other, p])
      expect(found.direction + 0).toBe(direction + 0)
    }
})

test('values off their scale are tested of nobody, and averaged in nothing', () => {
  const values = [Float64Array.of(0, 1, 2, 1), Float64Array.of(0, 0, 1, 0), Float64Array.of(1, 1, 0, 0)]
  const column = { benchmark: 'x', isBinary: true, range: UNIT, strata: [{ instances: 4, values }] }
  const tests = new ColumnTests(column)
  expect(tests.of(0, 1).p).toBe(null)
  expect(tests.unit(false)).toBeUndefined()
  const [, ...kept] = values
  expect(new ColumnTests({ ...column, strata: [{ instances: 4, values: kept }] }).unit(false)).toBeDefined()
})

test('differences are summed up once for both orders, on the scale or turned', () => {
  const range = { low: -2, high: 5 }
  const column = { benchmark: 'x', isBinary: false, range, strata: [stratum(part), stratum(part, 7)] }
  const tests = new ColumnTests(column)
  for (const isLowerBetter of [false, true]) {
    const [whole, holed] = tests.unit(isLowerBetter)?.strata ?? []
    const shares = column.strata[0]?.values.map((own) => sharesOf(own, range, isLowerBetter)) ?? []
    for (const [one, other] of [
      [1, 3],
      [3, 1],
      [3, 1],
      [0, 4],
    ] as const)
      expect(whole?.sums.of(one, other)).toEqual(sumsOf(minus(shares[one] ?? [], shares[other] ?? [])))
    expect(holed?.sums.of(1, 3)).toBeUndefined()
  }
  expect(new ColumnTests({ benchmark: 'x', isBinary: false, strata: [] }).unit(false)).toBeUndefined()
})
