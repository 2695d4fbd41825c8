import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import type {
  BoardView,
  CategoryScore,
  RowView,
} from '../../../../../tools/site/pages/leaderboard/board/board-view.ts'
import { BoardCell } from '../../../../../tools/site/pages/leaderboard/board/board-cells.tsx'
import { cellView } from '../../../../../tools/site/pages/leaderboard/board/cell-view.ts'
import { columnsOf, type ShownColumn } from '../../../../../tools/site/pages/leaderboard/board/columns.ts'
import type { ScoreData } from '../../../../../tools/site/pages/leaderboard/board/board-data.ts'
import { limitOf, meetsLimits } from '../../../../../tools/site/pages/leaderboard/limits.ts'
import { rankData } from '../../../../../tools/site/pages/leaderboard/rank-data.ts'
import { DEFAULT_STATE, nextSort } from '../../../../../tools/site/pages/leaderboard/state.ts'
import { costOf, isPerThousand, least, tieOf } from '../../../../../tools/site/pages/leaderboard/tie.ts'
import { WinMark } from '../../../../../tools/site/pages/leaderboard/win-mark.tsx'

const METHODS = { methods: ['Wilson', 't'] }
const viewOf = (data: ScoreData) => cellView(data, METHODS)

const row = (more: Partial<RowView> = {}): RowView => ({
  index: 0,
  key: 'm',
  label: 'm',
  href: 'model/m.html',
  creator: '',
  weights: 'open',
  isPinned: false,
  place: { rank: 1, tied: false },
  winRate: 0.75,
  ranked: 1,
  average: { mean: null, ranked: 0, of: 0, isFirst: false, interval: null },
  scores: [],
  cells: [],
  spent: 0,
  failed: null,
  ...more,
})

const htmlOf = (of: RowView, column: object): string =>
  renderToString(h(BoardCell, { row: of, column: column as ShownColumn }))
const textOf = (html: string): string =>
  html
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

describe('what a cell knows', () => {
  test('is its standing: unranked, ranked, the best or one of several', () => {
    const standing = (of: -1 | 0 | 1 | 2, value: number | null = 0.5) => {
      const { isRanked, best, score } = viewOf([value, null, null, 10, 10, 0, of])
      return [isRanked, best, score]
    }
    expect(standing(-1)).toEqual([false, undefined, null])
    expect(standing(0)).toEqual([true, undefined, 0.5])
    expect(standing(1)).toEqual([true, 'best', 0.5])
    expect(standing(2)).toEqual([true, 'best=', 0.5])
    expect(standing(0, null)).toEqual([false, undefined, null])
  })

  test('is of how many instances it is, and the share of requests that were measured', () => {
    expect(viewOf([0.5, null, null, 1200, 1200, 300]).base).toBe('n 1\u202F200, 75.0 % measured')
    expect(viewOf([null, null, null, 0, 10, 10]).base).toBe('n 0, 0.0 % measured')
    expect(viewOf([0.5, null, null, -1]).base).toBe('n not known, coverage not known')
  })
})

