import { describe, expect, it } from 'vitest'
import { boardPairs } from '../../../targets/board/board-pairs.ts'
import { boardUncertainty } from '../../../targets/board/board-uncertainty.ts'
import { makeBoard } from '../../../targets/board/board.ts'
import { compareRuns } from '../../../targets/compare/compare-runs.ts'
import { rankModels, type Ranking } from '../../../targets/compare/ranks/rank-models.ts'
import { winDifference } from '../../../targets/compare/win-difference.ts'
import { alignVectors, commonPlaces } from '../../../targets/runs/aligned-vectors.ts'
import { boardRunOf } from '../aggregate/board-runs.ts'
import { madeUpComparedRun } from '../compare/made-up-compared-run.ts'

const ids = (count: number, from = 0): readonly string[] =>
  Array.from({ length: count }, (_, at) => `id${at + from}`)
const right = (at: number, model: number): number => Number((at * 7 + model * 3) % 10 < 3 + 5 * model)

describe('runs side by side', () => {
  it('have in full what no run lacks or was not asked', () => {
    const vectors = [
      { ids: ids(6), values: Float64Array.from([1, 0, NaN, 1, 0, 1]) },
      { ids: ids(4, 1), values: Float64Array.from([1, 1, 0, NaN]) },
    ]
    expect(commonPlaces(alignVectors(vectors))).toEqual([1, 3])
    // A model without a run keeps nothing out, and nor does a run of which nothing is known but what it was asked.
    const beside = [...vectors, undefined, { ids: ids(9) }]
    expect(commonPlaces(alignVectors(beside))).toEqual([1, 3])
    expect(alignVectors([vectors[0], vectors[0]])).not.toHaveProperty('asked')
  })
})

describe('an instance that one of two models was not asked', () => {
  const [few, many] = [30, 200]
  const sketches = [many, few].map((count, model) => ({
    deployment: `m/${model}`,
    ids: ids(count),
    values: ids(count).map((_, at) => right(at, model)),
  }))
  const runs = sketches.map(({ deployment, values, ids: own }) => {
    const run = boardRunOf({ model: deployment, benchmark: 'ward', values })
    return { ...run, vector: { ids: own, values: Float64Array.from(values) } }
  })
  const values = runs.map(({ name, vector, model: { deployment } }) => ({
    run: name,
    benchmark: 'ward',
    deployment,
    vector,
  }))
  const board = makeBoard('s', runs)
  const [a, b] = sketches.map(({ deployment, ids: own, values: scores }) =>
    madeUpComparedRun(
      { name: `ward:model=${deployment}`, scenario: 'ward', deployment },
      own.map((id) => ({ id, digest: id })),
      (at) => scores[at] ?? NaN,
    ),
  )

  it('is no missing value: board and comparison test the same difference', () => {
    const [compared] = a && b ? compareRuns([{ a, b }]) : []
    const [pair] = boardPairs(board, values)[0]?.pairs ?? []
    expect(pair).toMatchObject({ n: few, common: few, test: 'mid-p' })
    expect(pair?.p).toBe(compared?.result?.p)
    expect(pair?.p).toBeLessThan(0.01)
    expect(boardUncertainty(board, values).map(({ groups }) => groups)).toEqual([['a'], ['b']])
  })

  it('widens no average that it is not part of', () => {
    for (const [row, { average }] of boardUncertainty(board, values).entries()) {
      const own = board.rows[row]?.cells[0]?.interval
      expect((average?.high ?? NaN) - (average?.low ?? NaN)).toBeCloseTo(
        (own?.high ?? 9) - (own?.low ?? 0),
        1,
      )
    }
  })

  it('is known by what it asks where rows have moved: who wins goes by the differences that are told', () => {
    const moved = a && {
      ...a,
      ids: ids(many, 1),
      clusters: a.instances.map((_, at) => (at === 0 ? 'source p' : `id id${at + 1}`)),
    }
    const wins = a && b && winDifference([{ a, b: { ...a, deployment: 'm/2' } }])
    expect(wins).toMatchObject({ winRateA: 0.5, winRateB: 0.5, onThese: { low: -1, high: 1 } })
    expect(a && moved && winDifference([{ a: moved, b: { ...a, deployment: 'm/2' } }])).toEqual(wins)
  })
})

describe('a benchmark on which two models share no instance', () => {
  it('leaves open which of them has the better average', () => {
    const rankedOver = (shared: number) =>
      rankModels(
        ['m/0', 'm/1'],
        ['ward', 'clinic'].map((benchmark, at) => ({
          benchmark,
          isBinary: true,
          range: { low: 0, high: 1 },
          lowerIsBetter: false,
          strata: [
            alignVectors(
              [0, 1].map((model) => ({
                ids: ids(60, at < shared ? 0 : model * 60),
                values: Float64Array.from({ length: 60 }, () => model),
              })),
            ),
          ],
        })),
      )
    const ranksOf = (ranking: Ranking) => ranking.models.map(({ average }) => average?.onThese.marginal)
    const open = { low: 1, high: 2 }
    expect(ranksOf(rankedOver(1))).toEqual([open, open])
    expect(rankedOver(1).untold).toEqual({ oneSource: [], unshared: ['clinic'] })
    expect(ranksOf(rankedOver(2))).toEqual([
      { low: 1, high: 1 },
      { low: 2, high: 2 },
    ])
    expect(rankedOver(2).untold).toEqual({ oneSource: [], unshared: [] })
  })
})
