import { nothingKnown } from '../../../targets/statistics/intervals/mean-interval.ts'
import { defined } from '../../../cache/values/defined.ts'
import { benchmarkCalled, type BenchmarkSummary } from '../../../benchmarks/lookup/list.ts'
import type { ModelRegistry } from '../../../models/registry/registry.ts'
import type { BoardBenchmark, BoardModel, BoardRun } from '../../../targets/runs/board-run.ts'
import { makeBoard, type Board, type Spent } from '../../../targets/board/board.ts'
import type { CostRow } from '../../../targets/analysis/paper-costs.ts'
import { benchmarkKey, plainName } from '../../../targets/analysis/paper.ts'
import type { ScoreColumn, ScoreTable } from '../../../targets/analysis/score-table.ts'
import type { SiteSuite } from '../site.ts'

interface LeaderboardSources {
  readonly benchmarks: readonly BenchmarkSummary[]
  readonly registry: ModelRegistry
  /** What the models took, where a file tells. */
  readonly costs: readonly CostRow[]
}

/** A leaderboard file as a board: means alone, without instances, intervals or runs behind them. */
export const leaderboardContent = (
  name: string,
  table: ScoreTable,
  { benchmarks, registry, costs }: LeaderboardSources,
): SiteSuite => {
  const models = table.models.map((label) => modelOf(label, registry))
  const runs = table.columns.flatMap((column) => {
    const benchmark = benchmarkOf(column, benchmarks)
    return models.flatMap((model, row): readonly BoardRun[] => {
      const value = column.values[row] ?? null
      return value === null ? [] : [boardRun(model, benchmark, value)]
    })
  })
  const board = makeBoard(name, runs)
  return {
    board: withoutRuns(board, new Map(models.map((model) => [model, spentBy(model, costs)]))),
    runs: [],
  }
}

const modelOf = (label: string, registry: ModelRegistry): BoardModel => {
  const known = registry.models.find(({ displayName }) => displayName === label)
  return {
    name: known?.name ?? label,
    deployment: known?.name ?? label,
    displayName: label,
    creator: known?.creatorOrganization ?? 'Unknown',
    access: known?.access ?? '',
  }
}

const benchmarkOf = (
  { benchmark, metric, category, subcategory, scale }: ScoreColumn,
  benchmarks: readonly BenchmarkSummary[],
): BoardBenchmark => {
  const known = benchmarkCalled(benchmark, benchmarks)
  return defined({
    name: benchmarkKey(benchmark, known),
    displayName: benchmark,
    description: known?.description ?? '',
    access: known?.access ?? 'local',
    category,
    subcategory,
    mainMetric: {
      name: 'score',
      split: 'test',
      displayName: metric ?? 'Score',
      description: 'As the leaderboard file gives it.',
      lowerIsBetter: false,
      ...(scale === undefined ? {} : { range: scale }),
      isBinary: false,
    },
    coverageFloor: 0,
  })
}

const boardRun = (model: BoardModel, benchmark: BoardBenchmark, value: number): BoardRun => ({
  name: `${benchmark.name}:model=${model.name}`,
  model,
  benchmark,
  stats: [{ name: { name: benchmark.mainMetric.name, split: 'test' }, count: 1, sum: value }],
  coverage: { evaluated: 0, measured: 0 },
  causes: {},
  sample: { requests: 0, found: nothingKnown('no values by instance') },
  failures: [],
})

/** No page stands behind a cell. */
const withoutRuns = (board: Board, spent: ReadonlyMap<BoardModel, Spent | null>): Board => ({
  ...board,
  rows: board.rows.map((row) => ({
    ...row,
    spent: spent.get(row.model) ?? null,
    cells: row.cells.map((cell) => ({ ...cell, runs: [] })),
  })),
})

const spentBy = ({ name }: BoardModel, costs: readonly CostRow[]): Spent | null => {
  const own = costs.find(({ model }) => plainName(model) === plainName(name.split('/').at(-1) ?? name))
  return own === undefined
    ? null
    : {
        calls: 0,
        inputTokens: own.inputTokens,
        outputTokens: own.outputTokens,
        latency: null,
        usd: own.benchmarkUsd,
      }
}
