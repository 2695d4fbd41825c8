import { describe, expect, it } from 'vitest'
import { columnTests } from '../../../targets/board/board-columns.ts'
import { boardPairs } from '../../../targets/board/board-pairs.ts'
import { boardSubgroups } from '../../../targets/board/board-subgroups.ts'
import { hardInstances } from '../../../targets/board/hard-instances.ts'
import { makeBoard } from '../../../targets/board/board.ts'
import { scenarioValues } from '../../../targets/board/scenario-values.ts'
import { compareModels } from '../../../targets/compare/compare-models.ts'
import type { ComparedRun } from '../../../targets/compare/compared-run.ts'
import { compareRuns } from '../../../targets/compare/compare-runs.ts'
import { gateRuns } from '../../../targets/compare/gate-runs.ts'
import { ColumnTests } from '../../../targets/compare/ranks/column-tests.ts'
import { rankColumns } from '../../../targets/compare/ranks/rank-columns.ts'
import { boardRunOf } from '../aggregate/board-runs.ts'
import { madeUpComparedRun } from './made-up-compared-run.ts'

const INSTANCES = Array.from({ length: 40 }, (_, at) => ({ id: `id${at}`, digest: `d${at}` }))
const MODELS = ['a', 'b', 'c'] as const
type Model = (typeof MODELS)[number]
const SCORES: Readonly<Record<Model, (at: number) => number>> = {
  a: (at) => Number(at % 3 > 0),
  b: (at) => Number(at % 4 > 0),
  c: (at) => Number(at % 5 > 1),
}

/** Trials by model: two trials agree everywhere. */
const MIXES = [
  [1, 1, 1],
  [1, 1, 2],
  [2, 1, 1],
  [2, 1, 2],
  [2, 2, 2],
] as const

const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const

const compared = (model: Model, trials: number): ComparedRun => ({
  ...madeUpComparedRun(
    { name: `ward:model=${model}`, scenario: 'ward', deployment: model, results: model },
    INSTANCES,
    SCORES[model],
  ),
  areMeans: trials > 1,
})

const boardOf = (trials: readonly number[]) => {
  const runs = MODELS.map((model, at) =>
    boardRunOf({
      model,
      values: INSTANCES.map((_, instance) => SCORES[model](instance)),
      trials: trials[at] ?? 1,
    }),
  )
  const values = runs.flatMap(({ name: run, model, vector }) =>
    vector ? [{ run, benchmark: 'bench', deployment: model.deployment, vector }] : [],
  )
  return { board: makeBoard('s', runs), values }
}

describe('runs of several trials that agree everywhere', () => {
  it.each(MIXES)(
    'are compared, gated and ranked by means where one of the two has them, whatever a third has: %d, %d, %d',
    (...trials) => {
      const runs = MODELS.map((model, at) => compared(model, trials[at] ?? 1))
      const [column] = rankColumns(runs).columns
      const tests = column && new ColumnTests(column)
      const once = gateOf(compared('a', 1), compared('b', 1))
      for (const [one, other] of PAIRS) {
        const [a, b] = [runs[one], runs[other]]
        if (a === undefined || b === undefined) throw new Error('three runs')
        const areMeans = trials[one] > 1 || trials[other] > 1
        const result = compareRuns([{ a, b }])[0]?.result
        expect(result?.test).toBe(areMeans ? 't' : 'mid-p')
        expect(tests?.of(one, other).p).toBe(result?.p)
        const gated = gateOf(a, b)
        if (one === 0 && other === 1)
          expect([gated?.p === once?.p, gated?.upper === once?.upper]).toEqual([!areMeans, !areMeans])
      }
    },
  )

  it.each(MIXES)('are tested alike by a board, its pages and comparisons: %d, %d, %d', (...trials) => {
    const { board, values } = boardOf(trials)
    // A run's own interval goes by its own trials.
    const methods = new Map(board.rows.map(({ model, cells }) => [model.name, cells[0]?.intervalMethod]))
    expect(methods).toEqual(
      new Map(MODELS.map((model, at) => [model, trials[at] === 1 ? 'Wilson' : 'Gaffke'])),
    )
    const [scenario] = scenarioValues(board, values)
    const rows = board.rows.map(({ model }) => model.deployment)
    const trialsOf = (model: string): number => trials[MODELS.findIndex((each) => each === model)] ?? 1
    const pairs = boardPairs(board, values)[0]?.pairs ?? []
    expect(pairs).toHaveLength(3)
    for (const { a, b, test, p } of pairs) {
      const [one, other] = [rows.indexOf(a), rows.indexOf(b)]
      expect(test).toBe(trialsOf(a) > 1 || trialsOf(b) > 1 ? 't' : 'mid-p')
      expect(columnTests(board, values)[0]?.of(one, other).p).toBe(p)
      const { scenarios, wins } = compareModels([
        {
          benchmark: 'bench',
          group: 'all',
          metric: board.benchmarks[0]?.mainMetric ?? { isBinary: false },
          isRanked: true,
          runs: [
            {
              scenario: 'bench',
              a: scenario?.values[one] ?? [],
              b: scenario?.values[other] ?? [],
              areMeans: [one, other].map((row) => scenario?.areMeans?.[row] === true),
              isRanked: true,
            },
          ],
        },
      ])
      expect(scenarios[0]?.result).toMatchObject({ test, p })
      expect(wins?.onThese).toBeDefined()
    }
  })

  it('have subgroups whose intervals are their own run’s, and instances that nobody is called wrong on', () => {
    const { board, values } = boardOf([1, 1, 2])
    const attribute = { name: 'odd', column: 'odd' }
    const groups = new Map(INSTANCES.map(({ id }, at) => [id, { odd: String(at % 2) }]))
    const [subgroups] = boardSubgroups(
      board,
      values.map((own) => ({ values: own, attributes: [attribute], groups })),
    )
    const methods = subgroups?.rows.map(({ deployment, scores }) => [deployment, scores[0]?.method])
    expect(new Map(methods as [string, string][])).toEqual(
      new Map([
        ['a', 'Wilson'],
        ['b', 'Wilson'],
        ['c', 'Gaffke'],
      ]),
    )
    expect(hardInstances(values, { isBinary: true }, 1).unsolved).toBeNull()
    expect(hardInstances(boardOf([1, 1, 1]).values, { isBinary: true }, 1).unsolved).not.toBeNull()
  })
})

const gateOf = (a: ComparedRun, b: ComparedRun) => gateRuns([{ a, b }]).rows[0]
