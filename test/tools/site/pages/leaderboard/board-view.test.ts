import { describe, expect, test } from 'vitest'
import type {
  BoardData,
  ColumnData,
  ModelData,
  RankData,
  ScoreData,
  SpentData,
  TaskData,
} from '../../../../../tools/site/pages/leaderboard/board/board-data.ts'
import {
  bestGroups,
  boardView,
  unmetChoices,
} from '../../../../../tools/site/pages/leaderboard/board/board-view.ts'
import { DEFAULT_STATE, type LeaderboardState } from '../../../../../tools/site/pages/leaderboard/state.ts'

const column = (key: string, more: Partial<ColumnData> = {}): ColumnData => ({
  key,
  label: `The ${key}`,
  metric: 'Exact match',
  lowerIsBetter: false,
  isBinary: true,
  range: { low: 0, high: 1 },
  href: `benchmarks/${key}.html`,
  category: 'Notes',
  subcategory: '',
  access: 'public',
  errata: [],
  ...more,
})

/** A column that nobody says the better end of. */
const undirected = (key: string): ColumnData => {
  const { lowerIsBetter: _, ...rest } = column(key)
  return rest
}
const endless = (key: string): ColumnData => {
  const { range: _, ...rest } = column(key)
  return rest
}

const model = (key: string, cells: readonly ScoreData[], more: Partial<ModelData> = {}): ModelData => ({
  key,
  label: key,
  href: `model/${key}.html`,
  creator: 'Maker',
  weights: 'open',
  cells,
  ...more,
})

const NO_RANK: RankData = [null, null, null, null, null, null, null]
const rank = (
  low: number,
  high: number,
  more: { readonly like?: readonly [number, number] } = {},
): RankData => {
  const [likeLow = null, likeHigh = null] = more.like ?? []
  return [0.2, 0.3, low, high, 0.5, likeLow, likeHigh]
}

interface Told {
  readonly columns: readonly ColumnData[]
  readonly models: readonly ModelData[]
  /** By model, of all columns, and of some. */
  readonly ranks?: readonly (RankData | 0)[]
  readonly spent?: readonly (SpentData | 0)[]
  readonly tasks?: readonly (readonly [
    columns: readonly number[],
    ranks: readonly (RankData | 0)[],
    averages?: NonNullable<TaskData['averages']>,
  ])[]
}

const dataOf = ({ columns, models, ranks = [], tasks = [], spent = [] }: Told): BoardData => ({
  suite: 'suite',
  columns,
  models,
  tasks: [[columns.map((_, at) => at), ranks] as const, ...tasks].map(([own, of, averages]) => ({
    category: '',
    subcategory: '',
    columns: own,
    ranks: models.map((_, at) => of[at] ?? 0),
    ...(averages && { averages }),
    spent: models.map((_, at) => spent[at] ?? 0),
  })),
  likeTheseReason: 'benchmarks differ',
  methods: ['Wilson', 'Wilson; values lie off the scale'],
})

const viewOf = (told: Told, some: Partial<LeaderboardState> = {}) =>
  boardView(dataOf(told), { ...DEFAULT_STATE, ...some })

/** Cells of one n and no loss. */
const all = (...values: readonly number[]): readonly ScoreData[] =>
  values.map((value) => [value, null, null, 10, 10])
const UNRANKED: ScoreData = [0.9, null, null, 5, 10, 5, -1]

describe('what a view rests on', () => {
  const columns = [
    column('plain'),
    endless('endless'),
    undirected('undirected'),
    column('off'),
    column('one'),
  ]
  const off: ScoreData = [0.4, null, null, 10, 10, 0, 0, 2]
  const view = viewOf({
    columns,
    models: [
      model('a', [...all(0.5, 30, 0.5), off, ...all(0.5)]),
      model('b', [...all(0.4, 20, 0.5, 0.3), UNRANKED]),
    ],
  })

  test('are the benchmarks that say what is better and rank two models, averages those on a scale with ends', () => {
    expect([view.columns.length, view.compared, view.averaged]).toEqual([5, 3, 1])
  })

  test('is a scale with ends, whatever an unranked model has beyond them', () => {
    const lost: ScoreData = [1.4, null, null, 5, 10, 5, -1, 2]
    const told = {
      columns: [column('plain')],
      models: [model('a', all(0.5)), model('b', all(0.4)), model('c', [lost])],
    }
    expect(viewOf(told).averaged).toBe(1)
  })

  test('has ranks where a test left some open, not where one was merely made', () => {
    const models = [model('a', all(0.5)), model('b', all(0.4))]
    expect(viewOf({ columns: [column('x')], models, ranks: [NO_RANK, NO_RANK] }).hasRanks).toBe(false)
    expect(viewOf({ columns: [column('x')], models, ranks: [rank(1, 2), NO_RANK] }).hasRanks).toBe(true)
  })
})

