import { describe, expect, it } from 'vitest'
import { boardColumns, type BoardValues } from '../../../targets/board/board-columns.ts'
import { boardPairs } from '../../../targets/board/board-pairs.ts'
import { boardUncertainty } from '../../../targets/board/board-uncertainty.ts'
import { openRanks } from '../../../targets/board/board-ranks.ts'
import { makeBoard } from '../../../targets/board/board.ts'
import { boardRunOf, type RunSketch } from '../aggregate/board-runs.ts'

const ones = (count: number, of: number): number[] =>
  Array.from({ length: of }, (_, at) => Number(at < count))

const boardOf = (sketches: readonly RunSketch[]) => {
  const runs = sketches.map(boardRunOf)
  const values = runs.flatMap(({ name, benchmark, model: { deployment }, vector }): readonly BoardValues[] =>
    vector === undefined ? [] : [{ run: name, benchmark: benchmark.name, deployment, vector }],
  )
  return { board: makeBoard('s', runs), values }
}

/** Sums of the values by row of the board, one a stratum. */
const sumsOf = ({ board, values }: ReturnType<typeof boardOf>) =>
  boardColumns(board, values).map((column) =>
    column?.strata.map((stratum) => stratum.values.map((own) => own?.reduce((sum, each) => sum + each, 0))),
  )

describe('the columns that a board’s doubt is reckoned from', () => {
  it('hold ranked runs alone, whether the values of others are at hand or not', () => {
    const { board, values } = boardOf([
      { model: 'm/a', values: ones(3, 10) },
      { model: 'm/b', values: ones(2, 10) },
      { model: 'm/lost', values: ones(9, 10), evaluated: 40 },
    ])
    const own = values.filter(({ deployment }) => deployment !== 'm/lost')
    expect(sumsOf({ board, values })).toEqual([[[3, 2, undefined]]])
    expect(sumsOf({ board, values: own })).toEqual([[[3, 2, undefined]]])
    expect(boardUncertainty(board, own).map(({ groups }) => groups)).toEqual([['a'], ['a'], ['']])
  })

  it('know two deployments apart whose runs have one name', () => {
    const name = 'bench:model=m'
    const two = boardOf([
      { model: 'm', deployment: 'here/m', name, values: ones(7, 10) },
      { model: 'm', deployment: 'there/m', name, values: ones(2, 10) },
    ])
    expect(sumsOf(two)).toEqual([[[7, 2]]])
  })
})

describe('the doubt about places', () => {
  it('goes over compared benchmarks alone: of one that only one model has none speaks', () => {
    const { board, values } = boardOf([
      { model: 'm/a', values: ones(95, 100) },
      { model: 'm/b', values: ones(20, 100) },
      { model: 'm/b', benchmark: 'alone', values: ones(20, 100) },
    ])
    const ranksOf = (known: readonly BoardValues[]) =>
      boardUncertainty(board, known).map(({ rank }) => openRanks(rank))
    const told = [
      { low: 1, high: 1 },
      { low: 2, high: 2 },
    ]
    expect(ranksOf(values)).toEqual(told)
    // Nor are its values missed.
    expect(ranksOf(values.filter(({ benchmark }) => benchmark === 'bench'))).toEqual(told)
  })
})

describe('the doubt about places over several benchmarks', () => {
  it('is not told where the values of one of them are missing', () => {
    const { board, values } = boardOf([
      { model: 'm/a', values: ones(95, 100) },
      { model: 'm/b', values: ones(20, 100) },
      { model: 'm/a', benchmark: 'x', values: ones(95, 100) },
      { model: 'm/b', benchmark: 'x', values: ones(20, 100) },
    ])
    const part = values.filter(({ benchmark }) => benchmark === 'bench')
    expect(boardUncertainty(board, part).map(({ rank, groups }) => [rank, groups])).toEqual([
      [null, ['a', '']],
      [null, ['b', '']],
    ])
  })
})

describe('the pairs of several benchmarks', () => {
  const { board, values } = boardOf([
    // By win rate a, b, c; on the second benchmark c, then a and b alike.
    { model: 'm/a', values: ones(9, 10) },
    { model: 'm/b', values: ones(8, 10) },
    { model: 'm/c', values: ones(1, 10) },
    { model: 'm/b', benchmark: 'second', values: ones(5, 10) },
    { model: 'm/a', benchmark: 'second', values: ones(5, 10) },
    { model: 'm/c', benchmark: 'second', values: ones(7, 10) },
    { model: 'm/a', benchmark: 'third', values: ones(9, 10) },
    { model: 'm/b', benchmark: 'third', values: ones(8, 10) },
    { model: 'm/c', benchmark: 'third', values: ones(7, 10) },
    { model: 'm/a', benchmark: 'alone', values: ones(5, 10) },
  ])

  it('stand by the places of their own benchmark, equal ones as the board’s rows do', () => {
    expect(board.rows.map(({ label }) => label)).toEqual(['m/a', 'm/b', 'm/c'])
    const second = boardPairs(board, values).find(({ benchmark }) => benchmark === 'second')
    expect(second?.pairs.map(({ a, b }) => `${a} ${b}`)).toEqual(['m/c m/a', 'm/c m/b', 'm/a m/b'])
  })

  it('are none of a benchmark that one model has, and list a difference that no test can judge', () => {
    expect(boardPairs(board, values).map(({ benchmark }) => benchmark)).toEqual(['bench', 'second', 'third'])
    const one = (model: string, value: number): RunSketch => ({
      model,
      isBinary: false,
      isShare: false,
      values: [value],
    })
    const pair = boardOf([one('m/a', 5), one('m/b', 2)])
    const [found] = boardPairs(pair.board, pair.values)
    expect(found?.pairs).toMatchObject([{ difference: -3, p: null, holm: null }])
  })
})