describe('a cell of the board', () => {
  const score = (more: Partial<CategoryScore>) => {
    const scores = [{ mean: 0.456, ranked: 2, of: 2, isFirst: false, interval: null, ...more }]
    return htmlOf(row({ scores }), { kind: 'category', key: 'category:x', at: 0 })
  }

  test('of a category is bold where it is tied for first and whole, and marked where it is not whole', () => {
    expect(score({})).toContain('>0.46<')
    expect(score({})).not.toMatch(/<b>|◧|partial/)
    expect(score({ mean: 0.145 })).toContain('>0.15<')
    expect(score({ isFirst: true })).toContain('<b>0.46</b>')
    expect(score({ ranked: 1, isFirst: true })).toMatch(/partial.*0\.46.*◧/s)
    expect(score({ ranked: 1, isFirst: true })).not.toContain('<b>')
    expect(score({ mean: null, ranked: 0 })).toMatch(/partial.*–.*◧/s)
    expect(score({ mean: null, ranked: 0, of: 0 })).not.toContain('◧')
  })

  test('of a benchmark is bold where it shares a letter with the best, and marked where it is not ranked', () => {
    const cell = (data: ScoreData, bestGroups: string | undefined) =>
      htmlOf(row({ cells: [viewOf(data)] }), {
        kind: 'benchmark',
        key: 'b',
        column: { index: 0, bestGroups },
      })
    const standing = (of: -1 | 0 | 1, groups: string): ScoreData => [0.5, null, null, 9, 9, 0, of, 0, groups]
    expect(cell(standing(1, 'a'), 'a')).toContain('<b>0.500</b>')
    expect(cell(standing(0, 'ab'), 'a')).toContain('<b>0.500</b>')
    expect(cell(standing(0, 'b'), 'a')).not.toContain('<b>')
    // All are tied: nobody is marked, the best one neither.
    expect(cell(standing(1, 'a'), undefined)).not.toContain('<b>')
    expect(cell(standing(-1, 'a'), 'a')).toMatch(/partial.*0\.500.*◧/s)
    expect(cell(standing(-1, 'a'), 'a')).not.toContain('<b>')
    expect(cell(standing(0, 'b'), 'a')).not.toMatch(/partial|◧/)
    expect(textOf(cell(0, 'a'))).toBe('–')
  })

  test('of failures warns above three hundredths', () => {
    const failed = (share: number) => htmlOf(row({ failed: share }), { kind: 'failed', key: 'failed' })
    expect(textOf(failed(0.03))).toBe('3.0')
    expect(failed(0.03)).not.toContain('warning')
    expect(textOf(failed(0.0301))).toBe('3.1 !')
    expect(failed(0.0301)).toContain('warning')
  })

  test('of a win rate has its whisker, and its chance to be first where it has a place', () => {
    const rank = { low: 1, high: 2, first: 0.4, like: null, mean: null, behind: undefined }
    const whisker = { low: 0.5, high: 1, of: 'these' } as const
    const win = (more: Partial<RowView>) =>
      textOf(htmlOf(row({ rank, whisker, ...more }), { kind: 'win', key: 'win' }))
    expect(win({})).toBe('0.75 0.50–1.00 0.40')
    expect(win({ place: null })).toBe('0.75 0.50–1.00')
    expect(win({ winRate: null })).toBe('–')
    // Halves as tables for papers round them; their doubles lie below.
    expect(win({ winRate: 57 / 200, whisker: { ...whisker, low: 0.145 }, place: null })).toBe(
      '0.29 0.15–1.00',
    )
  })

  test('of an average has the ranks that are open to whoever has a place, bold where the first is', () => {
    const rank = { low: 1, high: 3, first: null, like: null, mean: null, behind: undefined }
    const average = { mean: 0.456, ranked: 2, of: 2, isFirst: true, interval: null }
    const shown = (more: Partial<RowView>) =>
      htmlOf(row({ average, ...more }), { kind: 'average', key: 'average' })
    expect(shown({ rank })).toContain('<b>0.46</b>')
    expect([shown({ rank }), shown({ rank, place: null }), shown({})].map(textOf)).toEqual([
      '0.46 1–3',
      '0.46',
      '0.46',
    ])
    expect(textOf(shown({ rank, place: null, average: { ...average, ranked: 1 } }))).toBe('0.46 ◧')
  })
})

