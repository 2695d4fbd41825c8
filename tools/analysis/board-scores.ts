import type { BenchmarkSummary } from '../../benchmarks/lookup/list.ts'
import type { ScoreScale } from '../../benchmarks/scenario/benchmark.ts'
import { SHARE, type ScoreTable } from '../../targets/analysis/score-table.ts'
import { isRanked } from '../../targets/board/board-cell.ts'
import { boardMetric } from '../../targets/runs/board-metric.ts'
import type { Board } from '../../targets/board/board.ts'
import { juryStat } from '../../targets/metrics/llm-jury.ts'
import type { Target } from '../../targets/record/target.ts'

/** What a benchmark's main metric can be: a share of 1, or what its rubric lets judges give. */
export const scaleOf = ({ spec: { benchmark, metrics } }: Target): ScoreScale | undefined => {
  const { mainMetric, jury } = benchmark
  const { isShare } = boardMetric(
    mainMetric,
    metrics.map(({ helm }) => helm),
  )
  if (isShare) return SHARE
  const isJury = metrics.some(({ helm }) => juryStat(helm) === mainMetric.name)
  return isJury ? jury?.scale : undefined
}

/** A board's ranked cells. What is not ranked is no score: too much of it is missing. */
export const boardScores = (
  board: Board,
  scales: ReadonlyMap<string, ScoreScale | undefined>,
  benchmarks: readonly BenchmarkSummary[],
): ScoreTable => ({
  models: board.rows.map(({ label }) => label),
  columns: board.benchmarks.map(({ name, displayName, mainMetric: { lowerIsBetter } }, column) => {
    const known = benchmarks.find((each) => each.name === name)
    const scale = scales.get(name)
    return {
      benchmark: displayName,
      ...(known?.category === undefined ? {} : { category: known.category }),
      ...(known?.subcategory === undefined ? {} : { subcategory: known.subcategory }),
      ...(scale === undefined ? {} : { scale }),
      ...(lowerIsBetter === undefined ? {} : { lowerIsBetter }),
      values: board.rows.map(({ cells }) => {
        const cell = cells[column]
        return cell !== undefined && isRanked(cell) ? cell.value : null
      }),
    }
  }),
})
