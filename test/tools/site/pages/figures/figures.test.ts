import { renderToString } from 'preact-render-to-string'
import { h } from 'preact'
import { describe, expect, test } from 'vitest'
import { formatLack, formatRange, formatValue } from '../../../../../cache/words/number-text.ts'
import { CategoryDots } from '../../../../../tools/site/pages/figures/category-dots.tsx'
import { pointText } from '../../../../../tools/site/pages/figures/front-drawing.tsx'
import { layoutFront } from '../../../../../tools/site/pages/figures/front-layout.ts'
import { FRONT_AXES, frontPoints } from '../../../../../tools/site/pages/figures/front-points.ts'
import { frontAxis, FrontTable } from '../../../../../tools/site/pages/figures/front-figure.tsx'
import {
  along,
  labelBox,
  overlap,
  type LabelBox,
} from '../../../../../tools/site/pages/figures/place-labels.ts'
import { figuresPage } from '../../../../../tools/site/pages/figures/page.tsx'
import { RankIntervals } from '../../../../../tools/site/pages/figures/rank-intervals.tsx'
import { ScoreHeatmap } from '../../../../../tools/site/pages/figures/score-heatmap.tsx'
import { boardView } from '../../../../../tools/site/pages/leaderboard/board/board-view.ts'
import { makeBoardData } from '../../../../../tools/site/pages/leaderboard/board/make-board-data.ts'
import { DEFAULT_STATE } from '../../../../../tools/site/pages/leaderboard/state.ts'
import type { Board } from '../../../../../targets/board/board.ts'
import { madeUpBoard } from '../../../../bench/made-up-board.ts'

import { oddSuite } from '../../odd-suites.ts'
import { tableOf } from '../../page-text.ts'
import { ODD_NAMES } from './odd-names.ts'

const board = madeUpBoard({ models: 8, benchmarks: 10 })
const viewOf = (of: typeof board) => boardView(makeBoardData({ board: of, runs: [] }), DEFAULT_STATE)

/** Pieces of a page that lie on each other: texts, leaders, points. */
const overlaps = (of: typeof board, width: number, key = 'cost'): readonly string[] => {
  const view = viewOf(of)
  const layout = layoutFront(view, frontAxis(key, view), width)
  if (layout === undefined) return ['nothing drawn']
  const { points, frame } = layout
  const marks = points.map(({ x, y }): LabelBox => ({ left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 }))
  const pieces = points.flatMap(({ label, text }, index) =>
    label === undefined
      ? []
      : [
          { of: index, box: labelBox(text, label) },
          ...(label.leader === undefined ? [] : along(label.leader, 0.5)).map((box) => ({ of: index, box })),
        ],
  )
  const textOf = (index: number): string => points[index]?.text ?? ''
  return pieces.flatMap(({ of: own, box }, at) => [
    ...(box.left < frame.left || box.right > width ? [`${textOf(own)} leaves the frame`] : []),
    ...pieces
      .slice(at + 1)
      .filter((other) => other.of !== own && overlap(box, other.box))
      .map((other) => `${textOf(own)} and ${textOf(other.of)}`),
    ...marks.flatMap((mark, point) =>
      point !== own && overlap(box, mark) ? [`${textOf(own)} on point ${point}`] : [],
    ),
  ])
}

const relabelled = (labels: readonly string[]): typeof board => ({
  ...board,
  rows: board.rows.map((row, at) => ({ ...row, label: labels[at % labels.length] ?? '' })),
})

