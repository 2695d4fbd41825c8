import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { makeBoard } from '../../../../../targets/board/board.ts'
import { Results } from '../../../../../tools/site/pages/benchmark/results.tsx'
import { boardRunOf } from '../../../../targets/aggregate/board-runs.ts'
import { suiteOfRuns } from '../../odd-suites.ts'

const htmlOf = ({ suite, rows }: ReturnType<typeof makeBoard>): string =>
  renderToString(
    h(Results, {
      suite,
      results: rows.flatMap((row) => {
        const [cell] = row.cells
        return cell === undefined ? [] : [{ row, cell }]
      }),
      scale: { low: 0, high: 1 },
    }),
  )

test('Results stand by their places, in whatever order a board has its rows', () => {
  const board = makeBoard('s', [
    boardRunOf({ model: 'm/a', values: [1, 1, 0, 1] }),
    boardRunOf({ model: 'm/b', values: [0, 0, 0, 1] }),
  ])
  expect(htmlOf({ ...board, rows: board.rows.toReversed() })).toBe(htmlOf(board))
})

test('Where nothing was tested every ranked mark is filled, and no model is said to be told apart from the first', () => {
  const html = htmlOf(
    makeBoard('s', [
      boardRunOf({ model: 'm/a', values: [1, 1, 0, 1] }),
      boardRunOf({ model: 'm/b', values: [0, 0, 0, 1] }),
      boardRunOf({ model: 'm/part', values: [1, 0], evaluated: 3 }),
    ]),
  )
  expect(html.match(/class="dot hollow"/g)?.length).toBe(1)
  expect(html).toContain('Hollow: not ranked.')
  expect(html).not.toContain('told apart')
})

test('Where pairs were tested the first and those not told apart from it are filled', () => {
  const sketches = [1, 0].map((value) => ({
    model: `m/${value}`,
    values: Array.from({ length: 30 }, () => value),
  }))
  const html = htmlOf(suiteOfRuns('s', sketches).board)
  expect(html).toContain('Filled: first, or not told apart from the first.')
  expect(html.match(/class="dot(?: hollow)?"/g)).toEqual(['class="dot"', 'class="dot hollow"'])
})