describe('the benchmarks that an address chooses', () => {
  const columns = [
    column('visits', { subcategory: 'Visits' }),
    column('plans', { subcategory: 'Plans', access: 'gated' }),
    column('trials', { category: 'Research', subcategory: 'Visits' }),
    column('plan', { category: 'Research', subcategory: 'Trials' }),
  ]
  const models = [model('a', all(0.5, 0.5, 0.5, 0.5)), model('b', all(0.4, 0.4, 0.4, 0.4))]
  const chosen = (some: Partial<LeaderboardState>): string => {
    const view = viewOf({ columns, models }, some)
    return `${view.columns.map(({ key }) => key).join(' ')} | ${view.task}`
  }

  test('are those of a task, its subcategory or a list, and it is said which', () => {
    expect(chosen({})).toBe('visits plans trials plan | ')
    expect(chosen({ task: 'Notes' })).toBe('visits plans | Notes')
    expect(chosen({ task: 'Research/Visits' })).toBe('trials | Visits')
    // A key that another one begins with is not it.
    expect(chosen({ only: 'plans' })).toBe('plans | The plans')
    expect(chosen({ only: 'plans plan' })).toBe('plans plan | 2 benchmarks of suite')
    expect(chosen({ task: 'Notes', access: 'public' })).toBe('visits | The visits')
  })

  test('are the next wider set where an address leaves none', () => {
    expect(chosen({ task: 'Gone', only: 'plan' })).toBe('plan | The plan')
    expect(chosen({ task: 'Research', only: 'plan', access: 'gated' })).toBe('plan | The plan')
    expect(chosen({ task: 'Research', only: 'plans' })).toBe('trials plan | Research')
    const told = (some: Partial<LeaderboardState>): readonly string[] =>
      unmetChoices(viewOf({ columns, models }, some).columns, { ...DEFAULT_STATE, ...some })
    expect(told({ task: 'Research', access: 'gated' })).toEqual([
      'None of these benchmarks has gated data: all are shown.',
    ])
    expect(told({ task: 'Research', only: 'plans' })).toEqual([
      'None of the benchmarks asked for is of this task: all of it are shown.',
    ])
    expect(told({ task: 'Notes', only: 'plans', access: 'gated' })).toEqual([])
    expect(told({ only: 'gone' })).toEqual([])
  })

  test('show their categories open as long as a small screen has room for both, and those that are asked for', () => {
    const open = (count: number, some: Partial<LeaderboardState> = {}, parts = 1): readonly boolean[] => {
      const many = Array.from({ length: count }, (_, at) =>
        column(`c${at}`, at < parts - 1 ? { category: `Part ${at}` } : {}),
      )
      return viewOf({ columns: many, models: [model('a', [])] }, some).categories.map(({ isOpen }) => isOpen)
    }
    expect([open(6), open(7), open(7, { open: 'Notes' }), open(6, { open: 'none' })]).toEqual([
      [true],
      [false],
      [true],
      [false],
    ])
    expect([open(3, {}, 3), open(4, {}, 3)]).toEqual([
      [true, true, true],
      [false, false, false],
    ])
  })
})

