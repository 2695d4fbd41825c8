import { listBenchmarks, type BenchmarkSummary } from '../../benchmarks/lookup/list.ts'
import type { ScoreScale } from '../../benchmarks/scenario/benchmark.ts'
import type { Board } from '../../targets/board/board.ts'
import { analyze, type Analysis } from '../../targets/analysis/analysis.ts'
import { detectableEffect, type DetectableEffect } from '../../targets/analysis/detectable-effects.ts'
import { readComparedRun, type BuiltRun } from '../../targets/compare/compared-run.ts'
import { rankColumns } from '../../targets/compare/rank-columns.ts'
import type { Session } from '../session/session.ts'
import { suiteContent } from '../site/content/suite-content.ts'
import { boardScores, scaleOf } from './board-scores.ts'

/** The analysis of one suite's built runs. Reads the values of each instance. */
export const suiteAnalysis = async (
  suite: string,
  built: readonly BuiltRun[],
  session: Session,
): Promise<Analysis> => {
  const own = built.filter((run) => run.suite === suite)
  const { board } = await suiteContent(suite, own, session)
  const benchmarks = await listBenchmarks(session.benchmarks)
  return boardAnalysis(board, own, { benchmarks, detectable: await effectsOf(board, own, session) })
}

/** @param built the board's runs: their targets tell what scores can be */
export const boardAnalysis = (
  board: Board,
  built: readonly Pick<BuiltRun, 'target'>[],
  {
    benchmarks,
    detectable,
  }: {
    readonly benchmarks: readonly BenchmarkSummary[]
    readonly detectable: readonly DetectableEffect[] | null
  },
): Analysis => analyze(board.suite, boardScores(board, scalesOf(built), benchmarks), { detectable })

const scalesOf = (built: readonly Pick<BuiltRun, 'target'>[]): ReadonlyMap<string, ScoreScale | undefined> =>
  new Map(built.map(({ target }) => [target.spec.benchmark.name, scaleOf(target)]))

const effectsOf = async (
  board: Board,
  built: readonly BuiltRun[],
  { env, workspace }: Session,
): Promise<readonly DetectableEffect[]> => {
  const scales = scalesOf(built)
  const shown = new Map(board.benchmarks.map(({ name, displayName }) => [name, displayName]))
  const runs = []
  const wanted = { besides: [], coverageFloor: workspace.config.coverage_floor }
  for (const run of built) runs.push(await readComparedRun(run, wanted, env))
  return rankColumns(runs).columns.flatMap((column) => {
    const scale = scales.get(column.benchmark)
    const effect = scale && detectableEffect(column, scale)
    return effect === undefined
      ? []
      : [{ ...effect, benchmark: shown.get(effect.benchmark) ?? effect.benchmark }]
  })
}
