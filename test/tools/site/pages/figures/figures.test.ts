import { describe, expect, test } from 'vitest'
import { madeUpBoard } from '../../../../bench/made-up-board.ts'
import { formatCost, formatValue } from '../../../../../tools/compare/number-text.ts'
import { categoryDots } from '../../../../../tools/site/pages/figures/category-dots.tsx'
import { costScatter } from '../../../../../tools/site/pages/figures/cost-scatter.tsx'
import { rankIntervals } from '../../../../../tools/site/pages/figures/rank-intervals.tsx'
import { scoreHeatmap } from '../../../../../tools/site/pages/figures/score-heatmap.tsx'

const board = madeUpBoard({ models: 8, benchmarks: 10 })
const bare = { ...board, rows: board.rows.map((row) => ({ ...row, rank: null, spent: null })) }

describe('the figures', () => {
  test('hold every score of the board as a table', () => {
    expect(scoreHeatmap(board).table?.rows.map((row) => row.slice(1))).toEqual(
      board.benchmarks.map((_, column) =>
        board.rows.map(({ cells }) => {
          const cell = cells[column]
          const unranked = (cell?.measured ?? 0) / (cell?.evaluated ?? 1) < (cell?.floor ?? 1)
          return `${unranked ? '~' : ''}${formatValue(cell?.value ?? NaN)}`
        }),
      ),
    )
  })

  test('draw only models with a known cost, and say how many are not', () => {
    const { table, caption } = costScatter(board)
    const priced = board.rows.filter(({ spent }) => spent?.usd != null)
    expect(table?.rows.map(([name, cost]) => [name, cost])).toEqual(
      priced.map(({ label, spent }) => [label, formatCost(spent?.usd ?? NaN)]),
    )
    expect(caption).toContain(`${8 - priced.length} of 8 models`)
  })

  test('say why where there is nothing to draw', () => {
    for (const figure of [costScatter(bare), rankIntervals(bare)]) {
      expect(figure.drawing).toBeUndefined()
      expect(figure.missing).not.toBe('')
    }
    const free = {
      ...board,
      rows: board.rows.map((row) => ({ ...row, spent: row.spent && { ...row.spent, usd: 0 } })),
    }
    expect(costScatter(free).drawing).toBeUndefined()
  })

  test('name the categories with the number of their benchmarks that have a scale', () => {
    const heads = categoryDots(board).table?.head.map(({ text }) => text) ?? []
    const open = board.benchmarks.filter(({ mainMetric }) => !mainMetric.isShare)
    expect(heads[1]).toBe('Clinical Decision Support (1)')
    for (const { displayName } of open) expect(categoryDots(board).caption).toContain(displayName)
  })

  test('turn where models are many: a row a model', () => {
    const wide = scoreHeatmap(madeUpBoard({ models: 40, benchmarks: 5 })).drawing
    const tall = scoreHeatmap(madeUpBoard({ models: 5, benchmarks: 40 })).drawing
    expect(wide?.height).toBeGreaterThan(wide?.width ?? Infinity)
    expect(tall?.height).toBeGreaterThan(tall?.width ?? Infinity)
  })
})
