import { describe, expect, it } from 'vitest'
import { boardPairs } from '../../../targets/board/board-pairs.ts'
import { boardSubgroups } from '../../../targets/board/board-subgroups.ts'
import { makeBoard } from '../../../targets/board/board.ts'
import type { BoardValues } from '../../../targets/board/board-columns.ts'
import { scenarioValues } from '../../../targets/board/scenario-values.ts'
import { compareModels } from '../../../targets/compare/compare-models.ts'
import type { ComparedRun } from '../../../targets/compare/compared-run.ts'
import { gateRuns } from '../../../targets/compare/gate-runs.ts'
import { ColumnTests } from '../../../targets/compare/ranks/column-tests.ts'
import { rankColumns } from '../../../targets/compare/ranks/rank-columns.ts'
import { pairDifference } from '../../../targets/statistics/paired/pair-difference.ts'
import { packedSources, unpackedSources } from '../../../tools/site/values/packed.ts'
import { boardRunOf } from '../aggregate/board-runs.ts'
import { madeUpComparedRun } from '../compare/made-up-compared-run.ts'

const ROWS = 40
/** 0/1, so that a row that is hard in one wording is hard in the other. */
const right = (at: number, model: number): number => Number((at * 7 + model * 3) % 10 < 6 + model)
const PLAIN = 'ward:words=plain'
const LONG = 'ward:words=long'

/** Two wordings, asked of two models. `idOf`: of row and wording. */
const boardOf = (idOf: (at: number, wording: number) => string) => {
  const sketches = [0, 1].flatMap((model) =>
    [PLAIN, LONG].map((name, wording) => ({ model, name: `${name},model=m_${model}`, wording })),
  )
  const runs = sketches.map(({ model, name, wording }) => {
    const values = Array.from({ length: ROWS }, (_, at) => right(at, model))
    const run = boardRunOf({ model: `m/${model}`, benchmark: 'ward', name, values })
    return {
      ...run,
      vector: { ids: values.map((_, at) => idOf(at, wording)), values: Float64Array.from(values) },
    }
  })
  const values = runs.map(({ name, vector, model: { deployment } }): BoardValues => ({
    run: name,
    benchmark: 'ward',
    deployment,
    vector,
  }))
  return { board: makeBoard('s', runs), values }
}

/** The same, but m/1 was asked in one wording alone. */
const lonelyOf = ({ values }: ReturnType<typeof boardOf>) => {
  const left = values.filter(({ run, deployment }) => deployment === 'm/0' || run.startsWith(LONG))
  const runs = left.map(({ run, deployment, vector }) => ({
    ...boardRunOf({ model: deployment, benchmark: 'ward', name: run, values: Array.from(vector.values) }),
    vector,
  }))
  return { board: makeBoard('s', runs), values: left }
}

const width = (interval: { readonly low: number; readonly high: number } | null | undefined): number =>
  (interval?.high ?? NaN) - (interval?.low ?? NaN)

