import type { Board } from '../../../targets/board/board.ts'
import type { BoardBenchmark } from '../../../targets/runs/board-run.ts'
import { visibleText } from '../visible-text.ts'

/** Benchmarks that no win rate compares, with the reason: `Notes (fewer than two ranked scores)`. */
export const notInWinRates = ({ benchmarks, winRateColumns }: Board): readonly string[] =>
  benchmarks.flatMap((benchmark) =>
    winRateColumns.includes(benchmark.name)
      ? []
      : [named(benchmark, benchmark.mainMetric.lowerIsBetter === undefined ? NO_DIRECTION : TOO_FEW)],
  )

/** Benchmarks that no average takes in, with the reason. */
export const notInAverages = ({ benchmarks, macroColumns }: Board): readonly string[] =>
  benchmarks.flatMap((benchmark) => {
    const { isShare, lowerIsBetter } = benchmark.mainMetric
    if (macroColumns.includes(benchmark.name)) return []
    if (!isShare) return [named(benchmark, `${benchmark.mainMetric.displayName} is no share of 1`)]
    return [named(benchmark, lowerIsBetter === false ? TOO_FEW : 'more is not better')]
  })

const TOO_FEW = 'fewer than two ranked scores'
const NO_DIRECTION = 'nobody says what is better'

const named = ({ displayName }: BoardBenchmark, reason: string): string =>
  `${visibleText(displayName)} (${visibleText(reason)})`.replaceAll(/\s+/g, ' ')
