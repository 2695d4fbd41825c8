import { listBenchmarks } from '../../../benchmarks/lookup/list.ts'
import type { Analysis } from '../../../targets/analysis/analysis.ts'
import type { Board } from '../../../targets/board/board.ts'
import type { Built } from '../../../targets/runs/built.ts'
import { boardAnalysis } from '../../../targets/analysis/board-analysis.ts'
import { costsReport, type CostsReport } from '../../../targets/board/cost-table.ts'
import type { Session } from '../../session/session.ts'

/** What `report --json` tells besides the boards. */
export interface ReportDetails {
  /** As `medmake analyze` gives them, but without the detectable effects: these take every instance's values. */
  readonly analyses: readonly Analysis[]
  readonly costs: CostsReport
}

export const reportDetails = async (
  boards: readonly Board[],
  built: readonly Built[],
  session: Session,
): Promise<ReportDetails> => {
  const benchmarks = await listBenchmarks(session.benchmarks)
  return {
    analyses: boards.map((board) =>
      boardAnalysis(
        board,
        built.filter(({ suite }) => suite === board.suite),
        { benchmarks, detectable: null },
      ),
    ),
    costs: costsReport(built, session.prices),
  }
}
