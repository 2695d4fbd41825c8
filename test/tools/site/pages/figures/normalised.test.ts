import { describe, expect, test } from 'vitest'
import { makeBoard, type Board } from '../../../../../targets/board/board.ts'
import { categoryMean, normalise } from '../../../../../tools/site/pages/figures/normalised.ts'
import { boardRunOf } from '../../../../targets/aggregate/board-runs.ts'

const jury = (values: readonly number[]) => {
  const run = boardRunOf({ benchmark: 'jury', metric: 'jury_score', isShare: false, isBinary: false, values })
  const mainMetric = { ...run.benchmark.mainMetric, range: { low: 1, high: 5 } }
  return { ...run, benchmark: { ...run.benchmark, mainMetric } }
}

const meanOf = (board: Board, columns: readonly number[]) => {
  const [row] = board.rows
  return row === undefined ? undefined : categoryMean(board, row, columns)
}

describe('a score between 0 and 1', () => {
  test('is a share itself, and a jury’s place on its scale', () => {
    const board = makeBoard('s', [boardRunOf({ values: [1, 0, 0, 0] }), jury([3, 3, 5, 5])])
    const [share, judged] = board.rows[0]?.cells ?? []
    const [first, second] = board.benchmarks
    if (share === undefined || judged === undefined || first === undefined || second === undefined)
      throw new RangeError('the board lacks a column')
    expect(normalise(share, first.mainMetric)?.value).toBe(0.25)
    expect(normalise(judged, second.mainMetric)?.value).toBe(0.75)
    expect(normalise(judged, { ...second.mainMetric, lowerIsBetter: true })?.value).toBe(0.25)
  })

  test('is none where the metric has no scale or the cell is not ranked', () => {
    const board = makeBoard('s', [
      boardRunOf({ values: [1, 0], evaluated: 4 }),
      boardRunOf({ benchmark: 'open', isShare: false, values: [10, 12] }),
    ])
    expect(meanOf(board, [0])).toBeUndefined()
    expect(meanOf(board, [1])).toBeUndefined()
  })
})

describe('the mean of a category', () => {
  const board = makeBoard('s', [boardRunOf({ values: [1, 0, 0, 0] }), jury([3, 3, 5, 5])])

  test('weighs its benchmarks alike', () => {
    expect(meanOf(board, [0, 1])?.value).toBe(0.5)
  })

  test('is the board’s: of what could be read in full, whatever HELM’s mean holds for the rest', () => {
    const scored = {
      ...board,
      rows: board.rows.map((row) => ({ ...row, cells: row.cells.map((cell) => ({ ...cell, value: 0 })) })),
    }
    expect(meanOf(scored, [0, 1])?.value).toBe(0.5)
  })

  test('is surer than each of its benchmarks', () => {
    const width = (columns: readonly number[]): number => {
      const interval = meanOf(board, columns)?.interval
      return interval == null ? NaN : interval.high - interval.low
    }
    expect(width([0, 1])).toBeLessThan(Math.max(width([0]), width([1])))
    expect(width([0, 1])).toBeGreaterThan(0)
  })

  test('of a benchmark that a model was not measured on is none', () => {
    const partial = makeBoard('s', [
      boardRunOf({ values: [1] }),
      boardRunOf({ model: 'm/b', benchmark: 'x', values: [1] }),
    ])
    expect(meanOf(partial, [0, 1])).toBeUndefined()
  })
})
