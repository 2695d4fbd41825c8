import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { makeBoard } from '../../../../../targets/board/board.ts'
import { decide } from '../../../../../tools/site/pages/leaderboard/decide.ts'
import { Headline } from '../../../../../tools/site/pages/leaderboard/headline.tsx'
import { DEFAULT_STATE } from '../../../../../tools/site/pages/leaderboard/state.ts'
import { boardRunOf } from '../../../../targets/aggregate/board-runs.ts'
import { sizeText } from '../../../../../tools/site/pages/leaderboard/controls.tsx'
import { headlineOf, viewOf, withRanks } from './views.ts'

/** So many models, each a little worse than the one before. */
const boardOf = (models: number) =>
  makeBoard(
    's',
    Array.from({ length: models }, (_, at) =>
      boardRunOf({
        model: `m${at}`,
        values: Array.from({ length: 10 }, (__, each) => Number(each + at < 10)),
      }),
    ),
  )

describe('chances to be first', () => {
  test('are drawn of four at most, the likeliest first, and of nobody who is first alone', () => {
    const drawn = (firsts: readonly number[], low = 1): readonly (string | undefined)[] => {
      const board = withRanks(
        boardOf(firsts.length),
        firsts.map((first, at) => [at === 0 ? 1 : low, firsts.length, first] as const),
      )
      const html = renderToString(h(Headline, { view: viewOf(board) }))
      const [, table = ''] = /<table class="chances">(.*?)<\/table>/s.exec(html) ?? []
      return [...table.matchAll(/<th scope="row">([^<]*)</g)].map(([, name]) => name)
    }
    expect(drawn([0.1, 0.3, 0.2, 0.15, 0.25])).toEqual(['m1', 'm4', 'm2', 'm3'])
    expect(drawn([0.9, 0.05, 0.05], 2)).toEqual([])
  })

  test('are rounded once, so that those of all models make up 1', () => {
    const board = withRanks(boardOf(2), [
      [1, 2, 0.57487],
      [1, 2, 0.42513],
    ])
    expect(headlineOf(viewOf(board))).toMatch(/0\.57 to be first .*0\.43 to be first/)
  })

  test('decide between those that are tied where no price does', () => {
    const tied = withRanks(boardOf(3), [
      [1, 2, 0.3],
      [1, 2, 0.7],
      [3, 3, 0],
    ])
    const { take, caveat } = decide(viewOf(tied), DEFAULT_STATE)
    expect(take?.label).toBe('m1')
    expect(caveat).toMatch(/its chance to be first of all ranked is 0\.70\.$/i)
  })
})

test('A headline names the benchmarks that decide nothing, and says why they do not', () => {
  const run = (model: string, benchmark: string, value: number, lowerIsBetter: false | 'unknown' = false) =>
    boardRunOf({ model, benchmark, lowerIsBetter, values: [value, 1] })
  const board = makeBoard('s', [
    ...['x', 'y', 'z'].flatMap((name) => [run('a', name, 1), run('b', name, 0)]),
    run('a', 'alone', 1),
    run('a', 'mystery', 1, 'unknown'),
    run('b', 'mystery', 0, 'unknown'),
  ])
  expect(headlineOf(viewOf(board))).toContain(
    'Left out are alone and mystery: on each fewer than two models are measured in full (not run, requests failed, or judges’ replies could not be read), or nobody says what is better.',
  )
  expect(headlineOf(viewOf(board, { only: 'x y mystery' }))).toContain(
    'Left out is mystery: on it nobody says what is better.',
  )
  expect(headlineOf(viewOf(board, { only: 'x y z' }))).not.toContain('Left out')
  // Beside the table, of how many answers each score is at most.
  expect(sizeText(viewOf(board))).toBe('2 models · 5 benchmarks of 2 answers')
  const more = [
    ...['a', 'b'].map((name) => run(name, 'x', 1)),
    boardRunOf({ model: 'a', benchmark: 'y', values: [1] }),
  ]
  expect(sizeText(viewOf(makeBoard('s', more)))).toBe('2 models · 2 benchmarks of 1 to 2 answers')
})
