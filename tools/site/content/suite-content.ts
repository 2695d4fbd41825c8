import { readTaxonomy } from '../../../benchmarks/taxonomy.ts'
import type { Built } from '../../../targets/runs/board-metric.ts'
import { sessionRuns } from '../../session/built-run.ts'
import type { Session } from '../../session/session.ts'
import { suiteAbout } from '../about/suite-about.ts'
import type { SiteSuite } from '../site.ts'
import { siteSuite } from './site-suite.ts'
import { storedBoard } from './stored-board.ts'
import { storedJudges } from './stored-judges.ts'

/** A suite's board and run pages from its records. @param showsTexts of gated and private benchmarks, too */
export const suiteContent = async (
  suite: string,
  built: readonly Built[],
  { env, registry, workspace }: Pick<Session, 'env' | 'registry' | 'workspace'>,
  showsTexts = false,
): Promise<SiteSuite> => {
  const made = await siteSuite({
    suite,
    runs: built.map(sessionRuns({ env, registry, workspace }, showsTexts)),
    taxonomy: await readTaxonomy({ workspace: workspace.root }),
    prices: registry.prices,
    ...storedBoard(
      built.map(({ digest }) => digest),
      env.records,
    ),
  })
  const coverage = new Map(made.runs.map(({ facts }) => [facts.name, facts.judges]))
  const judges = await storedJudges(built, { env, registry, coverage })
  return { ...made, judges, ...(await suiteAbout(made.board, built, { registry, workspace })) }
}
