import { describe, expect, it } from 'vitest'
import type { BoardValues } from '../../../targets/board/board-columns.ts'
import { boardUncertainty, columnGroups, withUncertainty } from '../../../targets/board/board-uncertainty.ts'
import { intervalsOver, openRanks } from '../../../targets/board/board-ranks.ts'
import { ColumnTests } from '../../../targets/compare/ranks/column-tests.ts'
import { makeBoard, type Board } from '../../../targets/board/board.ts'
import { boardRunOf, type RunSketch } from '../aggregate/board-runs.ts'

/** 0/1 values of which `right` of `count` are 1, the same ones first for all models. */
const answers = (count: number, right: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => (index < right ? 1 : 0))

const boardOf = (
  sketches: readonly RunSketch[],
  {
    without = [],
    clusters,
    start = () => 0,
  }: {
    without?: readonly string[]
    /** Where the ids of a run begin. */
    start?: (at: number) => number
    clusters?: readonly string[] | ((at: number) => readonly string[])
  } = {},
): Board => {
  const runs = sketches.map(boardRunOf)
  const values = runs.flatMap((run, index): readonly BoardValues[] => {
    const own = Float64Array.from(sketches[index]?.values ?? [])
    const ids = Array.from(own, (_, at) => `id${start(index) + at}`)
    const sources = typeof clusters === 'function' ? clusters(index) : clusters
    const vector = { ids, values: own, ...(sources && { clusters: sources }) }
    const { deployment } = run.model
    return without.includes(deployment)
      ? []
      : [{ run: run.name, benchmark: run.benchmark.name, deployment, vector }]
  })
  const board = makeBoard('s', runs)
  return withUncertainty(board, boardUncertainty(board, values))
}

const groupsOf = ({ rows }: Board, column = 0): Readonly<Record<string, string>> =>
  Object.fromEntries(rows.map(({ model, cells }) => [model.name, cells[column]?.groups ?? '?']))

describe('the significance groups of a column', () => {
  it('share a letter where no test tells the models apart', () => {
    const board = boardOf([
      { model: 'm/good', values: answers(200, 180) },
      { model: 'm/fair', values: answers(200, 177) },
      { model: 'm/bad', values: answers(200, 90) },
    ])
    expect(groupsOf(board)).toEqual({ 'm/good': 'a', 'm/fair': 'a', 'm/bad': 'b' })
  })

  it('give two letters to a model between two that differ', () => {
    const board = boardOf([
      { model: 'm/a', values: answers(200, 100) },
      { model: 'm/b', values: answers(200, 96) },
      { model: 'm/c', values: answers(200, 91) },
    ])
    expect(groupsOf(board)).toEqual({ 'm/a': 'a', 'm/b': 'ab', 'm/c': 'b' })
  })

  it('part two whose p stays under 5 % in Holm’s family of the pairs that are tested', () => {
    const values = [Float64Array.of(2, 4, 4, 3), Float64Array.of(0, 0, 2, 2), Float64Array.of(1, 1, NaN, 1)]
    const tests = new ColumnTests({ benchmark: 'x', isBinary: false, strata: [{ instances: 4, values }] })
    expect(tests.of(0, 1).p).toBeGreaterThan(0.02)
    expect(columnGroups(tests, [3, 1, 1], false)).toEqual(['a', 'b', 'ab'])
    expect(columnGroups(tests, [3, undefined, 1], false)).toEqual(['a', '', 'a'])
    const rising = new ColumnTests({
      benchmark: 'x',
      isBinary: true,
      strata: [{ instances: 60, values: [20, 40, 58].map((right) => Float64Array.from(answers(60, right))) }],
    })
    expect(columnGroups(rising, [20, 40, 58], false)).toEqual(['c', 'b', 'a'])
    expect(columnGroups(rising, [20, 40, 58], true)).toEqual(['a', 'b', 'c'])
  })

  it('are named in the order of what places go by, not of a mean with a default for what was lost', () => {
    const runs = [
      boardRunOf({ model: 'm/good', values: answers(200, 180) }),
      boardRunOf({ model: 'm/lost', values: answers(200, 90) }),
    ]
    const values = runs.flatMap(({ name, benchmark, model, vector }) =>
      vector === undefined
        ? []
        : [{ run: name, benchmark: benchmark.name, deployment: model.deployment, vector }],
    )
    const board = makeBoard('s', runs)
    const rows = board.rows.map((row) => ({
      ...row,
      cells: row.cells.map((cell) => (row.model.name === 'm/lost' ? { ...cell, value: 0.95 } : cell)),
    }))
    const found = { ...board, rows }
    expect(groupsOf(withUncertainty(found, boardUncertainty(found, values)))).toEqual({
      'm/good': 'a',
      'm/lost': 'b',
    })
  })

  it('follow the direction of the metric, and are left out where nobody says it', () => {
    const errors = { metric: 'errors', isShare: false, isBinary: false }
    const low = Array.from({ length: 40 }, (_, index) => index % 3)
    const high = low.map((value, index) => value + 2 + (index % 2))
    const sketches = (lowerIsBetter: true | 'unknown'): readonly RunSketch[] => [
      { model: 'm/high', values: high, ...errors, lowerIsBetter },
      { model: 'm/low', values: low, ...errors, lowerIsBetter },
    ]
    expect(groupsOf(boardOf(sketches(true)))).toEqual({ 'm/low': 'a', 'm/high': 'b' })
    expect(groupsOf(boardOf(sketches('unknown')))).toEqual({ 'm/low': '', 'm/high': '' })
  })

  it('leave out models that are not ranked', () => {
    const board = boardOf([
      { model: 'm/a', values: answers(100, 90) },
      { model: 'm/b', values: answers(100, 20) },
      { model: 'm/failed', values: answers(100, 99), evaluated: 300 },
    ])
    expect(groupsOf(board)).toEqual({ 'm/a': 'a', 'm/b': 'b', 'm/failed': '' })
  })

  it('count instances of one source as one piece of evidence', () => {
    const better = answers(60, 40)
    const worse = better.map((value, index) => (index < 12 ? 0 : value))
    const sketches = [
      { model: 'm/a', values: better },
      { model: 'm/b', values: worse },
    ]
    const patients = better.map((_, index) => `patient ${Math.floor(index / 12)}`)
    expect(groupsOf(boardOf(sketches))).toEqual({ 'm/a': 'a', 'm/b': 'b' })
    expect(groupsOf(boardOf(sketches, { clusters: patients }))).toEqual({ 'm/a': 'a', 'm/b': 'a' })
  })
})