describe('the whisker of a win rate', () => {
  const eight = Array.from({ length: 8 }, (_, at) =>
    column(`c${at}`, at === 0 ? { lowerIsBetter: true } : {}),
  )
  // The first wins six of eight, of which one is the better when lower.
  const models = [
    model('a', all(0.1, 0.6, 0.6, 0.6, 0.6, 0.6, 0.2, 0.2, 0.5)),
    model('b', all(0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.5)),
    model('part', [...all(0.9, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1), UNRANKED, ...all(0.5)]),
  ]
  const columns = [...eight, column('ninth')]
  const only = eight.map(({ key }) => key).join(' ')

  test('over a set without tests is Student’s t over its benchmarks, of models that are ranked in all', () => {
    const two = models.slice(0, 2)
    const [a, b] = viewOf({ columns, models: two }, { only }).all
    // scipy 1.14: 0.75 ± t.ppf(.975, 7) · √(1.5 / 7 / 8), and the same of 0.25, within 0 and 1
    expect(a?.whisker).toEqual({ low: expect.closeTo(0.362_997_5, 6) as number, high: 1, of: 'like these' })
    expect(b?.whisker).toEqual({ low: 0, high: expect.closeTo(0.637_002_5, 6) as number, of: 'like these' })
    const three = new Map(viewOf({ columns, models }, { only }).all.map((row) => [row.key, row.whisker]))
    expect([...three.values()].map((whisker) => whisker?.of)).toEqual(['like these', 'like these', undefined])
  })

  test('over a set with tests is what they leave open, and none where they tell nothing', () => {
    const ranks = [rank(1, 1, { like: [0.6, 0.9] }), 0] as const
    const tested = viewOf({ columns, models, tasks: [[[0, 1, 2, 3, 4, 5, 6, 7], ranks]] }, { only })
    expect(tested.all.map(({ whisker }) => whisker)).toEqual([
      { low: 0.2, high: 0.3, of: 'these' },
      undefined,
      undefined,
    ])
    expect(tested.all[0]?.rank).toMatchObject({
      like: { low: 0.6, high: 0.9 },
    })
  })

  test('goes with the reason why nothing is said of further ones, which is of tested sets alone', () => {
    const reasons = [{}, { only }].map((some) => viewOf({ columns, models }, some).likeTheseReason)
    expect(reasons).toEqual(['benchmarks differ', ''])
  })
})

describe('who is surely ahead of a model', () => {
  test('is nobody of one whom rank 1 is open to, and not known of others that no list is told of', () => {
    const models = [model('a', all(0.9)), model('b', all(0.5)), model('c', all(0.1))]
    const ranks: readonly RankData[] = [
      rank(1, 1),
      rank(2, 3),
      [...rank(2, 3), [0, 1]] as unknown as RankData,
    ]
    const { all: rows } = viewOf({ columns: [column('x')], models, ranks })
    expect(rows.map((row) => row.rank?.behind && [...row.rank.behind])).toEqual([[], undefined, [0, 1]])
  })
})

describe('a category’s score', () => {
  const columns = [column('x'), column('y'), column('z', { category: 'Research' })]
  const models = [
    model('a', all(0.8, 0.6, 0.5)),
    model('b', all(0.6, 0.6, 0.5)),
    model('part', [...all(0.4), UNRANKED, ...all(0.5)]),
  ]
  const scoresOf = (ranks: readonly (RankData | 0)[], averages: NonNullable<TaskData['averages']> = []) => {
    const view = viewOf({ columns, models, tasks: [[[0, 1], ranks, averages]] })
    return {
      isAllTied: view.categories.map(({ isAllTied }) => isAllTied),
      first: view.all.map(({ scores }) => scores[0]?.isFirst),
      scores: view.all.map(({ scores }) => scores[0]),
    }
  }
  const interval = [0.55, 0.75] as const

  test('marks those that are tied for first, and nobody where all are, or one alone was tested', () => {
    expect(scoresOf([rank(1, 1), rank(2, 2)])).toMatchObject({
      isAllTied: [false, false],
      first: [true, false, false],
    })
    expect(scoresOf([rank(1, 2), rank(1, 2)])).toMatchObject({
      isAllTied: [true, false],
      first: [false, false, false],
    })
    expect(scoresOf([rank(1, 1)])).toMatchObject({ isAllTied: [false, false], first: [true, false, false] })
  })

  test('has an interval where the model is ranked in all of its benchmarks, with ranks or without', () => {
    const { scores } = scoresOf([0, rank(2, 2), rank(3, 3)], [interval, 0, interval])
    expect(scores).toMatchObject([
      { mean: 0.7, ranked: 2, of: 2, interval: { low: 0.55, high: 0.75 } },
      { mean: 0.6, ranked: 2, of: 2, interval: null },
      { mean: 0.4, ranked: 1, of: 2, interval: null },
    ])
  })
})

