import { listReadable } from '../../benchmarks/lookup/list.ts'
import type { Analysis } from '../../targets/analysis/analysis.ts'
import { boardAnalysis, detectableEffects, namedSubgroups } from '../../targets/analysis/board-analysis.ts'
import { readComparedRun, type ComparedRun } from '../../targets/compare/compared-run.ts'
import type { Built } from '../../targets/runs/board-metric.ts'
import { sessionRuns } from '../session/built-run.ts'
import type { Session } from '../session/session.ts'
import { suiteContent } from '../site/content/suite-content.ts'

/** The analysis of one suite's built runs. Reads the values of each instance. */
export const suiteAnalysis = async (
  suite: string,
  built: readonly Built[],
  session: Session,
): Promise<Analysis> => {
  const own = built.filter((run) => run.suite === suite)
  const { board, subgroups = [] } = await suiteContent(suite, own, session)
  const runs: ComparedRun[] = []
  for (const run of own.map(sessionRuns(session))) runs.push(await readComparedRun(run, { besides: [] }))
  const { benchmarks } = await listReadable(session.benchmarks)
  return boardAnalysis(board, {
    benchmarks,
    detectable: detectableEffects(board, own, runs),
    subgroups: namedSubgroups(board, subgroups),
  })
}
