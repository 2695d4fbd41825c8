import { describe, expect, test } from 'vitest'
import { compareModels, type SharedBenchmark } from '../../../targets/compare/compare-models.ts'
import type { ComparedRun } from '../../../targets/compare/compared-run.ts'
import { listsOf } from './made-up-compared-run.ts'
import { compareRuns } from '../../../targets/compare/compare-runs.ts'
import { winDifference } from '../../../targets/compare/win-difference.ts'
import { RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'

const METRIC = { isBinary: true, range: { low: 0, high: 1 }, lowerIsBetter: false } as const
const JURY = { isBinary: false, range: { low: 1, high: 5 }, lowerIsBetter: false } as const

interface Sketch {
  readonly benchmark: string
  readonly metric: SharedBenchmark['metric']
  readonly n: number
  readonly missing?: number
  readonly sources?: number
  readonly covered?: boolean
}

const SKETCHES: readonly Sketch[] = [
  { benchmark: 'yes or no', metric: METRIC, n: 120 },
  { benchmark: 'by note', metric: METRIC, n: 90, sources: 30 },
  { benchmark: 'jury', metric: JURY, n: 60 },
  { benchmark: 'lost', metric: JURY, n: 60, missing: 20 },
  { benchmark: 'unranked', metric: JURY, n: 40, missing: 20, covered: false },
  { benchmark: 'errors', metric: { isBinary: false, lowerIsBetter: true }, n: 50 },
]

const random = new RandomStream([1, 2], 3)

const valuesOf = ({ metric: { isBinary, range }, n, missing = 0 }: Sketch, share: number): number[] =>
  Array.from({ length: n }, () => {
    if (random.below(100) < missing) return NaN
    if (isBinary) return random.below(100) < share ? 1 : 0
    return range === undefined ? random.below(900) / 7 : 1 + random.below(5)
  })

const made = SKETCHES.map((sketch) => ({ sketch, a: valuesOf(sketch, 50), b: valuesOf(sketch, 75) }))

const shared = made.map(({ sketch: { benchmark, metric, sources, covered = true }, a, b }) => ({
  benchmark,
  group: benchmark.includes('o') ? 'with o' : 'without',
  metric,
  isRanked: covered,
  runs: [
    // One instance that A alone was asked.
    {
      scenario: benchmark,
      a: [...a, 1],
      b: [...b, undefined],
      isRanked: covered,
      ...(sources === undefined ? {} : { sources: [...a.map((_, at) => at % sources), 0] }),
    },
  ],
}))

const runOf = (
  { benchmark, metric, sources, covered = true }: Sketch,
  deployment: string,
  values: readonly number[],
): ComparedRun => ({
  suite: 'suite',
  name: `${benchmark}:model=${deployment}`,
  scenario: benchmark,
  benchmark,
  deployment,
  mainMetric: 'score',
  metrics: [{ name: 'score', split: 'test', displayName: '', description: '', ...metric }],
  coverage: new Map([['score', { evaluated: 100, measured: covered ? 100 : 50 }]]),
  coverageFloor: 0.99,
  helmMeans: new Map(),
  results: '',
  ...listsOf(
    values.map((_, at) => ({
      id: `id${at}`,
      digest: `digest ${at}`,
      ...(sources === undefined ? {} : { cluster: `note ${at % sources}` }),
    })),
  ),
  values: new Map([['score', Float64Array.from(values)]]),
})

const pairs = made.map(({ sketch, a, b }) => ({
  a: runOf(sketch, 'A', [...a, 1]),
  b: runOf(sketch, 'B', b),
}))

const rounded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'number' ? Number(each.toPrecision(10)) : each,
    ),
  )

describe('two models over all benchmarks', () => {
  const found = compareModels(shared)

  test('differ run by run as the comparison of their runs says, Holm’s p included', () => {
    const wanted = compareRuns(pairs)
    expect(wanted.map(({ result }) => result?.test)).toEqual(['mid-p', 't', 't', 'bounds', undefined, 't'])
    for (const [at, { result, unranked }] of wanted.entries()) {
      const { mde: _, medhelmMde, ...told } = result ?? { mde: null, medhelmMde: null }
      expect(rounded(found.scenarios[at]?.result)).toEqual(result === null ? null : rounded(told))
      if (result !== null) expect(found.scenarios[at]?.medhelmMde).toBeCloseTo(medhelmMde ?? NaN, 10)
      expect(found.scenarios[at]?.unranked?.common).toBe(unranked?.n)
      expect(found.scenarios[at]?.unranked?.meanA).toBe(unranked?.meanA ?? undefined)
    }
  })

  test('win against each other as often', () => {
    expect(rounded(found.wins)).toEqual(rounded(winDifference(pairs)))
    expect(found.wins?.benchmarks).toBe(5)
  })

  test('leave what is unranked, or has no ends, out of the averages', () => {
    expect(found.averaged).toBe(4)
    expect(found.groups.map(({ group, benchmarks }) => [group, benchmarks])).toEqual([
      ['with o', 3],
      ['without', 1],
    ])
    const { result } = found.groups[1] ?? {}
    const jury = found.scenarios[2]?.result
    expect(result?.difference).toBeCloseTo((jury?.difference ?? NaN) / 4, 12)
    expect(result?.p).toBeCloseTo(jury?.p ?? NaN, 10)
  })

  test('count a benchmark of several runs once', () => {
    const [benchmark] = shared
    const twice = benchmark && { ...benchmark, runs: [...benchmark.runs, ...benchmark.runs] }
    expect(twice && compareModels([twice])).toMatchObject({ averaged: 1, groups: [{ benchmarks: 1 }] })
  })

  test('count on how many instances either is better', () => {
    const { a, b } = made[0] ?? { a: [], b: [] }
    expect(found.scenarios[0]?.tally).toEqual({
      a: a.filter((value, at) => value > (b[at] ?? NaN)).length,
      b: a.filter((value, at) => value < (b[at] ?? NaN)).length,
      tied: a.filter((value, at) => value === b[at]).length,
    })
    const errors = made[5] ?? { a: [], b: [] }
    expect(found.scenarios[5]?.tally?.a).toBe(
      errors.a.filter((value, at) => value < (errors.b[at] ?? NaN)).length,
    )
  })
})