describe('the figures', () => {
  for (const models of [9, 13, 100])
    test(`have no label on another, on a point or out of the frame with ${models} models, at any width`, () => {
      for (const width of [320, 700, 960, 1800])
        for (const axis of ['cost', 'latency'])
          expect(overlaps(madeUpBoard({ models, benchmarks: 12 }), width, axis)).toEqual([])
    })

  test('label every model where there is room, and the front where there is none for all', () => {
    const unlabelled = (models: number, width: number, among: 'all' | 'front'): readonly string[] => {
      const view = viewOf(madeUpBoard({ models, benchmarks: 12 }))
      return (layoutFront(view, frontAxis('cost', view), width)?.points ?? ['nothing' as never])
        .filter(({ isFront, label }) => label === undefined && (among === 'all' || isFront))
        .map(({ text }) => text)
    }
    for (const width of [1232, 1400, 1872]) {
      expect(unlabelled(9, width, 'all')).toEqual([])
      expect(unlabelled(13, width, 'all')).toEqual([])
      expect(unlabelled(100, width, 'front')).toEqual([])
    }
  })

  test('give long, wide and right-to-left names the room that they take', () => {
    const odd = relabelled(ODD_NAMES)
    for (const width of [320, 960, 1800]) expect(overlaps(odd, width)).toEqual([])
  })

  test('show models without a price at the side, unless they are many', () => {
    const priced = (isPriced: (at: number) => boolean): typeof board => ({
      ...board,
      rows: board.rows.map((row, at) => ({
        ...row,
        spent: row.spent && { ...row.spent, usd: isPriced(at) ? 10 * (at + 1) : null },
      })),
    })
    const layoutOf = (of: typeof board) => layoutFront(viewOf(of), frontAxis('cost', viewOf(of)), 1232)
    const some = layoutOf(priced((at) => at > 1))
    const shelved = some?.points.filter(({ value }) => value === null) ?? []
    expect(shelved.length).toBe(2)
    for (const { x, isFront } of shelved) {
      expect(x).toBeGreaterThan(some?.shelf ?? Infinity)
      expect(isFront).toBe(false)
    }
    expect(
      overlaps(
        priced((at) => at > 1),
        1232,
      ),
    ).toEqual([])
    expect(layoutOf(priced((at) => at > 6))?.points.length).toBe(1)
    expect(layoutOf(priced(() => true))?.shelf).toBeUndefined()
  })

  test('have a model without a price in their numbers, and a share of failures as the board has it', () => {
    const rows = board.rows.map((row, at) =>
      at === 1 ? { ...row, spent: row.spent && { ...row.spent, usd: null } } : row,
    )
    const view = viewOf({ ...board, rows })
    const table = renderToString(h(FrontTable, { view, axis: frontAxis('cost', view), root: '' }))
    const own = tableOf(table, 'Win rate against what it takes').rows.map(([name, cost]) => [name, cost])
    expect(own).toContainEqual([board.rows[1]?.label, 'not known'])
    expect(frontAxis('failed', view).text(24 / 385)).toBe(formatLack(24 / 385))
  })

  test('tell tokens of an answer that came: who fails often writes no shorter ones', () => {
    const rows = board.rows.map((row, at) => ({
      ...row,
      spent: row.spent && {
        ...row.spent,
        calls: 10 * (at + 1),
        outputTokens: at === 1 ? null : 300 * (at + 1),
      },
    }))
    const view = viewOf({ ...board, rows })
    const axis = frontAxis('tokens', view)
    expect(view.all.map((row) => axis.of(row, view))).toEqual(rows.map((_, at) => (at === 1 ? null : 30)))
  })

  test('take the first axis that tells the models apart', () => {
    const free = board.rows.map((row) => ({ ...row, spent: row.spent && { ...row.spent, usd: 0 } }))
    const view = viewOf({ ...board, rows: free })
    expect(frontAxis('', viewOf(board)).key).toBe('cost')
    expect(frontAxis('', view).key).toBe('latency')
    expect(frontAxis('cost', view).key).toBe('cost')
  })

  test('hold the front against each axis: none of it is beaten, and unranked models are never on it', () => {
    const view = viewOf(board)
    for (const axis of FRONT_AXES) {
      const { points, front, unknown } = frontPoints(view, axis)
      expect(points.length + unknown.length).toBe(board.rows.length)
      for (const { usd, winRate, row } of front) {
        expect(row.place).not.toBeNull()
        expect(
          points.some((other) => other.row.place !== null && other.usd < usd && other.winRate > winRate),
        ).toBe(false)
      }
    }
  })

  test('write each tick with all of its digits', () => {
    const ticksOf = (key: string, ticks: readonly number[]): readonly string[] =>
      ticks.map(frontAxis(key, viewOf(board)).tick)
    expect(ticksOf('cost', [0, 0.005, 0.015, 0.02, 500, 2000])).toEqual([
      '$0',
      '$0.005',
      '$0.015',
      '$0.02',
      '$500',
      '$2\u202F000',
    ])
    expect(ticksOf('latency', [10, 10.5, 11])).toEqual(['10 s', '10.5 s', '11 s'])
    expect(ticksOf('tokens', [0, 0.5, 1.5, 1500])).toEqual(['0', '0.5', '1.5', '1.50\u202Fk'])
    expect(ticksOf('failed', [0, 0.0002, 0.07])).toEqual(['0 %', '0.02 %', '7 %'])
  })

  test('start at 0 where every model is free', () => {
    const free = board.rows.map((row) => ({ ...row, spent: row.spent && { ...row.spent, usd: 0 } }))
    const view = viewOf({ ...board, rows: free })
    expect(layoutFront(view, frontAxis('cost', view), 900)?.x.ticks[0]).toBe(0)
  })

  test('tell of a point what it is and what it takes', () => {
    const view = viewOf(board)
    const axis = frontAxis('cost', view)
    const [point] = layoutFront(view, axis, 900)?.points ?? []
    expect(point && pointText(point, axis)).toContain(formatValue(point?.winRate ?? NaN))
    expect(point && pointText(point, axis)).toContain(axis.text(point?.value ?? NaN))
    expect(point && pointText({ ...point, value: null }, axis)).toContain('cost not known')
  })

  test('hold every score of the board, as links to runs', () => {
    const html = renderToString(h(ScoreHeatmap, { board, root: '' }))
    for (const { cells } of board.rows)
      for (const { value } of cells) expect(html).toContain(`${formatValue(value ?? NaN)}</a>`)
  })

  test('tell the whole name of a row that is cut for lack of room', () => {
    const view = boardView(makeBoardData(oddSuite('twelve benchmarks')), DEFAULT_STATE)
    const dots = h(CategoryDots, { board: oddSuite('twelve benchmarks').board, view, root: '' })
    for (const html of [renderToString(h(ScoreHeatmap, { board, root: '' })), renderToString(dots)]) {
      const rows = html.match(/<th scope="row"[^>]*>/g) ?? []
      expect(rows.length).toBeGreaterThan(0)
      for (const row of rows) expect(row).toMatch(/ title="[^"]+"/)
    }
  })

  test('say why where there is nothing to draw', () => {
    const bare = { ...board, rows: board.rows.map((row) => ({ ...row, rank: null, spent: null })) }
    expect(renderToString(h(RankIntervals, { board: bare, root: '' }))).toContain(
      'How sure the order is was not tested',
    )
    expect(layoutFront(viewOf(bare), frontAxis('cost', viewOf(bare)), 900)).toBeUndefined()
  })

  test('name the categories with the number of their benchmarks that have a scale', () => {
    const benchmarks = board.benchmarks.map((benchmark): Board['benchmarks'][number] => {
      const { range, ...mainMetric } = benchmark.mainMetric
      return range?.high === 1 ? benchmark : { ...benchmark, mainMetric }
    })
    const open = benchmarks.filter(({ mainMetric }) => mainMetric.range === undefined)
    expect(open).not.toEqual([])
    const scaled = benchmarks.filter((benchmark) => !open.includes(benchmark)).map(({ name }) => name)
    const half = { ...board, benchmarks, averageColumns: scaled }
    const dots = (of: Board): string =>
      renderToString(h(CategoryDots, { board: of, view: viewOf(of), root: '' }))
    expect(dots(half)).toContain('Clinical Decision Support (1)')
    for (const { displayName } of open) expect(dots(half)).toContain(`${displayName} (its scale has no ends)`)
    const failed = { ...half, rows: board.rows.map((row) => ({ ...row, cells: [] })) }
    expect(dots(failed)).toContain('two ranked models')
  })

  test('draw the means of categories that the board tells, with its intervals', () => {
    const suite = oddSuite('twelve benchmarks')
    const view = boardView(makeBoardData(suite), DEFAULT_STATE)
    const html = renderToString(h(CategoryDots, { board: suite.board, view, root: '' }))
    const told = view.all.flatMap(({ scores }) =>
      scores.map(({ mean, interval }) =>
        mean === null || interval === null ? '' : `${formatValue(mean)} (${formatRange(interval)})`,
      ),
    )
    expect(told).toHaveLength(6)
    expect(html).toContain('(a jury’s scale likewise), with 95 % intervals over instances. A model')
    for (const text of told) expect(html).toContain(`title="${text}"`)
  })
})

test('the page of figures speaks of intervals only where it draws some', () => {
  const textOf = (of: typeof board): string =>
    [...figuresPage.files({ suites: [{ board: of, runs: [] }], navigation: [] })]
      .map(({ text }) => text)
      .join('')
  const untested = { ...board, rows: board.rows.map((row) => ({ ...row, rank: null })) }
  expect(textOf(board)).toContain('Upright lines are 95 % intervals.')
  expect(textOf(untested)).not.toContain('Upright lines')
})
