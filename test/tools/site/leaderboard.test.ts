import { describe, expect, test } from 'vitest'
import { makeBoard } from '../../../targets/aggregate/board.ts'
import { boardText } from '../../../tools/site/board-text.ts'
import { makeLeaderboardView } from '../../../tools/site/pages/leaderboard/make-view.ts'
import { nextSort, sortRows } from '../../../tools/site/pages/leaderboard/sort-rows.ts'
import { boardRunOf } from '../../targets/aggregate/board-runs.ts'

const board = makeBoard('demo', [
  boardRunOf({ model: 'm/a', values: [1, 1, 0, 1] }),
  boardRunOf({ model: 'm/b', values: [0, 0, 0, 1] }),
  boardRunOf({ model: 'm/c', values: [1, 0], evaluated: 3 }),
  boardRunOf({
    model: 'm/a',
    benchmark: 'errors',
    metric: 'mistakes',
    lowerIsBetter: true,
    isShare: false,
    isBinary: false,
    values: [10, 12],
  }),
  boardRunOf({
    model: 'm/b',
    benchmark: 'errors',
    metric: 'mistakes',
    lowerIsBetter: true,
    isShare: false,
    isBinary: false,
    values: [2, 3],
  }),
])
const view = makeLeaderboardView(board)

describe('the view of a board', () => {
  test('has a column a benchmark after the win rate, and no average of a single share', () => {
    expect(view.columns.map(({ label, better }) => [label, better])).toEqual([
      ['Win rate', 'higher'],
      ['bench', 'higher'],
      ['errors', 'lower'],
    ])
  })

  test('marks what is best, shades by goodness and warns of what is not ranked', () => {
    const rows = new Map(view.rows.map((row) => [row.label, row.cells]))
    expect(rows.get('m/a')?.[1]).toMatchObject({ text: '0.750', best: 'best', heat: 5, base: 'n 4' })
    expect(rows.get('m/a')?.[2]).toMatchObject({ text: '11.000', heat: 3 })
    expect(rows.get('m/b')?.[2]).toMatchObject({ text: '2.500', best: 'best' })
    expect(rows.get('m/c')?.[1]).toMatchObject({ text: '0.500', warning: 'unranked: 66.6 % measured' })
    expect(rows.get('m/c')?.[1]?.heat).toBeUndefined()
    expect(rows.get('m/c')?.[2]).toEqual({ sort: null, text: '–', base: 'not run' })
  })

  test('spells out hidden characters in names', () => {
    const odd = makeLeaderboardView(makeBoard('s', [boardRunOf({ model: 'evil\u202Etxt', values: [1] })]))
    expect(odd.rows[0]?.label).toBe('evil⟨U+202E⟩txt')
  })
})

describe('sorting', () => {
  const labels = (sort: Parameters<typeof sortRows>[1]): readonly string[] =>
    sortRows(view, sort).map(({ label }) => label)

  test('begins with the better end and turns round at the next click', () => {
    const first = nextSort(view, 1, undefined)
    expect(first.direction).toBe('descending')
    expect(nextSort(view, 1, first).direction).toBe('ascending')
    expect(nextSort(view, 2, first)).toEqual({ column: 2, direction: 'ascending' })
    expect(nextSort(view, 'model', first)).toEqual({ column: 'model', direction: 'ascending' })
  })

  test('puts missing values last in both directions', () => {
    expect(labels({ column: 2, direction: 'ascending' })).toEqual(['m/b', 'm/a', 'm/c'])
    expect(labels({ column: 2, direction: 'descending' })).toEqual(['m/a', 'm/b', 'm/c'])
  })

  test('orders by name, and leaves the board’s order where nothing was asked', () => {
    expect(labels({ column: 'model', direction: 'descending' })).toEqual(['m/c', 'm/b', 'm/a'])
    expect(labels(undefined)).toEqual(view.rows.map(({ label }) => label))
  })
})

describe('the printed board', () => {
  test('is aligned, with half-widths, places and a note of what is not ranked', () => {
    expect(boardText(board, { width: 100, colour: false })).toMatchInlineSnapshot(`
      "demo

       #  Model  Win rate          bench          errors
      1=  m/a       0.500   0.750 ±0.327  11.000 ±12.706
      1=  m/b       0.500   0.250 ±0.327    2.500 ±6.353
          m/c           –  ~0.500 ±0.405               –

      ~ unranked: fewer than 99 % of the requests were measured"
    `)
  })

  test('goes on below where the terminal is too narrow, models repeated', () => {
    const lines = boardText(board, { width: 36, colour: false }).split('\n')
    expect(Math.max(...lines.slice(0, -1).map(({ length }) => length))).toBeLessThanOrEqual(36)
    expect(lines.filter((line) => line.includes('m/a')).length).toBe(2)
  })

  test('has colours only when asked', () => {
    expect(boardText(board, { width: 100, colour: true })).toContain('\u001B[')
    expect(boardText(board, { width: 100, colour: false })).not.toContain('\u001B[')
  })
})
