import { describe, expect, test } from 'vitest'
import type { BoardValues } from '../../../targets/board/board-columns.ts'
import { boardUncertainty } from '../../../targets/board/board-uncertainty.ts'
import type { BoardRun } from '../../../targets/runs/board-run.ts'
import { boardOfTask, boardTasks, rankedTasks } from '../../../targets/board/board-tasks.ts'
import { makeBoard, type Board } from '../../../targets/board/board.ts'
import { randomKey } from '../../../targets/statistics/resampling/random-key.ts'
import { RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'
import { boardRunOf } from '../aggregate/board-runs.ts'

const PLACES: readonly (readonly [category?: string, subcategory?: string])[] = [
  ['Notes', 'Visits'],
  ['Notes', 'Plans'],
  ['Notes', 'Visits'],
  ['Research', 'Trials'],
  ['Research', 'Trials'],
  [],
]

const random = new RandomStream(randomKey('board tasks'), 0)

/** Six benchmarks, one of them the better when lower and one a rating; two models lack some. */
const runs: readonly BoardRun[] = ['a', 'b', 'c', 'd', 'e'].flatMap((model, at) =>
  PLACES.flatMap(([category, subcategory], column): readonly BoardRun[] => {
    if ((model === 'd' && column === 1) || (model === 'e' && column > 2)) return []
    const rated = column === 4
    const run = boardRunOf({
      model,
      benchmark: `bench${column}`,
      ...(rated ? { isShare: false, isBinary: false, range: { low: 1, high: 5 }, metric: 'rating' } : {}),
      lowerIsBetter: column === 2,
      values: Array.from({ length: 30 }, () =>
        rated ? 1 + random.below(5) : Number(random.below(10) < 3 + at),
      ),
    })
    const place = { ...(category && { category }), ...(subcategory && { subcategory }) }
    return [{ ...run, benchmark: { ...run.benchmark, ...place } }]
  }),
)

const board = makeBoard('s', runs)
const values: readonly BoardValues[] = runs.flatMap(({ name, benchmark, model, vector }) =>
  vector === undefined
    ? []
    : [{ run: name, benchmark: benchmark.name, deployment: model.deployment, vector }],
)

const reached = (of: Board): ReadonlyMap<string, unknown> =>
  new Map(
    of.rows.map(({ model, winRate, winRateColumns, macroAverage, place }) => [
      model.deployment,
      { winRate, winRateColumns, macroAverage, place },
    ]),
  )

const alone = (names: readonly string[]): Board =>
  makeBoard(
    's',
    runs.filter(({ benchmark }) => names.includes(benchmark.name)),
  )

describe('the part of a board that holds some benchmarks', () => {
  test('has the places, win rates and averages of a board of their runs alone, for every set of them', () => {
    const names = board.benchmarks.map(({ name }) => name)
    for (let set = 1; set < 2 ** names.length; set += 1) {
      const some = names.filter((_, at) => set & (1 << at))
      const [part, whole] = [boardOfTask(board, some), alone(some)]
      expect(part.winRateColumns).toEqual(whole.winRateColumns)
      for (const [model, own] of reached(whole)) expect(reached(part).get(model)).toEqual(own)
    }
  })
})

describe('the tasks of a board', () => {
  test('are its categories and their subcategories, in its order', () => {
    expect(
      boardTasks(board).map(({ category, subcategory, benchmarks }) => [category, subcategory, benchmarks]),
    ).toEqual([
      ['Notes', '', ['bench0', 'bench1', 'bench2']],
      ['Notes', 'Visits', ['bench0', 'bench2']],
      ['Notes', 'Plans', ['bench1']],
      ['Research', '', ['bench3', 'bench4']],
      ['Research', 'Trials', ['bench3', 'bench4']],
    ])
  })

  test('are as sure as a board of their runs alone', () => {
    for (const { benchmarks, ranks } of rankedTasks(board, values)) {
      const whole = alone(benchmarks)
      const own = new Map(
        boardUncertainty(
          whole,
          values.filter(({ benchmark }) => benchmarks.includes(benchmark)),
        ).map(({ rank }, row) => [whole.rows[row]?.model.deployment, rank]),
      )
      for (const [row, { model }] of board.rows.entries())
        if (own.has(model.deployment)) {
          const { first: _, ...known } = ranks[row]?.average ?? { first: 0 }
          const { first: __, ...wanted } = own.get(model.deployment)?.average ?? { first: 0 }
          expect([ranks[row]?.winRate, known]).toEqual([own.get(model.deployment)?.winRate, wanted])
        }
    }
  })
})
