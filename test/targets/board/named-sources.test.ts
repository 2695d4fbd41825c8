import { describe, expect, it } from 'vitest'
import { makeBoard } from '../../../targets/board/board.ts'
import { scenarioValues } from '../../../targets/board/scenario-values.ts'
import type { ComparedRun } from '../../../targets/compare/compared-run.ts'
import { rankColumns } from '../../../targets/compare/ranks/rank-columns.ts'
import { winDifference } from '../../../targets/compare/win-difference.ts'
import { alignVectors } from '../../../targets/runs/aligned-vectors.ts'
import { boardRunOf } from '../aggregate/board-runs.ts'
import { madeUpComparedRun } from '../compare/made-up-compared-run.ts'

const COUNT = 40
const IDS = Array.from({ length: COUNT }, (_, at) => `id${at}`)
/** Ten patients with four answers each, who are well or ill understood as a whole. */
const patientOf = (at: number): string => `source patient ${at % 10}`
const right = (at: number, model: number): number => Number(at % 10 < 3 + 5 * model)

/** HELM's files name no patient; runs of one's own do. */
const vectors = [false, true].map((isNamed, model) => ({
  ids: IDS,
  values: Float64Array.from(IDS, (_, at) => right(at, model)),
  ...(isNamed && { clusters: IDS.map((_, at) => patientOf(at)) }),
}))

describe('What one of several runs says that instances share', () => {
  it('holds for all of them, whichever comes first', () => {
    for (const runs of [vectors, vectors.toReversed()])
      expect(alignVectors(runs, 'ward').sources).toEqual(IDS.map((_, at) => patientOf(at)))
    const [bare, named] = vectors
    expect(alignVectors([bare, bare], 'ward').sources).toBeUndefined()
    const alone = named && { ...named, clusters: IDS.map((id, at) => (at < 2 ? `id ${id}` : patientOf(at))) }
    expect(alignVectors([bare, alone], 'ward').sources?.slice(0, 3)).toEqual([
      'id ward id0',
      'id ward id1',
      'source patient 2',
    ])
  })

  it('holds on the site', () => {
    const runs = [0, 1].map((model) =>
      boardRunOf({
        model: `m/${model}`,
        benchmark: 'ward',
        values: IDS.map((_, at) => right(at, model)),
      }),
    )
    const values = runs.flatMap(({ name, model: { deployment } }, at) => {
      const vector = vectors[at]
      return vector === undefined ? [] : [{ run: name, benchmark: 'ward', deployment, vector }]
    })
    for (const given of [values, values.toReversed()])
      expect(scenarioValues(makeBoard('s', runs), given)[0]?.sources).toEqual(IDS.map((_, at) => at % 10))
  })

  const run = (model: number, isNamed: boolean): ComparedRun =>
    madeUpComparedRun(
      { name: `ward:model=m_${model}`, scenario: 'ward', deployment: `m/${model}`, results: `${model}` },
      IDS.map((id, at) => ({ id, digest: `${at}`, ...(isNamed && { cluster: patientOf(at) }) })),
      (at) => right(at, model),
    )

  it('holds in ranks, and in who wins', () => {
    for (const runs of [
      [run(0, false), run(1, true)],
      [run(0, true), run(1, false)],
    ])
      expect(rankColumns(runs).columns[0]?.strata[0]?.sources).toEqual(IDS.map((_, at) => patientOf(at)))
    expect(rankColumns([run(0, false), run(1, false)]).columns[0]?.strata[0]).not.toHaveProperty('sources')
    const wins = (a: boolean, b: boolean) => winDifference([{ a: run(0, a), b: run(1, b) }])
    expect(wins(false, true)).toEqual(wins(true, true))
    expect(wins(true, false)).toEqual(wins(true, true))
  })
})
