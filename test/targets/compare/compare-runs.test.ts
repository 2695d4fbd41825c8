import { describe, expect, test } from 'vitest'
import { areEqual, compareRuns } from '../../../targets/compare/compare-runs.ts'
import { verdictOf } from '../../../targets/compare/compare-sides.ts'
import type { ComparedRun } from '../../../targets/compare/compared-run.ts'
import { madeUpComparedRun } from './made-up-compared-run.ts'

const runOf = (deployment: string, rows: readonly number[], score: (at: number) => number): ComparedRun =>
  madeUpComparedRun(
    { name: `ward:model=${deployment}`, scenario: 'ward', deployment },
    rows.map((row) => ({ id: `id${row}`, digest: `row ${row}` })),
    score,
  )
const places = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, at) => from + at)

describe('two runs', () => {
  // A was asked rows 0 to 49, B rows 2 to 49, of which it lost one, and seven more.
  const a = { ...runOf('a', places(0, 50), (at) => Number(at % 2 === 0)), helmMeans: new Map([['em', 0.5]]) }
  const b = {
    ...runOf('b', places(2, 57), (at) => (at === 3 ? NaN : 1)),
    helmMeans: new Map([['em', 0.9]]),
    coverageFloor: 0.9,
  }

  test('are told with what has no counterpart and what was lost, side by side', () => {
    const [row] = compareRuns([{ a, b }])
    expect(row).toMatchObject({ unpairedA: 2, unpairedB: 7, lostA: 0, lostB: 1 })
    expect(row).toMatchObject({ helmA: 0.5, helmB: 0.9, runA: 'ward:model=a', runB: 'ward:model=b' })
    expect(row).toMatchObject({ isMain: true, unranked: null, result: { common: 47, n: 48 } })
    const beside = { ...b, mainMetric: 'other' }
    expect(compareRuns([{ a, b: beside }])[0]?.isMain).toBe(false)
  })

  test('are equal in every value, and in what has none only where the very same reply left it open', () => {
    const open = runOf('a', places(0, 3), (at) => (at === 0 ? NaN : 1))
    const by = (results: string) => ({
      ...open,
      instances: open.instances.map((each) => ({ ...each, results })),
    })
    const equal = (one: ComparedRun, two: ComparedRun) => areEqual({ a: one, b: two })
    expect([equal(a, a), equal(a, b), equal(open, open)]).toEqual([true, false, false])
    expect([equal(by('x'), by('x')), equal(by('x'), by('y')), equal(a, by('x'))]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('say why values of the main metric were lost, and nothing that loses none', () => {
    const causes = { truncated: 3, 'judge-unparseable': 1 }
    const [row] = compareRuns([{ a, b: { ...b, causes } }])
    expect(row).toMatchObject({ causesA: {}, causesB: { 'judge-unparseable': 1 } })
    expect(row?.causesB).not.toHaveProperty('truncated')
    expect(compareRuns([{ a, b: { ...b, causes, mainMetric: 'other' } }])[0]?.causesB).toEqual({})
  })

  test('name the largest falls of single instances where values are not right or wrong alone', () => {
    const metrics = (lowerIsBetter: boolean) =>
      a.metrics.map((each) => ({ ...each, isBinary: false, lowerIsBetter }))
    const fallen = (lowerIsBetter: boolean) => {
      const graded = runOf('b', places(0, 50), (at) => (at % 2 === 0 ? 1 - at / 100 : 0.25))
      const more = { metrics: metrics(lowerIsBetter) }
      return compareRuns([{ a: { ...a, ...more }, b: { ...graded, ...more } }])[0]?.largestFalls
    }
    expect(fallen(false)).toEqual([0.48, 0.46, 0.44].map((fall) => expect.closeTo(fall, 12) as unknown))
    expect(fallen(true)).toEqual([0.25, 0.25, 0.25])
    expect(compareRuns([{ a, b }])[0]?.largestFalls).toEqual([])
  })

  test('are not tested where one of them lacks too much, and it is said which', () => {
    const lost = { ...b, coverage: new Map([['em', { evaluated: 55, measured: 20 }]]) }
    const [ofB] = compareRuns([{ a, b: lost }])
    expect(ofB).toMatchObject({ result: null, unranked: { a: null, b: { measured: 20, floor: 0.9 } } })
    const [ofA] = compareRuns([{ a: lost, b: a }])
    expect(ofA).toMatchObject({ result: null, unranked: { a: { measured: 20 }, b: null } })
  })
  test('are compared by metrics that both have, and by no main metric that they don’t share', () => {
    const metric = (name: string) => a.metrics.map((each) => ({ ...each, name }))
    const more = { ...b, metrics: [...b.metrics, ...metric('only b’s')] }
    expect(compareRuns([{ a, b: more }]).map((row) => row.metric)).toEqual(['em'])
    const others = { ...b, mainMetric: 'f1', main: metric('f1')[0] ?? a.metrics[0], metrics: metric('f1') }
    expect(compareRuns([{ a, b: others as ComparedRun }])).toEqual([])
  })

  test('say of a metric whose direction nobody tells that it is not known', () => {
    const undirected = { ...b, metrics: b.metrics.map(({ lowerIsBetter: _direction, ...metric }) => metric) }
    expect(compareRuns([{ a, b: undirected }])[0]?.lowerIsBetter).toBeNull()
  })
})

test('a difference is one below 5 %, and inconclusive where only bounds are known', () => {
  const of = (
    holm: number | null,
    difference: number,
    test: 't' | 'bounds' = 't',
    { high = 0.1, strict = 0.2 }: { readonly high?: number; readonly strict?: number } = {},
  ) =>
    verdictOf({ holm, difference, test, bounds: { low: -0.1, high }, strict: { interval: null, p: strict } })
  expect([of(0.049, 0.1), of(0.049, -0.1), of(0.05, 0.1)]).toEqual(['more', 'less', 'no difference'])
  expect([of(0.2, 0.1, 'bounds'), of(0.01, 0.1, 'bounds'), of(null, 0.1)]).toEqual([
    'inconclusive',
    'more',
    'not tested',
  ])
  expect(of(1, 0, 'bounds', { high: -0.1 })).toBe('no difference')
  // Unread replies that turn nothing leave open only what is sure without them.
  expect(of(0.2, -0.08, 'bounds', { high: -0.05 })).toBe('no difference')
  expect(of(0.2, -0.08, 'bounds', { high: -0.05, strict: 0.01 })).toBe('inconclusive')
})
