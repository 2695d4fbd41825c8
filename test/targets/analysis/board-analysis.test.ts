import { expect, test } from 'vitest'
import type { BenchmarkSummary } from '../../../benchmarks/lookup/list.ts'
import { makeBoard } from '../../../targets/board/board.ts'
import { analyze } from '../../../targets/analysis/analysis.ts'
import { SHARE } from '../../../targets/analysis/score-table.ts'
import { boardAnalysis, detectableEffects } from '../../../targets/analysis/board-analysis.ts'
import { madeUpTarget } from '../../rig/made-up-run.ts'
import { boardRunOf } from '../aggregate/board-runs.ts'
import { madeUpComparedRun } from '../compare/made-up-compared-run.ts'

test('A suite’s standings go by what its board’s do: a default for what was lost counts in none of them', () => {
  const board = makeBoard('s', [
    boardRunOf({ model: 'm/a', values: [1, 1, 0, 1] }),
    boardRunOf({ model: 'm/b', values: [1, 0, 0, 1] }),
    boardRunOf({ model: 'm/lost', values: [1, 1, 1, 1], evaluated: 40 }),
  ])
  const rows = board.rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell) => (row.label === 'm/b' ? { ...cell, value: 0.95 } : cell)),
  }))
  const { standings } = boardAnalysis({ ...board, rows }, { benchmarks: [], detectable: null })
  expect(standings.map(({ model, winRate }) => [model, winRate])).toEqual([
    ['m/a', 1],
    ['m/b', 0],
    ['m/lost', null],
  ])
  expect(standings.map(({ model, winRate }) => [model, winRate])).toEqual(
    board.rows.map(({ label, winRate }) => [label, winRate]),
  )
})

test('How far win rates are from published ones is the greatest gap, whichever model has it', () => {
  const columns = [
    [0.9, 0.5, 0.1],
    [0.9, 0.1, 0.5],
  ].map((values, at) => ({ benchmark: `b${at}`, values, lowerIsBetter: false, scale: SHARE }))
  const table = { models: ['a', 'b', 'c'], columns }
  const gap = (...winRates: readonly (number | null)[]) => analyze('s', table, { winRates }).winRateGap
  expect(gap(1, 0.5, 0.25)).toBe(0.25)
  expect(gap(0.75, null, 0.125)).toBe(0.25)
  expect(gap(1, 0.5, 0.75)).toBe(0.5)
})

test('Averages leave out a benchmark of which values lie off the scale, as its board does', () => {
  const runs = [
    [0.5, 0.5, 0.25, 1.5],
    [0.25, 0.25, 0.5, 0.5],
  ].flatMap(([a = 0, b = 0, c = 0, d = 0], at) => {
    const run = boardRunOf({ model: `m/${at}`, values: [a, b], isBinary: false })
    const other = boardRunOf({ model: `m/${at}`, values: [c, d], isBinary: false })
    return [run, { ...other, benchmark: { ...other.benchmark, name: 'other', displayName: 'Other' } }]
  })
  const board = makeBoard('s', runs)
  const { standings, unscaled } = boardAnalysis(board, { benchmarks: [], detectable: null })
  expect(unscaled).toEqual(['Other'])
  expect(standings.map(({ macroAverage }) => macroAverage)).toEqual(board.rows.map(({ average }) => average))
})

test('Averages are those of the board, also of scales of one’s own and where less is better', () => {
  const runs = [1, 2].flatMap((model) => [
    boardRunOf({ model: `m/${model}`, values: [model / 4, 0.5], lowerIsBetter: true, isBinary: false }),
    boardRunOf({
      model: `m/${model}`,
      benchmark: 'points',
      isBinary: false,
      range: { low: -5, high: 5 },
      values: [-model, 4],
    }),
  ])
  const board = makeBoard('s', runs)
  const { standings, unscaled } = boardAnalysis(board, { benchmarks: [], detectable: null })
  expect(unscaled).toEqual([])
  expect(standings.map(({ macroAverage }) => macroAverage)).toEqual(board.rows.map(({ average }) => average))
  expect(board.rows.map(({ average }) => average)).toEqual([0.6375, 0.55])
})

test('A benchmark of which no detectable effect can be told is named, with what it lacks', () => {
  const board = makeBoard('s', [boardRunOf({ model: 'm/a', values: [1, 0] })])
  const [name] = board.benchmarks.map((each) => each.displayName)
  expect(detectableEffects(board, [], [])).toEqual({
    detectable: [],
    undetectable: [{ benchmark: name, lacks: 'scale' }],
  })
})

