import { renderToString } from 'preact-render-to-string'
import { h } from 'preact'
import { describe, expect, test } from 'vitest'
import { boardOfTask, boardTasks } from '../../../../../targets/board/board-tasks.ts'
import { makeBoard, type Board } from '../../../../../targets/board/board.ts'
import { randomKey } from '../../../../../targets/statistics/resampling/random-key.ts'
import { RandomStream } from '../../../../../targets/statistics/resampling/random-stream.ts'
import { madeUpBoard } from '../../../../bench/made-up-board.ts'
import { formatRange, formatValue } from '../../../../../tools/compare/number-text.ts'
import type { BoardData } from '../../../../../tools/site/pages/leaderboard/board/board-data.ts'
import { boardView, type BoardView } from '../../../../../tools/site/pages/leaderboard/board/board-view.ts'
import { decide } from '../../../../../tools/site/pages/leaderboard/decide.ts'
import { detailsOf } from '../../../../../tools/site/pages/leaderboard/details.ts'
import { Headline } from '../../../../../tools/site/pages/leaderboard/headline.tsx'
import { makeBoardData } from '../../../../../tools/site/pages/leaderboard/board/make-board-data.ts'
import {
  DEFAULT_STATE,
  nextSort,
  type LeaderboardState,
} from '../../../../../tools/site/pages/leaderboard/state.ts'
import type { SiteSuite } from '../../../../../tools/site/site.ts'
import { boardRunOf } from '../../../../targets/aggregate/board-runs.ts'

/** As the page gets it: through JSON. */
const dataOf = (suite: SiteSuite): BoardData => JSON.parse(JSON.stringify(makeBoardData(suite))) as BoardData

const viewOf = (board: Board, some: Partial<LeaderboardState> = {}): BoardView =>
  boardView(dataOf({ board, runs: [] }), { ...DEFAULT_STATE, ...some })

const whole = madeUpBoard({ models: 12, benchmarks: 20 })

const headlineOf = (view: BoardView): string =>
  renderToString(h(Headline, { view }))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

/** The whole board’s ranks, set by hand: model by model in the order of the rows. */
const withRanks = (
  board: Board,
  ranks: readonly (readonly [low: number, high: number, first: number])[],
): Board => ({
  ...board,
  rows: board.rows.map((row, at) => {
    const [low, high, first] = ranks[at] ?? [1, 1, 0]
    return {
      ...row,
      rank: {
        winRate: { low: 0, high: 1 },
        winRateLikeThese: null,
        likeTheseReason: '',
        average: {
          mean: 0.5,
          interval: null,
          likeTheseInterval: null,
          likeThese: null,
          first,
          onThese: { marginal: { low, high }, simultaneous: { low, high } },
        },
      },
    }
  }),
})

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
      expect([row?.rank?.high, row?.spent]).toEqual([2 + at, [at * 100, 2, at, 1, 1]])
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
})

/** Three models on nine benchmarks, in the order of their strength, and one that lacks a benchmark. */
const nine = makeBoard(
  's',
  Array.from({ length: 9 }, (_, at) => `bench${at}`).flatMap((benchmark, at) => [
    boardRunOf({ model: 'best', benchmark, values: [1, 1, 1, at % 2] }),
    boardRunOf({ model: 'good', benchmark, values: [1, 1, 0, 1 - (at % 2)] }),
    boardRunOf({ model: 'poor', benchmark, values: [0, 0, 0, 0] }),
    ...(at === 0 ? [] : [boardRunOf({ model: 'part', benchmark, values: [1, 1, 1, 1] })]),
  ]),
)
const spentOn = (board: Board, usd: Readonly<Record<string, number | null>>): Board => ({
  ...board,
  rows: board.rows.map((row) => ({
    ...row,
    spent: { calls: 1000, inputTokens: 0, outputTokens: 0, latency: 1, usd: usd[row.label] ?? null },
  })),
})

