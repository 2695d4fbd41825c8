import type { BenchmarkSummary } from '../../benchmarks/lookup/list.ts'
import { defined } from '../../cache/values/defined.ts'
import { isRanked } from '../board/board-cell.ts'
import type { Subgroups } from '../board/board-subgroups.ts'
import { isOffScale, type Board } from '../board/board.ts'
import type { ComparedRun } from '../compare/compared-run.ts'
import { rankColumns } from '../compare/ranks/rank-columns.ts'
import { isJurys } from '../metrics/llm-jury.ts'
import type { Target } from '../record/target.ts'
import { boardMetric, type Built } from '../runs/board-metric.ts'
import { rangeOf } from '../statistics/scale.ts'
import { analyze, type Analysis } from './analysis.ts'
import { detectableEffect } from './detectable-effects.ts'
import type { ScoreTable } from './score-table.ts'

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
    readonly detectable: DetectableEffects | null
    readonly subgroups?: Analysis['subgroups']
  },
): Analysis => analyze(board.suite, boardScores(board, benchmarks), { ...detectable, subgroups })

/** The least differences that benchmarks can show, and the benchmarks of which none can be told. */
type DetectableEffects = {
  readonly detectable: NonNullable<Analysis['detectable']>
  readonly undetectable: NonNullable<Analysis['undetectable']>
}

/** With the names of readers. @param runs the board's, value by value */
export const detectableEffects = (
  board: Board,
  built: readonly Pick<Built, 'target'>[],
  runs: readonly ComparedRun[],
): DetectableEffects => {
  const wholes = new Map(built.map(({ target }) => [target.spec.benchmark.name, wholeOf(target)]))
  const shown = new Map(board.benchmarks.map(({ name, displayName }) => [name, displayName]))
  const effects = rankColumns(runs).columns.flatMap((column) => {
    const whole = wholes.get(column.benchmark)
    return (whole === undefined ? undefined : detectableEffect(column, whole)) ?? []
  })
  const found = new Set(effects.map(({ benchmark }) => benchmark))
  return {
    detectable: effects.map((each) => ({ ...each, benchmark: shown.get(each.benchmark) ?? each.benchmark })),
    undetectable: board.benchmarks
      .filter(({ name }) => !found.has(name))
      .map(({ name, displayName }) => ({
        benchmark: displayName,
        lacks: wholes.get(name) === undefined ? 'scale' : 'pairs',
      })),
  }
}

/**
 * What effects are told as shares of: the length of the main metric's scale, and as in the paper a rubric's best score where
 * judges rate. Undefined for a scale without ends.
 */
const wholeOf = ({ spec: { benchmark, metrics } }: Target): number | undefined => {
  const { mainMetric, jury } = benchmark
  const helms = metrics.map(({ helm }) => helm)
  const { range } = boardMetric(mainMetric, helms, jury?.scale)
  if (range === undefined) return undefined
  return isJurys(mainMetric.name, helms) ? range.high : rangeOf(range)
}

/** A board's ranked cells. What is not ranked is no score: too much of it is missing. */
const boardScores = (board: Board, benchmarks: readonly BenchmarkSummary[]): ScoreTable => ({
  models: board.rows.map(({ label }) => label),
  columns: board.benchmarks.map(({ name, displayName, mainMetric: { lowerIsBetter, range } }, column) => {
    const known = benchmarks.find((each) => each.name === name)
    // As the board does: a mean of what lies off the scale is no share of it.
    const isOff = isOffScale(board.rows.map(({ cells }) => cells[column]))
    const scale = isOff ? undefined : range
    return defined({
      benchmark: displayName,
      category: known?.category,
      subcategory: known?.subcategory,
      scale,
      lowerIsBetter,
      values: board.rows.map(({ cells }) => {
        const cell = cells[column]
        return cell !== undefined && isRanked(cell) ? cell.score : null
      }),
    })
  }),
})
