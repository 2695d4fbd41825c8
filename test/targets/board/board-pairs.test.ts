import { describe, expect, it } from 'vitest'
import type { BoardValues } from '../../../targets/board/board-columns.ts'
import { boardPairs } from '../../../targets/board/board-pairs.ts'
import { makeBoard } from '../../../targets/board/board.ts'
import { scenarioValues } from '../../../targets/board/scenario-values.ts'
import { boardRunOf, type RunSketch } from '../aggregate/board-runs.ts'

/** A board of one benchmark: 40 answers of each model, of which so many are right. */
const boardOf = (right: readonly number[], more: (at: number) => Partial<RunSketch> = () => ({})) => {
  const runs = right.map((count, at) => {
    const values = Array.from({ length: 40 }, (_, each) => Number(each < count))
    return boardRunOf({ model: `m/${String.fromCharCode(97 + at)}`, values, ...more(at) })
  })
  const values = runs.flatMap(({ name, benchmark, model, vector }): readonly BoardValues[] =>
    vector === undefined
      ? []
      : [{ run: name, benchmark: benchmark.name, deployment: model.deployment, vector }],
  )
  return { board: makeBoard('s', runs), values }
}
const pairsOf = ({ board, values }: ReturnType<typeof boardOf>) => boardPairs(board, values)[0]

describe('the pairs of a benchmark', () => {
  it('are B less A, the better one first', () => {
    const found = pairsOf(boardOf([10, 30, 20]))
    expect(found?.pairs.map(({ a, b }) => `${a} ${b}`)).toEqual(['m/b m/c', 'm/b m/a', 'm/c m/a'])
    expect(found?.pairs.map(({ difference }) => difference)).toEqual([-0.25, -0.5, -0.25])
    expect(found?.pairs[0]).toMatchObject({ meanA: 0.75, meanB: 0.5 })
  })

  it('are all of twelve models, and of more those of the best', () => {
    const right = Array.from({ length: 12 }, (_, at) => 30 - at)
    const twelve = pairsOf(boardOf(right))
    expect([twelve?.of, twelve?.pairs.length]).toEqual(['all', 66])
    const more = pairsOf(boardOf([...right, 5]))
    expect([more?.of, more?.pairs.length]).toEqual(['best', 12])
    expect(new Set(more?.pairs.map(({ a }) => a))).toEqual(new Set(['m/a']))
  })

  it('leave out who lost too many answers to have a place', () => {
    const found = pairsOf(boardOf([10, 30, 20], (at) => (at === 1 ? { evaluated: 80 } : {})))
    expect(found?.pairs.map(({ a, b }) => `${a} ${b}`)).toEqual(['m/c m/a'])
  })
})

describe('the values that a page ranks by', () => {
  const valuesOf = (access: 'public' | 'private'): readonly unknown[] => {
    const { board, values } = boardOf([3, 38], () => ({ access }))
    return scenarioValues(board, values).map((scenario) => scenario.values[1])
  }

  it('stand in the order of the data, but of a benchmark that is not public in that of what they are', () => {
    const inOrder = Array.from({ length: 40 }, (_, at) => Number(at < 3))
    expect(valuesOf('public')).toEqual([inOrder])
    // Two that neither has right, 35 that one has, then the three that both have.
    expect(valuesOf('private')).toEqual([inOrder.toReversed()])
  })
})
