import { isOffScale, type Board } from '../../../targets/board/board.ts'
import type { BoardBenchmark } from '../../../targets/runs/board-run.ts'
import { NO_DIRECTION, NO_ENDS, OFF_SCALE } from '../../../targets/statistics/scale.ts'
import { oneLine } from '../visible-text.ts'

/** Benchmarks that no win rate compares, with the reason: `Notes (fewer than two ranked scores)`. */
export const notInWinRates = ({ benchmarks, winRateColumns }: Board): readonly string[] =>
  benchmarks.flatMap((benchmark) =>
    winRateColumns.includes(benchmark.name)
      ? []
      : [named(benchmark, benchmark.mainMetric.lowerIsBetter === undefined ? NO_DIRECTION : TOO_FEW)],
  )

/** Benchmarks that no average takes in, with the reason. */
export const notInAverages = ({ benchmarks, averageColumns, rows }: Board): readonly string[] =>
  benchmarks.flatMap((benchmark, at) => {
    const { range, lowerIsBetter } = benchmark.mainMetric
    if (averageColumns.includes(benchmark.name)) return []
    if (lowerIsBetter === undefined) return [named(benchmark, NO_DIRECTION)]
    if (range === undefined) return [named(benchmark, NO_ENDS)]
    // A board of one model wants one score alone.
    const few = rows.length < 2 ? 'its score is not ranked' : TOO_FEW
    return [named(benchmark, isOffScale(rows.map(({ cells }) => cells[at])) ? OFF_SCALE : few)]
  })

const TOO_FEW = 'fewer than two ranked scores'

const named = ({ displayName }: BoardBenchmark, reason: string): string =>
  oneLine(`${displayName} (${reason})`)
