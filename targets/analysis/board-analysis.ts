import type { BenchmarkSummary } from '../../benchmarks/lookup/list.ts'
import { isRanked } from '../board/board-cell.ts'
import type { Subgroups } from '../board/board-subgroups.ts'
import { isOffScale, type Board } from '../board/board.ts'
import type { ComparedRun } from '../compare/compared-run.ts'
import { rankColumns } from '../compare/ranks/rank-columns.ts'
import { juryStat } from '../metrics/llm-jury.ts'
import type { Target } from '../record/target.ts'
import { boardMetric, juryRange, type Built } from '../runs/board-metric.ts'
import type { Scale } from '../statistics/scale.ts'
import { analyze, type Analysis } from './analysis.ts'
import { detectableEffect, type DetectableEffect } from './detectable-effects.ts'
import { SHARE, type ScoreTable } from './score-table.ts'

/** Scores by attribute with the names of readers. */
export const namedSubgroups = (
  { rows, benchmarks }: Board,
  subgroups: readonly Subgroups[],
): NonNullable<Analysis['subgroups']> => {
  const models = new Map(rows.map(({ model, label }) => [model.deployment, label]))
  const shown = new Map(benchmarks.map(({ name, displayName }) => [name, displayName]))
  return subgroups.map((each) => ({
    ...each,
    benchmark: shown.get(each.benchmark) ?? each.benchmark,
    rows: each.rows.map((row) => ({ model: models.get(row.deployment) ?? row.deployment, ...row })),
  }))
}

export const boardAnalysis = (
  board: Board,
  {
    benchmarks,
    detectable,
    subgroups = null,
  }: {
    readonly benchmarks: readonly BenchmarkSummary[]
    readonly detectable: readonly DetectableEffect[] | null
    readonly subgroups?: Analysis['subgroups']
  },
): Analysis => analyze(board.suite, boardScores(board, benchmarks), { detectable, subgroups })

const scalesOf = (built: readonly Pick<Built, 'target'>[]): ReadonlyMap<string, Scale | undefined> =>
  new Map(built.map(({ target }) => [target.spec.benchmark.name, scaleOf(target)]))

/** The least differences that each benchmark can show, with the names of readers. @param runs the board's, value by value */
export const detectableEffects = (
  board: Board,
  built: readonly Pick<Built, 'target'>[],
  runs: readonly ComparedRun[],
): readonly DetectableEffect[] => {
  const scales = scalesOf(built)
  const shown = new Map(board.benchmarks.map(({ name, displayName }) => [name, displayName]))
  return rankColumns(runs).columns.flatMap((column) => {
    const scale = scales.get(column.benchmark)
    const effect = scale && detectableEffect(column, scale)
    return effect === undefined
      ? []
      : [{ ...effect, benchmark: shown.get(effect.benchmark) ?? effect.benchmark }]
  })
}

/** What effects are told as shares of. A benchmark's main metric can be a share of 1, or what its rubric lets judges give. */
const scaleOf = ({ spec: { benchmark, metrics } }: Target): Scale | undefined => {
  const { mainMetric, jury } = benchmark
  const { range } = boardMetric(
    mainMetric,
    metrics.map(({ helm }) => helm),
  )
  if (range?.low === 0 && range.high === 1) return SHARE
  const isJury = metrics.some(({ helm }) => juryStat(helm) === mainMetric.name)
  return isJury ? juryRange(jury?.scale) : undefined
}

/** A board's ranked cells. What is not ranked is no score: too much of it is missing. */
const boardScores = (board: Board, benchmarks: readonly BenchmarkSummary[]): ScoreTable => ({
  models: board.rows.map(({ label }) => label),
  columns: board.benchmarks.map(({ name, displayName, mainMetric: { lowerIsBetter, range } }, column) => {
    const known = benchmarks.find((each) => each.name === name)
    // As the board does: a mean of what lies off the scale is no share of it.
    const isOff = isOffScale(board.rows.map(({ cells }) => cells[column]))
    const scale = isOff ? undefined : range
    return {
      benchmark: displayName,
      ...(known?.category === undefined ? {} : { category: known.category }),
      ...(known?.subcategory === undefined ? {} : { subcategory: known.subcategory }),
      ...(scale === undefined ? {} : { scale }),
      ...(lowerIsBetter === undefined ? {} : { lowerIsBetter }),
      values: board.rows.map(({ cells }) => {
        const cell = cells[column]
        return cell !== undefined && isRanked(cell) ? cell.score : null
      }),
    }
  }),
})
