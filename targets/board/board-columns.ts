import { ColumnTests } from '../compare/ranks/column-tests.ts'
import { scenarioOf } from '../runs/board-metric.ts'
import { compareCodePoints } from '../../benchmarks/python/text.ts'
import { isRanked } from './board-cell.ts'
import { alignVectors, type AlignedVectors } from '../runs/aligned-vectors.ts'
import type { InstanceVector } from '../runs/instance-vector.ts'
import type { Board } from './board.ts'

/** What a board's doubt is reckoned from. */
export interface BoardValues {
  readonly run: string
  readonly benchmark: string
  readonly deployment: string
  readonly vector: InstanceVector
}

/** A benchmark's ranked runs, one stratum a scenario, models in the order of the board's rows. */
export interface BoardColumn {
  readonly benchmark: string
  readonly strata: readonly AlignedVectors[]
}

/** By benchmark, in the board's order; undefined where the values of a ranked run are not at hand. */
export const boardColumns = (
  { benchmarks, rows }: Board,
  values: readonly BoardValues[],
): readonly (BoardColumn | undefined)[] => {
  const known = new Map(values.map((each) => [keyOf(each.deployment, each.run), each.vector]))
  return benchmarks.map(({ name }, column) => {
    const ranked = rows.map(({ model, cells }) => {
      const cell = cells[column]
      const runs = cell !== undefined && isRanked(cell) ? cell.runs : []
      return runs.map((run) => ({
        scenario: scenarioOf(run),
        vector: known.get(keyOf(model.deployment, run)),
      }))
    })
    if (ranked.flat().some(({ vector }) => vector === undefined)) return undefined
    const scenarios = [...new Set(ranked.flat().map(({ scenario }) => scenario))].sort(compareCodePoints)
    return {
      benchmark: name,
      strata: scenarios.map((scenario) =>
        alignVectors(
          ranked.map((runs) => runs.find((run) => run.scenario === scenario)?.vector),
          name,
          scenarios.length > 1,
        ),
      ),
    }
  })
}

/** The tests of a board's columns; undefined where the values of a ranked run are not at hand. */
export const columnTests = (
  board: Board,
  values: readonly BoardValues[],
): readonly (ColumnTests | undefined)[] =>
  boardColumns(board, values).map((column, index) => {
    const { isBinary = false, range } = board.benchmarks[index]?.mainMetric ?? {}
    return column && new ColumnTests({ ...column, isBinary, ...(range && { range }) })
  })

const keyOf = (deployment: string, run: string): string => JSON.stringify([deployment, run])
