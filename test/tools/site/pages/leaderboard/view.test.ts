import { describe, expect, test } from 'vitest'
import { makeBoard } from '../../../../../targets/aggregate/board.ts'
import { madeUpBoard } from '../../../../../tools/bench/made-up-board.ts'
import { formatRange, formatValue } from '../../../../../tools/site/format.ts'
import { expandBoard } from '../../../../../tools/site/pages/leaderboard/expand-board.ts'
import { makeBoardData } from '../../../../../tools/site/pages/leaderboard/make-board-data.ts'
import { nextSort, selectView, sortRows } from '../../../../../tools/site/pages/leaderboard/select-view.ts'
import {
  DEFAULT_STATE,
  toggled,
  type LeaderboardState,
} from '../../../../../tools/site/pages/leaderboard/state.ts'
import type { LeaderboardView } from '../../../../../tools/site/pages/leaderboard/view.ts'
import { boardRunOf } from '../../../../targets/aggregate/board-runs.ts'

const viewOf = (board: Parameters<typeof makeBoardData>[0]): LeaderboardView =>
  // As the page gets it: through JSON.
  expandBoard(
    JSON.parse(JSON.stringify(makeBoardData(board))) as ReturnType<typeof makeBoardData>,
    () => undefined,
  )

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
const view = viewOf(board)

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
    expect(rows.get('m/a')?.[1]).toMatchObject({ text: '0.750', best: 'best', heat: 5, base: 'n 4, 100 %' })
    expect(rows.get('m/a')?.[2]).toMatchObject({ text: '11.000', heat: 3 })
    expect(rows.get('m/b')?.[2]).toMatchObject({ text: '2.500', best: 'best' })
    expect(rows.get('m/c')?.[1]).toMatchObject({
      text: '0.500',
      warning: 'unranked: 66.6 % measured',
      base: 'n 2',
    })
    expect(rows.get('m/c')?.[1]?.heat).toBeUndefined()
    expect(rows.get('m/c')?.[2]).toEqual({ sort: null, text: '–', base: 'not run' })
  })

  test('says where best values are shared and where nobody counted the requests', () => {
    const twins = viewOf(
      makeBoard('s', [
        boardRunOf({ model: 'm/a', values: [1] }),
        boardRunOf({ model: 'm/b', values: [1], evaluated: 0 }),
      ]),
    )
    expect(twins.rows.map(({ cells }) => [cells[1]?.best, cells[1]?.base])).toEqual([
      ['best=', 'n 1, 100 %'],
      ['best=', 'n 1, coverage not known'],
    ])
  })

  test('spells out hidden characters in names', () => {
    const odd = viewOf(makeBoard('s', [boardRunOf({ model: 'evil\u202Etxt', values: [1] })]))
    expect(odd.rows[0]?.label).toBe('evil⟨U+202E⟩txt')
  })

  test('shows, after its numbers were shortened for the page, exactly what the board holds', () => {
    const big = madeUpBoard({ models: 30, benchmarks: 20 })
    const shown = viewOf(big).rows.map(({ cells }) =>
      cells.slice(-20).map(({ text, range }) => [text, range]),
    )
    expect(shown).toEqual(
      big.rows.map(({ cells }) =>
        cells.map(({ value, interval }) => [
          value === null ? '–' : formatValue(value),
          interval === null ? undefined : formatRange(interval),
        ]),
      ),
    )
  })

  test('has doubt, cost, tokens and latency where the board has them', () => {
    const [row] = madeUpBoard({ models: 2, benchmarks: 3 }).rows
    const big = viewOf(madeUpBoard({ models: 2, benchmarks: 3 }))
    expect(big.columns.map(({ key }) => key).slice(0, 5)).toEqual([
      'win-rate',
      'average',
      'cost',
      'tokens',
      'latency',
    ])
    expect(big.rows[0]?.places).toBe('1–2')
    expect(big.rows[0]?.cells[0]?.range).toBe(formatRange(row?.rank?.winRate ?? { low: 0, high: 0 }))
    expect(big.rows[0]?.cells[2]?.sort).toBe(row?.spent?.usd)
  })
})

describe('sorting', () => {
  const labels = (sort: Parameters<typeof sortRows>[1]): readonly string[] =>
    sortRows(view, sort).map(({ label }) => label)

  test('begins with the better end and turns round at the next click', () => {
    const first = nextSort(view, 'bench', undefined)
    expect(first.direction).toBe('descending')
    expect(nextSort(view, 'bench', first).direction).toBe('ascending')
    expect(nextSort(view, 'errors', first)).toEqual({ key: 'errors', direction: 'ascending' })
    expect(nextSort(view, 'model', first)).toEqual({ key: 'model', direction: 'ascending' })
  })

  test('puts missing values last in both directions', () => {
    expect(labels({ key: 'errors', direction: 'ascending' })).toEqual(['m/b', 'm/a', 'm/c'])
    expect(labels({ key: 'errors', direction: 'descending' })).toEqual(['m/a', 'm/b', 'm/c'])
  })

  test('orders by name, and leaves the board’s order where nothing was asked', () => {
    expect(labels({ key: 'model', direction: 'descending' })).toEqual(['m/c', 'm/b', 'm/a'])
    expect(labels(undefined)).toEqual(view.rows.map(({ label }) => label))
  })
})

describe('filters', () => {
  const whole = viewOf(madeUpBoard({ models: 12, benchmarks: 20 }))
  const select = (some: Partial<LeaderboardState>): LeaderboardView =>
    selectView(whole, { ...DEFAULT_STATE, ...some })
  const benchmarks = ({ columns }: LeaderboardView) => columns.flatMap(({ benchmark }) => benchmark ?? [])

  test('keep the columns of a category or a subcategory, and every summary', () => {
    const category = select({ category: 'Clinical Decision Support' })
    expect(benchmarks(category).length).toBe(4)
    expect(category.columns.length).toBe(5 + 4)
    const own = benchmarks(category)[0]
    const sub = select({ category: `${own?.category}/${own?.subcategory}` })
    expect(new Set(benchmarks(sub).map(({ subcategory }) => subcategory))).toEqual(
      new Set([own?.subcategory]),
    )
  })

  test('keep each cell under its column', () => {
    const gated = select({ access: 'gated', hide: 'cost tokens' })
    const keys = gated.columns.map(({ key }) => key)
    for (const row of gated.rows) {
      const all = whole.rows.find(({ key }) => key === row.key)
      expect(row.cells).toEqual(
        keys.map((key) => all?.cells[whole.columns.findIndex((each) => each.key === key)]),
      )
    }
  })

  test('keep the models of a creator and of open weights', () => {
    expect(select({ creator: 'Contoso' }).rows.map(({ creator }) => creator)).toEqual(['Contoso', 'Contoso'])
    expect(select({ creator: 'Contoso', weights: 'open' }).rows).toEqual([])
    expect(select({ weights: 'open' }).rows.length).toBe(4)
  })

  test('show all where an address asks for what the board does not have', () => {
    expect(select({ category: 'Gone', creator: 'Gone', weights: 'x', access: 'y', sort: 'gone' })).toEqual(
      whole,
    )
  })

  test('hide summary columns and bring them back', () => {
    const hide = toggled('', 'cost')
    expect(select({ hide }).columns.some(({ key }) => key === 'cost')).toBe(false)
    expect(toggled(hide, 'cost')).toBe('')
    expect(toggled('cost', 'tokens')).toBe('cost tokens')
  })
})