describe('rows that two runs of a benchmark ask in other words', () => {
  const same = boardOf((at) => `id${at}`)
  const apart = boardOf((at, wording) => `id${at + wording * ROWS}`)

  it('are one piece of evidence in a cell', () => {
    const cellOf = ({ board }: typeof same) => board.rows[0]?.cells[0]
    expect(cellOf(same)?.value).toBe(cellOf(apart)?.value)
    expect(cellOf(same)?.intervalMethod).toContain(`${ROWS} sources`)
    expect(width(cellOf(same)?.interval)).toBeGreaterThan(1.3 * width(cellOf(apart)?.interval))
  })

  it('are one in the pairs and places of a board', () => {
    const pairOf = ({ board, values }: typeof same) => boardPairs(board, values)[0]?.pairs[0]
    expect([pairOf(same)?.sources, pairOf(apart)?.sources]).toEqual([ROWS, 2 * ROWS])
    expect(pairOf(same)?.difference).toBeCloseTo(pairOf(apart)?.difference ?? NaN, 12)
    expect(pairOf(same)?.p).toBeGreaterThan(pairOf(apart)?.p ?? NaN)
  })

  it('stand for themselves where two models share but one of the runs, by which both are ranked', () => {
    const { board, values } = lonelyOf(same)
    const [a = [], b = []] = [1, 0].map((model) => Array.from({ length: ROWS }, (_, at) => right(at, model)))
    const scale = { isBinary: true, range: { low: 0, high: 1 } }
    const { p, test } = pairDifference([{ benchmark: 'ward', a, b }], scale)
    expect(test).toBe('mid-p')
    expect(boardPairs(board, values)[0]?.pairs).toMatchObject([{ p, test }])
    const runs = values.map(({ run, deployment, vector }) =>
      madeUpComparedRun(
        { name: run, scenario: run.startsWith(LONG) ? LONG : PLAIN, deployment, results: run },
        vector.ids.map((id) => ({ id, digest: `${run.startsWith(LONG)} ${id}` })),
        (at) => vector.values[at] ?? NaN,
      ),
    )
    const columns = rankColumns(runs).columns.map((column) => new ColumnTests(column))
    expect(columns[0]?.of(0, 1).p).toBe(p)
  })

  it('stand for themselves in each run that a page compares, as in `medmake compare`', () => {
    const scenarios = scenarioValues(same.board, same.values)
    const known = scenarios.map((scenario) => unpackedSources(packedSources(scenario)))
    expect(known).toEqual(scenarios.map(({ sources, areRows }) => ({ sources, areRows })))
    const compared = compareModels([
      {
        benchmark: 'ward',
        group: '',
        metric: { isBinary: true, range: { low: 0, high: 1 }, lowerIsBetter: false },
        isRanked: true,
        runs: scenarios.map(({ scenario, values: [a = [], b = []] }, at) => ({
          scenario,
          a,
          b,
          ...known[at],
          isRanked: true,
        })),
      },
    ])
    expect(compared.scenarios.map(({ result }) => result?.test)).toEqual(['mid-p', 'mid-p'])
    expect(compared.all?.sources).toBe(ROWS)
  })

  it('are one in what the site ranks and compares by', () => {
    const sources = ({ board, values }: typeof same) =>
      scenarioValues(board, values).map((scenario) => scenario.sources?.[1])
    expect(sources(same)).toEqual([1, 1])
    expect(sources(apart)).toEqual([1, ROWS + 1])
  })

  it('are one in a subgroup', () => {
    const groups = new Map(
      Array.from({ length: 2 * ROWS }, (_, at) => [`id${at}`, { sex: at % 2 === 0 ? 'f' : 'm' }] as const),
    )
    const scoreOf = ({ board, values }: typeof same) =>
      boardSubgroups(
        board,
        values.map((own) => ({ values: own, attributes: [{ name: 'sex', column: 'sex' }], groups })),
      )[0]?.rows[0]?.scores[0]
    expect(scoreOf(same)?.value).toBe(scoreOf(apart)?.value)
    expect(width(scoreOf(same)?.interval)).toBeGreaterThan(1.2 * width(scoreOf(apart)?.interval))
  })

  it('are one in ranks and in the gate of a comparison', () => {
    const runs = (model: number, idOf: (at: number, wording: number) => string): readonly ComparedRun[] =>
      [PLAIN, LONG].map((scenario, wording) =>
        madeUpComparedRun(
          {
            name: `${scenario},model=m_${model}`,
            scenario,
            deployment: `m/${model}`,
            results: `${model} ${scenario}`,
          },
          Array.from({ length: ROWS }, (_, at) => ({ id: idOf(at, wording), digest: `${scenario} ${at}` })),
          (at) => right(at, model),
        ),
      )
    const gateOf = (idOf: (at: number, wording: number) => string) => {
      const [base, next] = [runs(1, idOf), runs(0, idOf)]
      return gateRuns(base.flatMap((a, at) => (next[at] === undefined ? [] : [{ a, b: next[at] }])))
    }
    const byRow = (at: number): string => `id${at}`
    const byRun = (at: number, wording: number): string => `id${at} ${wording}`
    expect(gateOf(byRow).rows[0]?.loss).toBeCloseTo(gateOf(byRun).rows[0]?.loss ?? NaN, 12)
    expect(gateOf(byRow).rows[0]?.p).toBeGreaterThan(1.5 * (gateOf(byRun).rows[0]?.p ?? NaN))
    expect(gateOf(byRow).pooled?.p).toBeCloseTo(gateOf(byRow).rows[0]?.p ?? NaN, 12)
    const sources = rankColumns([...runs(0, byRow), ...runs(1, byRow)]).columns[0]?.strata.map(
      (stratum) => stratum.sources?.[3],
    )
    expect(sources?.[0]).toBe(sources?.[1])
    expect(sources?.[0]).toBeDefined()
  })
})
