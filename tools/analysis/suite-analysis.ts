import { listBenchmarks } from '../../benchmarks/list.ts'
import { analyze, type Analysis } from '../../targets/analysis/analysis.ts'
import { detectableEffect, type DetectableEffect } from '../../targets/analysis/detectable-effects.ts'
import type { ScoreScale } from '../../benchmarks/scenario/benchmark.ts'
import { readComparedRun, type BuiltRun } from '../../targets/compare/compared-run.ts'
import { rankColumns } from '../../targets/compare/rank-columns.ts'
import type { Session } from '../session/session.ts'
import { suiteContent } from '../site/suite-content.ts'
import { boardScores, scaleOf } from './board-scores.ts'

/** The analysis of one suite's built runs. */
export const suiteAnalysis = async (
  suite: string,
  built: readonly BuiltRun[],
  session: Session,
): Promise<Analysis> => {
  const own = built.filter((run) => run.suite === suite)
  const { board } = await suiteContent(suite, own, session)
  const scales = new Map(own.map(({ target }) => [target.spec.benchmark.name, scaleOf(target)]))
  const table = boardScores(board, scales, await listBenchmarks(session.benchmarks))
  const shown = new Map(board.benchmarks.map(({ name, displayName }) => [name, displayName]))
  const effects = await effectsOf(own, scales, session)
  return analyze(suite, table, {
    detectable: effects.map((effect) => ({
      ...effect,
      benchmark: shown.get(effect.benchmark) ?? effect.benchmark,
    })),
  })
}

const effectsOf = async (
  built: readonly BuiltRun[],
  scales: ReadonlyMap<string, ScoreScale | undefined>,
  { env }: Session,
): Promise<readonly DetectableEffect[]> => {
  const runs = []
  for (const run of built) runs.push(await readComparedRun(run, { besides: [] }, env))
  return rankColumns(runs).columns.flatMap((column) => {
    const scale = scales.get(column.benchmark)
    return scale === undefined ? [] : (detectableEffect(column, scale) ?? [])
  })
}