describe('two models, by hand', () => {
  test('differ over one benchmark as they do on it', () => {
    const yesOrNo = shared.filter(({ benchmark }) => benchmark === 'yes or no')
    const { scenarios, all, groups } = compareModels(yesOrNo)
    const { holm: _, ...own } = scenarios[0]?.result ?? { holm: 0 }
    expect(own).toMatchObject({ test: 'mid-p' })
    expect(all).toEqual(own)
    expect(groups[0]?.result).toMatchObject(own)
    // A lone run of a benchmark that is of several stands for itself, too.
    const rows = yesOrNo.map(({ runs, ...rest }) => ({
      ...rest,
      runs: runs.map((run) => ({ ...run, sources: run.a.map((_value, at) => at), areRows: true })),
    }))
    expect(compareModels(rows).all).toEqual(own)
  })

  type Values = readonly (number | undefined)[]
  const of = (a: Values, b: Values, metric: SharedBenchmark['metric'], sources?: readonly number[]) =>
    compareModels([
      {
        benchmark: 'x',
        group: 'g',
        metric,
        isRanked: true,
        runs: [{ scenario: 'x', a, b, isRanked: true, ...(sources && { sources }) }],
      },
    ])

  test('are turned where less is better, on both sides', () => {
    // B has 0.1, 0.1, 0.3 and 0.1 less of four points: better by 0.15 of four, 0.0375 of the scale.
    const { all, averaged } = of([3, 2, 1, 0.5], [2.9, 1.9, 0.7, 0.4], {
      ...JURY,
      range: { low: 0, high: 4 },
      lowerIsBetter: true,
    })
    expect(averaged).toBe(1)
    expect(all?.difference).toBeCloseTo(0.0375, 12)
    expect(all?.meanB).toBeCloseTo(1 - 1.475 / 4, 12)
  })

  test('are tallied on instances that both have', () => {
    const { scenarios } = of([1, 2, NaN, 4, 5, 3], [2, 1, 3, 4, NaN, 4], JURY)
    expect(scenarios[0]?.tally).toEqual({ a: 1, b: 2, tied: 1 })
  })

  test('are tallied as tied where trials that came in another order give the same mean', () => {
    const [own, other] = [(0.1 + 0.2 + 0.3) / 3, (0.3 + 0.2 + 0.1) / 3]
    expect(own).not.toBe(other)
    const { scenarios } = of([own, other, 0.1], [other, own, 0.2], METRIC)
    expect(scenarios[0]?.tally).toEqual({ a: 0, b: 1, tied: 2 })
  })

  test.each([
    ['asked of both', [1, undefined], [undefined, 2]],
    ['read of both', [1, NaN], [NaN, 2]],
  ])('count no benchmark of which no instance was %s', (_, a, b) => {
    const [other] = shared
    const lone = { benchmark: 'x', group: 'g', metric: JURY, isRanked: true }
    const found = compareModels([
      ...(other ? [other] : []),
      { ...lone, runs: [{ scenario: 'x', a, b, isRanked: true }] },
    ])
    expect(found).toMatchObject({
      averaged: 1,
      leftOut: [{ benchmark: 'x', reason: 'no common instance' }],
    })
    expect(found.groups.map(({ benchmarks }) => benchmarks)).toEqual([1, 0])
  })

  test('are averaged over nothing whose values lie off its scale, or of which nobody says what is better', () => {
    expect(of([1, 2], [2, 6], JURY)).toMatchObject({ averaged: 0, all: null })
    expect(of([1, 2], [2, 6], JURY).leftOut).toEqual([{ benchmark: 'x', reason: 'values lie off the scale' }])
    const { lowerIsBetter: _, ...undirected } = JURY
    expect(of([1, 2], [2, 3], undirected)).toMatchObject({
      averaged: 0,
      all: null,
      scenarios: [{ tally: null }],
    })
  })

  test('share the sources of the instances that both were asked', () => {
    // Of the last four, which both were asked, two are of one source.
    const { scenarios } = of([undefined, 1, 2, 3, 4], [5, 2, 4, 3, 4], JURY, [7, 7, 8, 8, 9])
    expect(scenarios[0]?.result).toMatchObject({ n: 4, common: 4, sources: 3 })
  })
})
