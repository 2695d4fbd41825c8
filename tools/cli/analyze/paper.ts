import { readableBenchmarks } from '../common/readable-benchmarks.ts'
import { EXIT, type ExitCode } from '../../../cache/problems/problem.ts'
import { paperTables } from '../../../targets/analysis/paper.ts'
import { readAllRatings } from '../../../targets/jury/study/ratings.ts'
import { textMeasures } from '../../../targets/metrics/catalog.ts'
import { leaderboardOf } from '../../analysis/leaderboard-file.ts'
import { paperCosts } from '../../analysis/costs-file.ts'
import { readPaperFiles } from '../../analysis/paper-files.ts'
import { catalogRegistry } from '../../../models/registry/load.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { boolFlag, refuseBeside } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { paperText } from '../../analysis/format-paper.ts'

/**
 * `medmake analyze LEADERBOARD.csv [COSTS.csv RATINGS.csv…] --paper`: the tables of the MedHELM paper. Of costs and
 * ratings that are not named those beside the leaderboard are taken, and named.
 */
export const analyzePaper = async (invocation: Invocation): Promise<ExitCode> => {
  const { args, flags, cwd, print, warn } = invocation
  refuseBeside(flags, 'paper', ['table', 'csv', 'latex', 'modelsToRun', 'groupsToRun'])
  const { leaderboard, costs, ratings, found } = await readPaperFiles(args, { cwd, warn })
  for (const file of found) warn(`takes ${file}, which lies beside the leaderboard`)
  const workspace = await findWorkspace(cwd)
  const registry = await catalogRegistry()
  const benchmarks = await readableBenchmarks({ workspace: workspace.root }, invocation)
  const { table } = leaderboardOf(leaderboard, benchmarks)
  const paper = paperTables(table, {
    ratings: readAllRatings(ratings, { automatic: textMeasures() }),
    costs: costs.flatMap((each) => paperCosts(each, registry)),
  })
  print(boolFlag(flags, 'json') ? JSON.stringify({ paper }) : paperText(paper))
  return EXIT.done
}
