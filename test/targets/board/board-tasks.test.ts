import { describe, expect, test } from 'vitest'
import type { BoardValues } from '../../../targets/board/board-columns.ts'
import { boardUncertainty } from '../../../targets/board/board-uncertainty.ts'
import type { BoardRun } from '../../../targets/runs/board-run.ts'
import { boardOfTask, boardTasks, rankedTasks } from '../../../targets/board/board-tasks.ts'
import { makeBoard, type Board } from '../../../targets/board/board.ts'
import { randomKey, RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'
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
    of.rows.map(({ model, winRate, winRateColumns, average, place }) => [
      model.deployment,
      { winRate, winRateColumns, average, place },
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
  test('are its categories and their subcategories, in its order, and what is of no category', () => {
    expect(
      boardTasks(board).map(({ category, subcategory, benchmarks }) => [category, subcategory, benchmarks]),
    ).toEqual([
      ['Notes', '', ['bench0', 'bench1', 'bench2']],
      ['Notes', 'Visits', ['bench0', 'bench2']],
      ['Notes', 'Plans', ['bench1']],
      ['Research', '', ['bench3', 'bench4']],
      ['Research', 'Trials', ['bench3', 'bench4']],
      ['Other', '', ['bench5']],
    ])
  })

  test('are as sure as a board of their runs alone', () => {
    const tasks = rankedTasks(board, values)
    expect(tasks).toHaveLength(boardTasks(board).length)
    for (const { benchmarks, ranks } of tasks) {
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

  test('are none of all benchmarks, and count one without a subcategory once', () => {
    const [first] = board.benchmarks
    if (first === undefined) throw new RangeError('the board has benchmarks')
    const { category: _, subcategory: __, ...bare } = first
    const placed = (places: readonly (readonly [category?: string, subcategory?: string])[]) =>
      boardTasks({
        ...board,
        benchmarks: places.map(([category, subcategory], at) => ({
          ...bare,
          name: `b${at}`,
          ...(category && { category }),
          ...(subcategory && { subcategory }),
        })),
      }).map(({ category, subcategory, benchmarks }) => [category, subcategory, benchmarks.join(' ')])
    expect(placed([['Notes'], ['Notes', 'Visits']])).toEqual([['Notes', 'Visits', 'b1']])
    expect(placed([['Notes'], ['Notes'], ['Research', 'Visits'], ['Notes', 'Visits']])).toEqual([
      ['Notes', '', 'b0 b1 b3'],
      ['Research', '', 'b2'],
      ['Research', 'Visits', 'b2'],
      ['Notes', 'Visits', 'b3'],
    ])
  })

  test('have no rank and no cost of the whole board, and averages of their own', () => {
    const told = { winRate: null, winRateLikeThese: null, average: null, likeTheseReason: '' }
    const spent = { calls: 1, inputTokens: 1, outputTokens: 1, latency: null, usd: 1 }
    const whole = { ...board, rows: board.rows.map((each) => ({ ...each, rank: told, spent })) }
    const part = boardOfTask(whole, ['bench3', 'bench4'])
    expect(part.rows.map(({ rank, spent: own }) => [rank, own])).toEqual(board.rows.map(() => [null, null]))
    expect([part.winRateColumns, part.averageColumns]).toEqual([
      ['bench3', 'bench4'],
      ['bench3', 'bench4'],
    ])
  })

  test('name who is surely ahead by the board’s rows, whoever leads in the task', () => {
    const levels = { x: [95, 50, 5], y: [50, 95, 5], z: [95, 50, 5] }
    const some = Object.entries(levels).flatMap(([benchmark, right]) =>
      right.map((count, at) => {
        const answers = Array.from({ length: 100 }, (_, each) => Number(each < count))
        const run = boardRunOf({ model: 'abc'.charAt(at), benchmark, values: answers })
        return { ...run, benchmark: { ...run.benchmark, category: benchmark === 'y' ? 'Turned' : 'Usual' } }
      }),
    )
    const own = makeBoard('s', some)
    const known = some.flatMap(({ name, benchmark, model: { deployment }, vector }): readonly BoardValues[] =>
      vector === undefined ? [] : [{ run: name, benchmark: benchmark.name, deployment, vector }],
    )
    expect(own.rows.map(({ label }) => label)).toEqual(['a', 'b', 'c'])
    const turned = rankedTasks(own, known).find(({ category }) => category === 'Turned')
    expect(turned?.ranks.map((rank) => rank?.behind)).toEqual([[1, 1], [], [0, 1]])
  })
})