test('a win rate’s mark is hollow without a place, and dotted unless it is sure and of these benchmarks', () => {
  const mark = (more: Partial<RowView>): string => renderToString(h(WinMark, { row: row(more) }))
  const [these, like] = (['these', 'like these'] as const).map((of) => ({ low: 0.5, high: 1, of }))
  const classes = (html: string) =>
    [...html.matchAll(/class="([^"]*(?:whisker|dot)[^"]*)"/g)].map(([, name]) => name)
  expect(classes(mark({ ...(these && { whisker: these }) }))).toEqual(['whisker', 'dot'])
  expect(classes(mark({ ...(like && { whisker: like }) }))).toEqual(['whisker dotted', 'dot'])
  expect(classes(mark({ ...(these && { whisker: these }), place: null }))).toEqual([
    'whisker dotted',
    'dot hollow',
  ])
  expect(mark({})).toContain('cx="75.0%"')
})

describe('the columns of a board', () => {
  const view = (all: readonly RowView[], isOpen = true): BoardView =>
    ({
      all,
      categories: [{ name: 'Notes', columns: [{ key: 'x', index: 0 }], isOpen, isAllTied: false }],
    }) as unknown as BoardView
  const keys = (all: readonly RowView[], isOpen?: boolean) =>
    columnsOf(view(all, isOpen)).map((column) => ('label' in column ? column.label : column.key))

  test('are those of which anything is known', () => {
    const average = { mean: 0.5, ranked: 1, of: 1, isFirst: false, interval: null }
    expect(keys([row({ average }), row()], false)).toEqual(['win', 'average', 'category:Notes'])
    expect(keys([row({ winRate: null })])).toEqual(['category:Notes', 'benchmark:x'])
    expect(keys([row({ winRate: null }), row()], false)).toEqual(['win', 'category:Notes'])
    const spent = row({ spent: [2, 0.5, 1, 1, 1, 1], failed: 0 })
    expect(keys([row(), spent], false)).toEqual([
      'win',
      'category:Notes',
      'Cost per 1,000',
      'Latency',
      'No score %',
    ])
    expect(keys([row({ spent: [null, null, 7, 1, 1, 1] })], false)).toEqual([
      'win',
      'category:Notes',
      'Cost in all',
    ])
  })

  test('mark a benchmark’s best by its letters, unless all of it are tied', () => {
    const cells = (groups: readonly string[]) =>
      groups.map((letters, at) =>
        row({ cells: [viewOf([0.5, null, null, 9, 9, 0, at === 0 ? 1 : 0, 0, letters])] }),
      )
    const bestOf = (groups: readonly string[]) =>
      columnsOf(view(cells(groups))).flatMap((column) =>
        column.kind === 'benchmark' ? [column.column.bestGroups] : [],
      )
    expect([bestOf(['a', 'b']), bestOf(['ab', 'b'])]).toEqual([['a'], [undefined]])
  })
})

describe('who is tied for first', () => {
  const rank = (low: number, first: number | null) => ({
    low,
    high: 3,
    first,
    like: null,
    mean: null,
    behind: undefined,
  })
  const rows = [
    row({ key: 'a', place: { rank: 1, tied: false }, rank: rank(2, 0.1) }),
    row({ key: 'b', place: { rank: 2, tied: false }, rank: rank(1, 0.2) }),
    row({ key: 'c', place: { rank: 3, tied: false }, rank: rank(1, 0.7) }),
    row({ key: 'd', place: null, ranked: 0, winRate: null }),
    row({ key: 'e', place: null, ranked: 2, winRate: 0.4 }),
    row({ key: 'f', place: null, ranked: 2, winRate: 0.9, rank: rank(1, 0.9) }),
  ]
  const keysOf = (all: readonly RowView[]) => all.map(({ key }) => key)

  test('are by tests those whom rank 1 is open to, the likeliest first, and without them the best win rate', () => {
    const tested = tieOf({ all: rows, hasRanks: true })
    expect([keysOf(tested.rows), keysOf(tested.ranked), keysOf(tested.partial)]).toEqual([
      ['c', 'b'],
      ['a', 'b', 'c'],
      expect.anything(),
    ])
    expect(keysOf(tieOf({ all: rows, hasRanks: false }).rows)).toEqual(['a'])
  })

  test('are told beside whoever has no place, of whom the best win rate stands first', () => {
    expect(keysOf(tieOf({ all: rows, hasRanks: true }).partial)).toEqual(['f', 'e', 'd'])
  })

  test('cost what a thousand answers do, or all where their number is not known', () => {
    const [thousand, whole] = [row({ spent: [2, 0.5, 9, 1, 1, 1] }), row({ spent: [null, 0.5, 9, 1, 1, 1] })]
    expect([costOf(thousand), costOf(whole), costOf(row())]).toEqual([2, 9, null])
    expect([isPerThousand({ all: [whole, thousand] }), isPerThousand({ all: [whole, row()] })]).toEqual([
      true,
      false,
    ])
    expect(least([whole, row(), thousand], costOf)).toEqual({ row: thousand, value: 2 })
  })
})

