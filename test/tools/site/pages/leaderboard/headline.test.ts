import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { makeBoard, type Board } from '../../../../../targets/board/board.ts'
import { Headline } from '../../../../../tools/site/pages/leaderboard/headline.tsx'
import { decide } from '../../../../../tools/site/pages/leaderboard/decide.ts'
import { DEFAULT_STATE, type LeaderboardState } from '../../../../../tools/site/pages/leaderboard/state.ts'
import { madeUpBoard } from '../../../../bench/made-up-board.ts'
import { boardRunOf } from '../../../../targets/aggregate/board-runs.ts'
import { headlineOf, viewOf, withRanks } from './views.ts'

const whole = madeUpBoard({ models: 12, benchmarks: 20 })

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

/** As releases tell of a row that were made before `behind` was told. */
const withoutBehind = (row: Board['rows'][number]): Board['rows'][number] => {
  if (row.rank === null) return row
  const { winRate, winRateLikeThese, average, likeTheseReason } = row.rank
  return { ...row, rank: { winRate, winRateLikeThese, average, likeTheseReason } }
}

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
    expect(text).toContain('Cheapest in the tie: good, $2.00 per 1,000 answers.')
    expect(text).toContain(
      'by average over the scales, is not settled: the likeliest has a chance of 0.70 over 9 benchmarks',
    )
    expect(text).toContain('Not ranked: part (8 of 9 benchmarks).')
    expect(text).not.toContain('Too few benchmarks')
    expect(viewOf(tied).all.find(({ label }) => label === 'part')?.place).toBeNull()
  })

  test('says both of two and all of more where nobody is told apart', () => {
    const open = withRanks(nine, [
      [1, 3, 0.4],
      [1, 3, 0.3],
      [1, 3, 0.3],
    ])
    expect(headlineOf(viewOf(open))).toContain('All 3 models ranked are tied for first on s')
    const two = { ...open, rows: open.rows.filter(({ label }) => label !== 'poor') }
    expect(headlineOf(viewOf(two))).toContain('Both models ranked are tied for first on s')
  })

  test('calls no chance none or certain', () => {
    const sure = withRanks(nine, [
      [1, 1, 1],
      [2, 3, 0],
    ])
    expect(decide(viewOf(sure), DEFAULT_STATE).caveat).toContain('first of all ranked is > 0.99.')
    const open = withRanks(nine, [
      [1, 2, 0.996],
      [1, 2, 0.004],
    ])
    expect(headlineOf(viewOf(open))).toMatch(/> 0\.99 .*&lt; 0\.01 /)
  })

  test('names nobody, be it the cheapest, where one source tells of no spread', () => {
    const made = withRanks(nine, [
      [1, 2, null],
      [1, 2, null],
      [3, 3, null],
    ])
    const lone = { oneSource: made.benchmarks.slice(0, 1).map(({ name }) => name), unshared: [] }
    const untold = {
      ...made,
      rows: made.rows.map((row) => ({ ...row, rank: row.rank && { ...row.rank, untold: lone } })),
    }
    const view = viewOf(spentOn(untold, { best: 9, good: 2, poor: 1 }))
    expect(headlineOf(view)).toContain('Who is first on s can’t be told')
    expect(headlineOf(view)).toContain(
      `is not settled over 9 benchmarks, and no chance can be told: ${untold.benchmarks[0]?.displayName} has one instance, or one patient.`,
    )
    expect(headlineOf(view)).not.toMatch(/chance of|tied|Cheapest|Fastest/)
    expect(renderToString(h(Headline, { view }))).not.toContain('class="chance')
    expect(decide(view, DEFAULT_STATE)).toEqual({
      reason: `None is recommended: which of 2 models is best can’t be told, as ${untold.benchmarks[0]?.displayName} has one instance, or one patient.`,
      caveat: `Leave out ${untold.benchmarks[0]?.displayName} below.`,
    })
    // Who alone is allowed needs no comparison.
    const state = { ...DEFAULT_STATE, usd: '1.5' }
    expect(decide(viewOf(spentOn(untold, { best: 9, good: 2, poor: 1 }), state), state).take?.label).toBe(
      'poor',
    )
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

  test('joins those that share a first place as a sentence does', () => {
    const leaders = (equals: readonly string[]): string | undefined => {
      const board = makeBoard('s', [
        ...equals.map((model) => boardRunOf({ model, values: [1, 1] })),
        boardRunOf({ model: 'last', values: [0, 0] }),
      ])
      const ranks = board.rows.map(({ label }) =>
        label === 'last' ? ([1, 1, 1] as const) : ([2, 3, 0] as const),
      )
      return /By win rate (.*?) share/.exec(headlineOf(viewOf(withRanks(board, ranks))))?.[1]
    }
    expect(leaders(['First choice', 'Lead'])).toBe('First choice and Lead')
    expect(leaders(['a', 'b', 'c'])).toBe('a, b and c')
    expect(leaders(['a', 'b', 'c', 'd'])).toBe('a, b, c and 1 other')
  })

  test('gives the best win rate to all who share it, also where nothing was tested', () => {
    const board = makeBoard('s', [
      ...['one', 'other'].map((model) => boardRunOf({ model, values: [1, 1] })),
      boardRunOf({ model: 'last', values: [0, 0] }),
    ])
    expect(headlineOf(viewOf(board))).toContain('2 models share the best win rate on s')
    expect(decide(viewOf(board), DEFAULT_STATE)).toMatchObject({
      reason: 'one and other share the best win rate of 3 allowed models.',
    })
  })

  test('tells on how many benchmarks averages and ties rest where some have a scale without ends', () => {
    const tie = withRanks(
      {
        ...nine,
        benchmarks: nine.benchmarks.map((benchmark, at) => {
          const { range: _range, ...mainMetric } = benchmark.mainMetric
          return at < 3 ? { ...benchmark, mainMetric } : benchmark
        }),
      },
      [
        [1, 2, 0.7],
        [1, 2, 0.3],
        [3, 3, 0],
      ],
    )
    const text = headlineOf(viewOf(tie))
    expect(text).toContain('a chance of 0.70 over 6 of 9 benchmarks.')
    expect(text).toContain(
      'Averages, ties and ranks rest on 6 benchmarks alone: the other 3 have no scale with ends that all values lie on.',
    )
    expect(text).toContain('Too few benchmarks to speak of others like them.')
    expect(headlineOf(viewOf(tied))).not.toContain('no scale with ends')
  })

  test('names those of the tie whose price is not known', () => {
    const text = headlineOf(viewOf(spentOn(tied, { best: 10, poor: 1 })))
    expect(text).toContain('Cheapest in the tie: best, $10.00 per 1,000 answers (price not known: good).')
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

  test('recommends nobody whom a model within the limits is surely ahead of, however wide their ranks are', () => {
    // Of three, the first is surely ahead of the last alone, and the second of nobody.
    const loose = withRanks(nine, [
      [1, 2, 0.7],
      [1, 3, 0.3],
      [2, 3, 0, [0, 0]],
    ])
    const decided = (usd: Readonly<Record<string, number>>, limit: string) => {
      const state = { ...DEFAULT_STATE, usd: limit }
      const { take, reason } = decide(viewOf(spentOn(loose, usd), state), state)
      return [take?.label, reason]
    }
    const [take, reason] = decided({ best: 2, good: 9, poor: 1 }, '5')
    expect(take).toBe('best')
    expect(reason).toContain('the best of 2 allowed models')
    expect(decided({ best: 9, good: 2, poor: 1 }, '5')).toEqual([
      'poor',
      'tied for best of 2 allowed models and the cheapest of the tie, $1.00 per 1,000, 1.0 s. Not told apart from it: good.',
    ])
    expect(decided({ best: 9, good: 9, poor: 1 }, '5')).toEqual([
      'poor',
      'the only ranked model within these limits, $1.00 per 1,000, 1.0 s.',
    ])
    // Of a release that does not tell who is ahead nobody is recommended but those whom nobody is.
    const untold = { ...loose, rows: loose.rows.map(withoutBehind) }
    const state = { ...DEFAULT_STATE, usd: '5' }
    const decision = decide(viewOf(spentOn(untold, { best: 9, good: 2, poor: 1 }), state), state)
    expect(decision.take?.label).toBe('good')
  })

  test('is called the best only where it is surely ahead of all that are allowed', () => {
    // The first is surely ahead of the second, the second of the third, and the first not of the third.
    const cycle = withRanks(nine, [
      [1, 2, 0.7],
      [2, 3, 0.2, [0]],
      [1, 3, 0.1, [1]],
    ])
    expect(decide(viewOf(cycle), DEFAULT_STATE).reason).toBe(
      'the only one of 3 allowed models that none of them is surely ahead of.',
    )
    const line = withRanks(nine, [
      [1, 1, 0.9],
      [2, 3, 0.1, [0]],
      [2, 3, 0, [0, 1]],
    ])
    expect(decide(viewOf(line), DEFAULT_STATE).reason).toBe('the best of 3 allowed models.')
  })

  test('of a tie of which some have no known price the cheapest is said to be that of the known ones', () => {
    const tie = withRanks(nine, [
      [1, 3, 0.4],
      [1, 3, 0.3],
      [1, 3, 0.3],
    ])
    const reasonOf = (usd: Readonly<Record<string, number>>): string =>
      decide(viewOf(spentOn(tie, usd)), DEFAULT_STATE).reason
    expect(reasonOf({ best: 2, good: 1 })).toContain(
      'and the cheapest of the tie whose price is known, $1.00',
    )
    expect(reasonOf({ best: 2, good: 1, poor: 1 })).toContain('and as cheap as any of the tie, $1.00')
    expect(reasonOf({ best: 1, good: 1, poor: 1 })).toContain('tied for best of 3 allowed models, $1.00')
    expect(reasonOf({ best: 1 })).toContain('tied for best of 3 allowed models, $1.00')
  })
})