describe('the headline', () => {
  const tied = spentOn(
    withRanks(nine, [
      [1, 2, 0.7],
      [1, 2, 0.3],
      [3, 3, 0],
    ]),
    { best: 10, good: 2, poor: 0.1, part: 0.01 },
  )

  test('names who is tied for first, with their chances, the cheapest of them, and who is not ranked', () => {
    const text = headlineOf(viewOf(tied))
    expect(text).toContain('Two of 3 models are tied for first on s')
    expect(text).toContain('Cheapest in the tie: good, $2.00 per 1,000 tasks.')
    expect(text).toContain(
      'by average over the scales, is not settled: the likeliest has a chance of 0.70 over 9 benchmarks',
    )
    expect(text).toContain('Not ranked: part (8 of 9 benchmarks).')
    expect(text).not.toContain('Too few benchmarks')
    expect(viewOf(tied).all.find(({ label }) => label === 'part')?.place).toBeNull()
  })

  test('calls no chance none or certain', () => {
    const sure = withRanks(nine, [
      [1, 1, 1],
      [2, 3, 0],
    ])
    expect(decide(viewOf(sure), DEFAULT_STATE).caveat).toContain('first of all is > 0.99.')
    const open = withRanks(nine, [
      [1, 2, 0.996],
      [1, 2, 0.004],
    ])
    expect(headlineOf(viewOf(open))).toMatch(/> 0\.99 .*&lt; 0\.01 /)
  })

  test('says who leads by win rate where the averages tell otherwise', () => {
    const text = headlineOf(
      viewOf(
        withRanks(nine, [
          [2, 3, 0],
          [1, 1, 1],
          [2, 3, 0],
        ]),
      ),
    )
    expect(text).toContain('good is first on s, by average')
    expect(text).toContain('By win rate best leads.')
    expect(headlineOf(viewOf(tied))).not.toContain('By win rate')
  })

  test('of fewer than eight benchmarks says what cannot be claimed', () => {
    const text = headlineOf(viewOf(nine, { only: 'bench1 bench2' }))
    expect(text).toContain('Too few benchmarks to speak of others like them.')
    expect(text).toContain('was not tested')
  })

  test('says of which benchmarks it speaks where they are not all of the suite or task', () => {
    expect(headlineOf(viewOf(nine, { only: 'bench1 bench2' }))).toContain('win rate on 2 benchmarks of s ')
    expect(headlineOf(viewOf(nine, { only: 'bench1' }))).toContain('win rate on bench1 ')
    const [column] = viewOf(whole).columns
    const task = column?.category ?? ''
    expect(viewOf(whole, { task }).task).toBe(task)
    expect(viewOf(whole, { task, access: 'public' }).task).toMatch(new RegExp(` benchmarks? of ${task}$`))
  })

  test('of one model says that there is nothing to compare it with, not that scores are missing', () => {
    const view = viewOf(makeBoard('s', [boardRunOf({ model: 'alone', values: [1, 0] })]))
    expect(headlineOf(view)).toContain('alone is the only model on s')
    expect(headlineOf(view)).not.toMatch(/in full|0 models/)
    expect(decide(view, DEFAULT_STATE).reason).toBe(
      'There is only one model, and nothing to compare it with.',
    )
  })

  test('names models that are read from right to left so that no number beside them moves', () => {
    const arabic = { ...tied, rows: tied.rows.map((row) => ({ ...row, label: `نموذج ${row.label}` })) }
    const priced = viewOf(arabic)
    for (const text of [headlineOf(priced), decide(priced, DEFAULT_STATE).reason]) {
      expect(text).toContain('\u2068نموذج')
      expect(text.replaceAll(/\u2068[^\u2069]*\u2069/g, '')).not.toMatch(/نموذج [^ ]+(?=[,:.])/)
    }
    expect(headlineOf(viewOf(tied))).not.toContain('\u2068')
  })

  test('claims nothing where nobody is measured in full', () => {
    const view = viewOf(
      makeBoard('s', [
        ...['a', 'b'].map((model) => boardRunOf({ model, values: [1] })),
        ...['c', 'd'].map((model) => boardRunOf({ model, benchmark: 'x', values: [1] })),
      ]),
    )
    expect(headlineOf(view)).toContain('No model is measured in full on s')
  })

  test('and the decision agree on who is tied, and limits leave out what is not known', () => {
    const decided = (some: Partial<LeaderboardState>) => {
      const state = { ...DEFAULT_STATE, ...some }
      return decide(viewOf(tied, some), state)
    }
    expect(decided({}).take?.label).toBe('good')
    expect(decided({}).reason).toContain('tied for best of 3 allowed models')
    expect(decided({ usd: '1' }).take?.label).toBe('poor')
    expect(decided({ usd: '0.01' })).toMatchObject({
      reason: expect.stringContaining('No model meets') as string,
    })
    const unpriced = spentOn(tied, { good: 2, poor: 1 })
    const shown = (some: Partial<LeaderboardState>) => viewOf(tied, some).rows.map(({ label }) => label)
    expect(shown({ usd: '1' })).toEqual(['poor', 'part'])
    expect(shown({ usd: '0.01' })).toEqual(['part'])
    expect(shown({ seconds: '0.5' })).toEqual([])
    expect(shown({ usd: 'much' })).toHaveLength(tied.rows.length)
    const state = { ...DEFAULT_STATE, usd: '5' }
    expect(decide(viewOf(unpriced, state), state).caveat).toContain('not known: best')
    expect(decide(viewOf(nine), DEFAULT_STATE).take).toBeUndefined()
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