describe('limits', () => {
  const meets = (own: Partial<RowView>, some: Partial<typeof DEFAULT_STATE>) =>
    meetsLimits(row(own), { ...DEFAULT_STATE, ...some })

  test('are numbers from 0 on; any other text sets none', () => {
    expect(['0', ' 2.5 ', '-1', '', ' ', 'Infinity', '2 $'].map(limitOf)).toEqual([
      0,
      2.5,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  test('are met up to their very value, and by nothing that is not known', () => {
    const spent = [2, 0.5, 9, 1, 1, 1] as const
    expect(['2', '1.99'].map((usd) => meets({ spent }, { usd }))).toEqual([true, false])
    expect(['0.5', '0.49'].map((seconds) => meets({ spent }, { seconds }))).toEqual([true, false])
    expect([meets({}, { usd: '100' }), meets({}, { seconds: '100' }), meets({}, {})]).toEqual([
      false,
      false,
      true,
    ])
    expect([meets({}, { weights: 'open' }), meets({}, { weights: 'closed' })]).toEqual([true, false])
    const hosted = (hosting: string) => meets({ hosting: 'private text agreed' }, { hosting })
    expect(['this machine', 'private text agreed', 'public text only'].map(hosted)).toEqual([
      false,
      true,
      true,
    ])
    expect(meets({}, { hosting: 'public text only' })).toBe(false)
  })
})

test('a header’s first click asks for its better end, the second for the other, the third for the places', () => {
  const clicks = (key: string, lowerIsBetter: boolean) => {
    const first = nextSort(key, undefined, lowerIsBetter)
    const isDown = first.startsWith('-')
    const second = nextSort(key, { key, direction: isDown ? 'descending' : 'ascending' }, lowerIsBetter)
    const third = nextSort(key, { key, direction: isDown ? 'ascending' : 'descending' }, lowerIsBetter)
    return [first, second, third]
  }
  expect(clicks('benchmark:x', false)).toEqual(['-benchmark:x', 'benchmark:x', ''])
  expect(clicks('benchmark:x', true)).toEqual(['benchmark:x', '-benchmark:x', ''])
  expect(clicks('latency', false)).toEqual(['latency', '-latency', ''])
  expect(nextSort('win', { key: 'cost', direction: 'descending' })).toBe('-win')
})

test('a page is told six digits of a place’s doubt, which round to what it shows, and nothing where nothing tells', () => {
  const told = rankData({
    // 12 of 49: 0.24, and of three digits, 0.245, it would be 0.25.
    winRate: { low: 12 / 49, high: 0.5 },
    winRateLikeThese: { low: 0.2, high: 0.7 },
    likeTheseReason: '',
    average: {
      likeTheseInterval: null,
      likeThese: null,
      first: null,
      onThese: { marginal: { low: 2, high: 4 }, simultaneous: { low: 1, high: 5 } },
    },
    behind: [],
  })
  expect(told).toEqual([0.244898, 0.5, 2, 4, null, 0.2, 0.7])
  expect(rankData(null)).toBe(0)
})
