import { describe, expect, test } from 'vitest'
import { makeBoard } from '../../../targets/board/board.ts'
import { boardText } from '../../../tools/site/board-text.ts'
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
describe('the printed board', () => {
  test('is aligned, with intervals, places and a note of what is not ranked', () => {
    expect(boardText(board, { width: 100, colour: false })).toMatchInlineSnapshot(`
      "demo

       #  Model  Win rate                 bench                     errors
      1=  m/a       0.500   0.750 (0.301–0.954)  11.000 (−1.706 to 23.706)
      1=  m/b       0.500   0.250 (0.046–0.699)    2.500 (−3.853 to 8.853)
          m/c           –  ~0.500 (0.095–0.905)                          –

      ~ m/c, bench: unranked: 66.6 % measured"
    `)
  })

  test('goes on below where the terminal is too narrow, models repeated', () => {
    const lines = boardText(board, { width: 44, colour: false }).split('\n')
    expect(Math.max(...lines.slice(0, -1).map(({ length }) => length))).toBeLessThanOrEqual(44)
    expect(lines.filter((line) => line.includes('m/a')).length).toBe(2)
  })

  test('has colours only when asked', () => {
    expect(boardText(board, { width: 100, colour: true })).toContain('\u001B[')
    expect(boardText(board, { width: 100, colour: false })).not.toContain('\u001B[')
  })
})