describe('the doubt about a place', () => {
  const columns = (model: string, level: number): readonly RunSketch[] =>
    ['x', 'y', 'z'].map((benchmark) => ({ benchmark, model, values: answers(100, level) }))

  it('is none for a model that wins everywhere, and spans the places of two that are alike', () => {
    const { rows } = boardOf([...columns('m/a', 95), ...columns('m/b', 50), ...columns('m/c', 50)])
    expect(rows.map(({ rank }) => openRanks(rank))).toEqual([
      { low: 1, high: 1 },
      { low: 2, high: 3 },
      { low: 2, high: 3 },
    ])
    expect(rows.map(({ rank }) => rank?.behind)).toEqual([[], [0, 0], [0, 0]])
    const apart = boardOf([...columns('m/a', 95), ...columns('m/b', 70), ...columns('m/c', 40)])
    expect(apart.rows.map(({ rank }) => rank?.behind)).toEqual([[], [0, 0], [0, 1]])
    expect(rows[0]?.rank).toMatchObject({
      winRate: { low: 1, high: 1 },
      winRateLikeThese: null,
      likeTheseReason: 'fewer than 8 benchmarks',
      average: { onThese: { simultaneous: { low: 1, high: 1 } }, likeThese: null, first: 1 },
    })
  })

  it('takes a source that benchmarks share for one', () => {
    // Two benchmarks of the same six patients, who decide how a model does.
    const patients = Array.from({ length: 60 }, (_, at) => `source ${at % 6}`)
    const sketches = ['x', 'y'].flatMap((benchmark) => [
      { model: 'm/a', benchmark, values: patients.map((_, at) => Number(at % 6 < 5 || at < 6)) },
      { model: 'm/b', benchmark, values: patients.map((_, at) => Number(at % 6 < 3 || at < 6)) },
    ])
    const width = (clusters: (at: number) => readonly string[]): number => {
      const { rows } = boardOf(sketches, { clusters })
      const { low = NaN, high = NaN } = rows[0]?.averageInterval ?? {}
      return high - low
    }
    const shared = width(() => patients)
    const apart = width((at) => patients.map((patient) => `${patient} of ${sketches[at]?.benchmark}`))
    expect(shared).toBeGreaterThan(1.2 * apart)
  })

  it('names benchmarks that leave it open as two models share no instance of them', () => {
    const sketches = ['ward', 'clinic'].flatMap((benchmark) => [
      { benchmark, model: 'm/a', values: answers(60, 60) },
      { benchmark, model: 'm/b', values: answers(60, 1) },
    ])
    const untold = (start?: (at: number) => number) =>
      boardOf(sketches, start && { start }).rows.map(({ rank }) => rank?.untold)
    const clinic = { oneSource: [], unshared: ['clinic'] }
    expect(untold((at) => (at === 3 ? 60 : 0))).toEqual([clinic, clinic])
    expect(untold()).toEqual([undefined, undefined])
  })

  it('is not told where a ranked run’s values are missing', () => {
    const { rows } = boardOf([...columns('m/a', 95), ...columns('m/b', 50)], { without: ['m/b'] })
    expect(rows.map(({ rank }) => rank)).toEqual([null, null])
    expect(rows.map(({ cells }) => cells[0]?.groups)).toEqual(['', ''])
  })
})

describe('the interval of an average', () => {
  const unit = new ColumnTests({
    benchmark: 'x',
    isBinary: true,
    range: { low: 0, high: 1 },
    strata: [{ instances: 50, values: [30, 45].map((right) => Float64Array.from(answers(50, right))) }],
  }).unit(false)

  it('is of those that have one, and of none where a benchmark’s values are not at hand', () => {
    const [first, second] = intervalsOver([unit], [true, false])
    expect(second).toBeNull()
    expect(first?.low).toBeLessThan(0.6)
    expect(first?.high).toBeGreaterThan(0.6)
    expect(intervalsOver([unit, undefined], [true, true])).toEqual([null, null])
  })
})