describe('the share of answers without a score', () => {
  test('is of all requests of the chosen benchmarks, and unknown where nobody counted', () => {
    const columns = [column('x'), column('y')]
    const models = [
      model('a', [
        [0.5, null, null, 30, 30, 3],
        [0.5, null, null, 10, 10, 5],
      ]),
      model('b', [[0.5, null, null, 30], 0]),
    ]
    const failed = (some: Partial<LeaderboardState>) =>
      viewOf({ columns, models }, some).all.map((row) => row.failed)
    expect(failed({})).toEqual([0.2, null])
    expect(failed({ only: 'x' })).toEqual([0.1, null])
  })
})

describe('the rows that an address asks for', () => {
  const columns = [column('x', { range: { low: 0, high: 10 } }), column('y', { category: 'Research' })]
  const models = [
    model('m/2', [[3, null, null, 10, 10, 0, 0, 0, '', '', 0, 5], ...all(0.5)], {
      label: 'Two',
      creator: 'Acme',
    }),
    model('m/10', [[4, null, null, 10, 10], ...all(0.2)], { label: 'Ten' }),
    model('m/1', [[9, null, null, 5, 10, 5, -1], ...all(0.8)], { label: 'One' }),
    model('m/0', [0, ...all(0.1)], { label: 'None' }),
  ]
  const order = (some: Partial<LeaderboardState>): string =>
    viewOf({ columns, models }, some)
      .rows.map(({ label }) => label)
      .join(' ')

  test('stand by what places go by, of what has no place by what is shown, and without a value last', () => {
    expect(order({ sort: 'benchmark:x' })).toBe('Ten Two One None')
    expect(order({ sort: '-benchmark:x' })).toBe('One Two Ten None')
    expect(order({ sort: '-category:Research' })).toBe('One Two Ten None')
    expect(order({ sort: 'category:Notes' })).toBe('Ten Two One None')
  })

  test('are found by label or deployment and by maker, and pinned ones stay on top of any order', () => {
    expect(order({ q: ' M/1 ' })).toBe('Ten One')
    expect(order({ q: 'tw' })).toBe('Two')
    expect(order({ creator: 'Acme' })).toBe('Two')
    expect(order({ creator: 'Acme', pin: 'm/0' })).toBe('None Two')
    expect(order({ sort: '-benchmark:x', pin: 'm/0' })).toBe('None One Two Ten')
    expect(order({ sort: 'model', pin: 'm/2' })).toBe('Two None One Ten')
  })
})

test('rows stand by cost of a thousand answers, else of all, by latency and failures, unknown ones last', () => {
  const cell = (lost: number): ScoreData => [0.5, null, null, 10, 10, lost]
  const models = [model('a', [cell(3)]), model('b', [cell(1)]), model('c', [cell(2)]), model('d', [0])]
  const spent: readonly (SpentData | 0)[] = [
    [2, 0.5, 90, 1, 1, 1],
    [null, 0.25, 1, 1, 1, 1],
    [3, null, 80, 1, 1, 1],
    0,
  ]
  const order = (sort: string, pin = ''): string =>
    viewOf({ columns: [column('x')], models, spent }, { sort, pin })
      .rows.map(({ key }) => key)
      .join('')
  expect([order('cost'), order('-cost')]).toEqual(['bacd', 'cabd'])
  expect([order('latency'), order('-latency')]).toEqual(['bacd', 'abcd'])
  expect([order('failed'), order('-failed'), order('-failed', 'd')]).toEqual(['bcad', 'acbd', 'dacb'])
})

describe('the letters of the best', () => {
  const cell = (value: number, standing: -1 | 0 | 1, groups: string): ScoreData => [
    value,
    null,
    null,
    10,
    10,
    0,
    standing,
    0,
    groups,
  ]
  const lettersOf = (...cells: readonly ScoreData[]) =>
    bestGroups(viewOf({ columns: [column('x')], models: cells.map((own, at) => model(`m${at}`, [own])) }), 0)

  test('are told unless every ranked model shares one, and of one ranked model', () => {
    expect(lettersOf(cell(0.9, 1, 'a'), cell(0.5, 0, 'b'))).toBe('a')
    expect(lettersOf(cell(0.9, 1, 'ab'), cell(0.5, 0, 'b'))).toBeUndefined()
    // After z come letters in brackets, which are others.
    expect(lettersOf(cell(0.9, 1, 'ab'), cell(0.5, 0, '(ab)'))).toBe('ab')
    expect(lettersOf(cell(0.9, 1, 'a'), cell(0.5, 0, 'a'), cell(0.1, -1, ''))).toBeUndefined()
    expect(lettersOf(cell(0.9, 1, 'a'))).toBe('a')
  })
})
