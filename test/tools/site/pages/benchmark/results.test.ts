import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { makeBoard } from '../../../../../targets/board/board.ts'
import { Results } from '../../../../../tools/site/pages/benchmark/results.tsx'
import { boardRunOf } from '../../../../targets/aggregate/board-runs.ts'
import { ODD_SUITES, suiteOfRuns } from '../../odd-suites.ts'

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
  const html = htmlOf(suiteOfRuns('one benchmark', ODD_SUITES['one benchmark'] ?? []).board)
  expect(html).toContain('Filled: first, or not told apart from the first.')
  expect(html).toContain('class="dot hollow"')
})
