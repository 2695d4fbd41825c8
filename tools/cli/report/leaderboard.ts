import { join, parse, relative } from 'node:path'
import { EXIT, type ExitCode } from '../../../cache/problems/problem.ts'
import { withoutLeftOut } from '../../../targets/analysis/paper.ts'
import { leaderboardOf } from '../../analysis/leaderboard-file.ts'
import { paperCosts } from '../../analysis/costs-file.ts'
import { readPaperFiles } from '../../analysis/paper-files.ts'
import { catalogRegistry } from '../../../models/registry/load.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { readAssets } from '../../site/emit/assets.ts'
import { boardText } from '../../site/board-text.ts'
import { emitSite } from '../../site/emit/emit.ts'
import { leaderboardContent } from '../../site/content/leaderboard-content.ts'
import { isCurrent } from '../../site/emit/manifest.ts'
import { requireSiteFolder } from '../../site/emit/site-folder.ts'
import { siteInputs } from '../../site/emit/site-inputs.ts'
import { boolFlag, pathFlag, badArgument } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { readableBenchmarks } from '../common/readable-benchmarks.ts'
import { outputPathOf } from '../common/session-flags.ts'

/** `medmake report --leaderboard FILE`: a leaderboard file as a board with its figures; needs no store. */
export const reportLeaderboard = async (invocation: Invocation, file: string): Promise<ExitCode> => {
  const { args, flags, cwd, print, warn } = invocation
  if (args.length > 0)
    throw badArgument(
      '--leaderboard',
      `--leaderboard shows a file, not ${args.join(', ')}`,
      'Name suites or a file.',
    )
  const workspace = await findWorkspace(cwd)
  const { leaderboard, costs } = await readPaperFiles([file], { cwd, warn })
  for (const each of costs) warn(`takes costs of ${each.file}, which lies beside the leaderboard`)
  const benchmarks = await readableBenchmarks({ workspace: workspace.root }, invocation)
  const registry = await catalogRegistry()
  const { table } = leaderboardOf(leaderboard, benchmarks)
  const name = parse(file).name
  const suite = leaderboardContent(name, boolFlag(flags, 'paper') ? withoutLeftOut(table) : table, {
    benchmarks,
    registry,
    costs: costs.flatMap((each) => paperCosts(each, registry)),
  })
  // Beside the workspace's own site, which holds what was run here.
  const own = pathFlag(invocation, 'site')
  if (own !== undefined) requireSiteFolder(own)
  const site = own ?? join(outputPathOf(flags, cwd, workspace), 'leaderboards', name)
  const assets = await readAssets()
  const inputs = siteInputs([suite], assets)
  const written = !isCurrent(site, inputs)
  if (written) await emitSite(site, { suites: [suite], assets, inputs })
  const index = join(relative(cwd, site) || '.', 'index.html')
  if (boolFlag(flags, 'json')) print(JSON.stringify({ site: index, written, boards: [suite.board] }))
  else
    print(
      `${boardText(suite, { width: WIDTH, colour: false })}\n\n${written ? 'wrote' : 'unchanged'}: ${index}`,
    )
  return EXIT.done
}

const WIDTH = 120
