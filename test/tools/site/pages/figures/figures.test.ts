import { renderToString } from 'preact-render-to-string'
import { h } from 'preact'
import { describe, expect, test } from 'vitest'
import { formatValue } from '../../../../../tools/compare/number-text.ts'
import { CategoryDots, categoryColumns } from '../../../../../tools/site/pages/figures/category-dots.tsx'
import { layoutFront, pointText } from '../../../../../tools/site/pages/figures/front-drawing.tsx'
import { FRONT_AXES, frontPoints } from '../../../../../tools/site/pages/figures/front-points.ts'
import { frontAxis } from '../../../../../tools/site/pages/figures/front-figure.tsx'
import {
  along,
  labelBox,
  overlap,
  type LabelBox,
} from '../../../../../tools/site/pages/figures/place-labels.ts'
import { RankIntervals } from '../../../../../tools/site/pages/figures/rank-intervals.tsx'
import { ScoreHeatmap } from '../../../../../tools/site/pages/figures/score-heatmap.tsx'
import { boardView } from '../../../../../tools/site/pages/leaderboard/board/board-view.ts'
import { makeBoardData } from '../../../../../tools/site/pages/leaderboard/board/make-board-data.ts'
import { DEFAULT_STATE } from '../../../../../tools/site/pages/leaderboard/state.ts'
import { madeUpBoard } from '../../../../bench/made-up-board.ts'

const board = madeUpBoard({ models: 8, benchmarks: 10 })
const viewOf = (of: typeof board) => boardView(makeBoardData({ board: of, runs: [] }), DEFAULT_STATE)

/** Pieces of a page that lie on each other: texts, leaders, points. */
const overlaps = (models: number, width: number, axis = frontAxis('cost')): readonly string[] => {
  const layout = layoutFront(viewOf(madeUpBoard({ models, benchmarks: 12 })), axis, width)
  if (layout === undefined) return ['nothing drawn']
  const { labels, points, texts, x, y, frame } = layout
  const marks = points.map(({ usd, winRate }): LabelBox => {
    const [cx, cy] = [x.at(usd), y.at(winRate)]
    return { left: cx - 5, right: cx + 5, top: cy - 5, bottom: cy + 5 }
  })
  const pieces = labels.flatMap((label, index) => {
    if (label === undefined) return []
    const text = { of: index, box: labelBox(texts[index] ?? '', label) }
    return [
      text,
      ...(label.leader === undefined ? [] : along(label.leader, 0.5)).map((box) => ({ of: index, box })),
    ]
  })
  return pieces.flatMap(({ of, box }, at) => [
    ...(box.left < frame.left || box.right > width ? [`${texts[of]} leaves the frame`] : []),
    ...pieces
      .slice(at + 1)
      .filter((other) => other.of !== of && overlap(box, other.box))
      .map((other) => `${texts[of]} and ${texts[other.of]}`),
    ...marks.flatMap((mark, point) =>
      point !== of && overlap(box, mark) ? [`${texts[of]} on point ${point}`] : [],
    ),
  ])
}

describe('the figures', () => {
  for (const models of [9, 13, 100])
    test(`have no label on another, on a point or out of the frame with ${models} models, at any width`, () => {
      for (const width of [320, 700, 960, 1800])
        for (const axis of FRONT_AXES.slice(0, 2)) expect(overlaps(models, width, axis)).toEqual([])
    })

  test('label every model where there is room', () => {
    const layout = layoutFront(viewOf(madeUpBoard({ models: 9, benchmarks: 12 })), frontAxis('cost'), 1400)
    expect(layout?.labels.filter((label) => label === undefined)).toEqual([])
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

  test('start at 0 where every model is free', () => {
    const free = board.rows.map((row) => ({ ...row, spent: row.spent && { ...row.spent, usd: 0 } }))
    expect(layoutFront(viewOf({ ...board, rows: free }), frontAxis('cost'), 900)?.x.ticks[0]).toBe(0)
  })

  test('tell of a point what it is and what it takes', () => {
    const view = viewOf(board)
    const axis = frontAxis('cost')
    const [point] = frontPoints(view, axis).points
    expect(point && pointText(point, axis)).toContain(formatValue(point?.winRate ?? NaN))
    expect(point && pointText(point, axis)).toContain(axis.text(point?.usd ?? NaN))
  })

  test('hold every score of the board, as links to runs', () => {
    const html = renderToString(h(ScoreHeatmap, { board, root: '' }))
    for (const { cells } of board.rows)
      for (const { value } of cells) expect(html).toContain(`${formatValue(value ?? NaN)}</a>`)
  })

  test('say why where there is nothing to draw', () => {
    const bare = { ...board, rows: board.rows.map((row) => ({ ...row, rank: null, spent: null })) }
    expect(renderToString(h(RankIntervals, { board: bare, root: '' }))).toContain('Ranks need several models')
    expect(layoutFront(viewOf(bare), frontAxis('cost'), 900)).toBeUndefined()
  })

  test('name the categories with the number of their benchmarks that have a scale', () => {
    const benchmarks = board.benchmarks.map((benchmark) => {
      const { range: _, ...mainMetric } = benchmark.mainMetric
      return { ...benchmark, mainMetric }
    })
    const half = { ...board, benchmarks }
    expect(renderToString(h(CategoryDots, { board: half, root: '' }))).toContain(
      'Clinical Decision Support (1)',
    )
    const open = benchmarks.filter(({ mainMetric }) => !mainMetric.isShare)
    expect(open).not.toEqual([])
    expect(categoryColumns(half).unscaled).toEqual(open.map(({ displayName }) => displayName))
    const failed = { ...half, rows: board.rows.map((row) => ({ ...row, cells: [] })) }
    expect(renderToString(h(CategoryDots, { board: failed, root: '' }))).toContain('ranked scores enough')
  })
})
