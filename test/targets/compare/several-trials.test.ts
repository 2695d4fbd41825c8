import { describe, expect, it } from 'vitest'
import { columnTests } from '../../../targets/board/board-columns.ts'
import { boardPairs } from '../../../targets/board/board-pairs.ts'
import { makeBoard } from '../../../targets/board/board.ts'
import type { ComparedRun } from '../../../targets/compare/compared-run.ts'
import { compareRuns } from '../../../targets/compare/compare-runs.ts'
import { gateRuns } from '../../../targets/compare/gate-runs.ts'
import { ColumnTests } from '../../../targets/compare/ranks/column-tests.ts'
import { rankColumns } from '../../../targets/compare/ranks/rank-columns.ts'
import { boardMetric } from '../../../targets/runs/board-metric.ts'
import { boardRunOf } from '../aggregate/board-runs.ts'
import { madeUpComparedRun } from './made-up-compared-run.ts'

const INSTANCES = Array.from({ length: 40 }, (_, at) => ({ id: `id${at}`, digest: `d${at}` }))
const SCORES = { once: (at: number) => Number(at % 3 > 0), twice: (at: number) => Number(at % 4 > 0) }

/** `twice`: of two trials that agree everywhere; `once`: of one. */
const compared = (model: string, trials: 'once' | 'twice'): ComparedRun => {
  const run = madeUpComparedRun(
    { name: `ward:model=${model}`, scenario: 'ward', deployment: model, results: model },
    INSTANCES,
    SCORES[model === 'a' ? 'once' : 'twice'],
  )
  return trials === 'once'
    ? run
    : { ...run, metrics: run.metrics.map((metric) => ({ ...metric, isBinary: false })) }
}

const MIXES = [
  ['once', 'once', true],
  ['once', 'twice', false],
  ['twice', 'once', false],
  ['twice', 'twice', false],
] as const

describe('runs of several trials that agree everywhere', () => {
  it('have a metric of means, and no other metric becomes one of answers', () => {
    const object = { className: 'helm.benchmark.metrics.basic_metrics.BasicGenerationMetric' }
    const specs = [{ ...object, args: new Map([['names', ['exact_match', 'f1_score']]]) }]
    const kinds = ['exact_match', 'f1_score'].map((name) =>
      [1, 2].map((trials) => boardMetric({ name, split: 'test' }, specs, trials).isBinary),
    )
    expect(kinds).toEqual([
      [true, false],
      [false, false],
    ])
  })

  it.each(MIXES)(
    'are compared, gated and ranked by means wherever a side has them: %s, %s',
    (one, other, isBinary) => {
      const [a, b] = [compared('a', one), compared('b', other)]
      const [comparison] = compareRuns([{ a, b }])
      expect(comparison?.result?.test).toBe(isBinary ? 'mid-p' : 't')
      const [column] = rankColumns([a, b]).columns
      expect(column?.isBinary).toBe(isBinary)
      expect(column && new ColumnTests(column).of(0, 1).p).toBe(comparison?.result?.p)
      const binary = gateRuns([{ a: compared('a', 'once'), b: compared('b', 'once') }]).rows[0]
      const gated = gateRuns([{ a, b }]).rows[0]
      expect([gated?.p === binary?.p, gated?.upper === binary?.upper]).toEqual([isBinary, isBinary])
    },
  )

  it.each(MIXES)(
    'make a board’s column one of means, whichever run comes first: %s, %s',
    (one, other, isBinary) => {
      const runs = (
        [
          ['a', one],
          ['b', other],
        ] as const
      ).map(([model, trials]) =>
        boardRunOf({
          model,
          values: INSTANCES.map((_, at) => SCORES[model === 'a' ? 'once' : 'twice'](at)),
          isBinary: trials === 'once',
        }),
      )
      const board = makeBoard('s', runs)
      expect(board.benchmarks.map(({ mainMetric }) => mainMetric.isBinary)).toEqual([isBinary])
      // A run's own interval goes by its own trials.
      const methods = new Map(board.rows.map(({ model, cells }) => [model.name, cells[0]?.intervalMethod]))
      expect(methods).toEqual(
        new Map([
          ['a', one === 'once' ? 'Wilson' : 'Gaffke'],
          ['b', other === 'once' ? 'Wilson' : 'Gaffke'],
        ]),
      )
      const values = runs.flatMap(({ name: run, model, vector }) =>
        vector ? [{ run, benchmark: 'bench', deployment: model.deployment, vector }] : [],
      )
      const [pairs] = boardPairs(board, values)
      expect(pairs?.pairs.map(({ test }) => test)).toEqual([isBinary ? 'mid-p' : 't'])
      expect(columnTests(board, values)[0]?.of(0, 1).p).toBe(pairs?.pairs[0]?.p)
    },
  )
})