test('Detectable effects are told by the names of readers, and what no two models answered lacks pairs', () => {
  const names = ['ward', 'clinic', 'notes']
  const board = makeBoard(
    's',
    names.map((benchmark) => {
      const run = boardRunOf({ benchmark, values: [1, 0] })
      return { ...run, benchmark: { ...run.benchmark, displayName: `The ${benchmark}` } }
    }),
  )
  const built = ['ward', 'clinic'].map((name) => ({
    target: madeUpTarget({ instances: [], benchmark: { name } }),
  }))
  const instances = ['x', 'y', 'z'].map((id) => ({ id, digest: id }))
  const runs = ['a', 'b'].map((deployment, own) =>
    madeUpComparedRun({ name: `ward:model=${deployment}`, scenario: 'ward', deployment }, instances, (at) =>
      Number(at === own),
    ),
  )
  const { detectable, undetectable } = detectableEffects(board, built, runs)
  expect(detectable.map(({ benchmark, pairs }) => [benchmark, pairs])).toEqual([['The ward', 1]])
  expect(undetectable).toEqual([
    { benchmark: 'The clinic', lacks: 'pairs' },
    { benchmark: 'The notes', lacks: 'scale' },
  ])
})

test('A heatmap tells of each benchmark what it belongs to, where that is known', () => {
  const column = { benchmark: 'b', values: [0.5], lowerIsBetter: false, scale: SHARE }
  const columns = [{ ...column, category: 'Notes', subcategory: 'Visits' }, column]
  expect(analyze('s', { models: ['a'], columns }, {}).heatmap).toMatchObject([
    { category: 'Notes', subcategory: 'Visits' },
    { category: null, subcategory: null },
  ])
})

test('Benchmarks without a category count as Other, as on the board, with those that name it', () => {
  const of = (value: number, category?: string) => ({
    benchmark: `b${value}`,
    scale: SHARE,
    lowerIsBetter: false,
    values: [value],
    ...(category !== undefined && { category }),
  })
  const columns = [of(0.25, 'Other'), of(0.5, 'Notes'), of(0.75)]
  expect(analyze('s', { models: ['a'], columns }, {}).categories).toEqual([
    { category: 'Other', benchmarks: ['b0.25', 'b0.75'], values: [0.5] },
    { category: 'Notes', benchmarks: ['b0.5'], values: [0.5] },
  ])
})

test('Subcategories of two categories that share a name are told apart', () => {
  const column = (value: number, category?: string, subcategory = 'Other') => ({
    benchmark: `${category}`,
    scale: SHARE,
    lowerIsBetter: false,
    values: [value],
    ...(category !== undefined && { category }),
    subcategory,
  })
  const columns = [
    column(0.25, 'Notes'),
    column(0.75, 'Letters'),
    column(0.5, 'Notes'),
    column(1, 'Notes', 'Short'),
  ]
  const { subcategories } = analyze('s', { models: ['a'], columns: [...columns, column(0)] }, {})
  expect(subcategories.map(({ category, values }) => [category, ...values])).toEqual([
    ['Notes: Other', 0.375],
    ['Letters: Other', 0.75],
    ['Short', 1],
    ['Other', 0],
  ])
})

test('Means by category are of the benchmarks that the taxonomy puts there', () => {
  const runs = [0.25, 0.75].flatMap((value, at) =>
    ['x', 'y'].map((benchmark) =>
      boardRunOf({ model: `m/${at}`, benchmark, values: [value, value], isBinary: false }),
    ),
  )
  const known: BenchmarkSummary = {
    name: 'x',
    displayName: 'X',
    description: '',
    origin: 'workspace',
    file: 'x.yaml',
    access: 'public',
    category: 'Notes',
    subcategory: 'Visits',
    mainMetric: { name: 'exact_match', split: 'test' },
    errata: [],
    groups: [],
    protocols: [],
    arguments: [],
  }
  const { categories, subcategories } = boardAnalysis(makeBoard('s', runs), {
    benchmarks: [known],
    detectable: null,
  })
  const of = (category: string) => ({ category, benchmarks: ['x'], values: [0.75, 0.25] })
  expect(categories.slice(0, 1)).toEqual([of('Notes')])
  expect(subcategories.slice(0, 1)).toEqual([of('Visits')])
})
