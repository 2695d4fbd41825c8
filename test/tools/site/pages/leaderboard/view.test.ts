import { describe, expect, test } from 'vitest'
import { boardOfTask, boardTasks } from '../../../../../targets/board/board-tasks.ts'
import { makeBoard } from '../../../../../targets/board/board.ts'
import { randomKey, RandomStream } from '../../../../../targets/statistics/resampling/random-stream.ts'
import { madeUpBoard } from '../../../../bench/made-up-board.ts'
import { formatRange, formatValue } from '../../../../../cache/words/number-text.ts'
import { boardView } from '../../../../../tools/site/pages/leaderboard/board/board-view.ts'
import { detailsOf } from '../../../../../tools/site/pages/leaderboard/details.ts'
import {
  DEFAULT_STATE,
  nextSort,
  type LeaderboardState,
} from '../../../../../tools/site/pages/leaderboard/state.ts'
import type { SiteSuite } from '../../../../../tools/site/site.ts'
import { boardRunOf } from '../../../../targets/aggregate/board-runs.ts'
import { dataOf, headlineOf, viewOf, withRanks } from './views.ts'

const whole = madeUpBoard({ models: 12, benchmarks: 20 })

describe('the view of a board', () => {
  test('has the places, win rates and scores of the board', () => {
    const view = viewOf(whole)
    const byKey = new Map(view.all.map((row) => [row.key, row]))
    for (const { model, place, winRate, cells } of whole.rows) {
      const row = byKey.get(model.deployment)
      expect([row?.place, row?.winRate]).toEqual([place, winRate])
      for (const [at, { value, interval }] of cells.entries()) {
        expect(row?.cells[at]?.value).toBe(value)
        expect(row?.cells[at]?.text).toBe(value === null ? '–' : formatValue(value))
        expect(row?.cells[at]?.range).toBe(interval === null ? undefined : formatRange(interval))
      }
    }
  })

  test('has the places, win rates and averages of any set of benchmarks alone', () => {
    const random = new RandomStream(randomKey('sets'), 0)
    const names = whole.benchmarks.map(({ name }) => name)
    for (let draw = 0; draw < 50; draw += 1) {
      const only = names.filter(() => random.below(3) === 0)
      if (only.length === 0) continue
      const rows = new Map(viewOf(whole, { only: only.join(' ') }).all.map((row) => [row.key, row]))
      for (const { model, place, winRate } of boardOfTask(whole, only).rows)
        expect([rows.get(model.deployment)?.place, rows.get(model.deployment)?.winRate]).toEqual([
          place,
          winRate,
        ])
    }
  })

  test('orders a task by its own places, and shows its ranks and cost where they are known', () => {
    const [task] = boardTasks(whole)
    const part = boardOfTask(whole, task?.benchmarks ?? [])
    const ranks = withRanks(
      part,
      part.rows.map((_, at) => [1, 2 + at, 0.1] as const),
    ).rows
    const suite: SiteSuite = {
      board: whole,
      runs: [],
      tasks: [
        {
          ...(task ?? { category: '', subcategory: '', benchmarks: [] }),
          ranks: ranks.map(({ rank }) => rank),
          averages: ranks.map(() => null),
          spent: ranks.map((_, at) => ({ calls: 10, inputTokens: 1, outputTokens: 1, latency: 2, usd: at })),
        },
      ],
    }
    const view = boardView(dataOf(suite), { ...DEFAULT_STATE, task: task?.category ?? '' })
    expect(view.columns.map(({ key }) => key)).toEqual(task?.benchmarks)
    const places = view.rows.map(({ place }) => place?.rank ?? Infinity)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    for (const [at, { model }] of whole.rows.entries()) {
      const row = view.all.find(({ key }) => key === model.deployment)
      expect([row?.rank?.high, row?.spent]).toEqual([2 + at, [at * 100, 2, at, 1, 1, 10]])
    }
  })

  test('keeps models that lack a benchmark without a place, last, and says how many they have', () => {
    const view = viewOf(
      makeBoard('s', [
        boardRunOf({ model: 'a', values: [1, 1] }),
        boardRunOf({ model: 'b', values: [0, 1] }),
        boardRunOf({ model: 'c', values: [1], evaluated: 3 }),
        boardRunOf({ model: 'a', benchmark: 'x', values: [1, 0] }),
        boardRunOf({ model: 'b', benchmark: 'x', values: [1, 1] }),
        boardRunOf({ model: 'c', benchmark: 'x', values: [1, 1] }),
      ]),
    )
    const last = view.rows.at(-1)
    expect([last?.label, last?.place, last?.ranked, view.compared]).toEqual(['c', null, 1, 2])
    expect(last?.cells[0]?.warning).toContain('unranked: 33.3 % measured')
    expect(headlineOf(view)).toContain('Not ranked: c (1 of 2 benchmarks).')
  })

  test('filters, searches and pins; an address of what the board lacks shows all', () => {
    const labels = (some: Partial<LeaderboardState>): readonly string[] =>
      viewOf(whole, some).rows.map(({ label }) => label)
    expect(labels({ creator: 'Contoso' }).length).toBe(2)
    expect(labels({ q: 'tailspin' }).every((label) => label.startsWith('Tailspin'))).toBe(true)
    const pinned = viewOf(whole).rows.at(-1)
    expect(labels({ pin: pinned?.key ?? '', creator: 'Contoso' })[0]).toBe(pinned?.label)
    expect(labels({ task: 'gone', only: 'gone', access: 'gone', sort: 'benchmark:gone' })).toEqual(labels({}))
  })

  test('sorts with missing values last in both directions', () => {
    for (const sort of ['cost', '-cost']) {
      const costs = viewOf(whole, { sort }).rows.map(({ spent }) => (spent === 0 ? null : spent[0]))
      const known = costs.filter((cost) => cost !== null)
      expect(costs.slice(known.length).every((cost) => cost === null)).toBe(true)
      expect(known).toEqual(known.toSorted((a, b) => (sort === 'cost' ? a - b : b - a)))
    }
    expect([nextSort('cost', undefined), nextSort('cost', { key: 'cost', direction: 'ascending' })]).toEqual([
      'cost',
      '-cost',
    ])
    expect(nextSort('win', { key: 'win', direction: 'ascending' })).toBe('')
  })

  test('spells out hidden characters in names', () => {
    const odd = viewOf(makeBoard('s', [boardRunOf({ model: 'evil\u202Etxt', values: [1] })]))
    expect(odd.rows[0]?.label).toBe('evil⟨U+202E⟩txt')
  })

  test('tells in its details all that a cell knows', () => {
    const view = viewOf(whole)
    const [row] = view.rows
    const column = view.columns[3]
    const details = detailsOf(view, `${row?.key} benchmark:${column?.key}`, {
      root: '',
      linkOf: () => 'runs/x.html',
    })
    const cell = row?.cells[column?.index ?? 0]
    const facts = new Map(details?.facts)
    expect(facts.get(column?.metric ?? '')).toBe(cell?.text)
    expect(facts.get('95 % interval')).toBe(cell?.range)
    expect(facts.get('Formed by')).toBe('Wilson')
    expect(facts.get('Answers')).toBe(cell?.base)
    expect(details?.links).toEqual([
      { label: 'Benchmark', href: column?.href },
      { label: 'Answers', href: 'runs/x.html' },
    ])
    expect(detailsOf(view, 'gone benchmark:x', { root: '', linkOf: () => undefined })).toBeUndefined()
  })

  test('orders a column by what its places go by, and its details tell that beside the mean shown', () => {
    const [better, worse] = [0.8, 0.6]
    const board = makeBoard('s', [
      boardRunOf({ model: 'lucky', values: [worse], isBinary: false }),
      boardRunOf({ model: 'best', values: [better], isBinary: false }),
    ])
    // HELM's mean holds a default for what was lost.
    const rows = board.rows.map((row) => ({
      ...row,
      cells: row.cells.map((cell) => ({ ...cell, value: row.label === 'best' ? 0.5 : cell.value })),
    }))
    const view = viewOf({ ...board, rows }, { sort: '-benchmark:bench' })
    expect(view.rows.map(({ label }) => label)).toEqual(['best', 'lucky'])
    const factsOf = (row: string): ReadonlyMap<string, string> =>
      new Map(detailsOf(view, `${row} benchmark:bench`, { root: '', linkOf: () => undefined })?.facts)
    expect([factsOf('best').get('exact_match'), factsOf('best').get('Order and places go by')]).toEqual([
      '0.500',
      '0.800: the mean of what could be read in full',
    ])
    expect(factsOf('lucky').has('Order and places go by')).toBe(false)
  })

  test('says of a category without a mean that its scales have no ends', () => {
    const open = makeBoard(
      's',
      ['a', 'b'].map((model, at) => {
        const run = boardRunOf({ model, values: [at, 12], isShare: false, isBinary: false })
        return { ...run, benchmark: { ...run.benchmark, category: 'Open' } }
      }),
    )
    const details = detailsOf(viewOf(open), 'a category:Open', { root: '', linkOf: () => undefined })
    expect(details?.facts).toEqual([
      ['Mean share of the scale', '–'],
      ['Why no mean', 'none of its benchmarks has a scale with ends and two ranked models'],
    ])
  })

  test('reckons scores, places and intervals of a set once, however it is sorted and once it is ranked', () => {
    const data = dataOf({ board: whole, runs: [] })
    let read = 0
    const models = data.models.map((model) => ({
      ...model,
      cells: new Proxy(model.cells, {
        get: (cells, name) => {
          if (name !== 'length') read += 1
          return Reflect.get(cells, name) as unknown
        },
      }),
    }))
    const own = {
      ...DEFAULT_STATE,
      only: data.columns
        .slice(1)
        .map(({ key }) => key)
        .join(' '),
    }
    const first = boardView({ ...data, models }, own)
    const once = read
    const whiskers = first.all.map(({ whisker }) => whisker)
    expect(whiskers.filter((whisker) => whisker !== undefined).length).toBeGreaterThan(5)
    const again = [
      boardView({ ...data, models }, { ...own, sort: 'model' }),
      boardView({ ...data, models, tasks: [...data.tasks] }, { ...own, q: '' }),
    ]
    expect([once > 0, read]).toEqual([true, once])
    for (const view of again) expect(view.all.every(({ whisker }, at) => whisker === whiskers[at])).toBe(true)
  })
})
