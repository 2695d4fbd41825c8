import { readTaxonomy } from '../../../benchmarks/taxonomy.ts'
import type { Built } from '../../../targets/runs/built.ts'
import { sessionRuns } from '../../session/session-runs.ts'
import type { Session } from '../../session/session.ts'
import { suiteAbout } from '../about/suite-about.ts'
import type { SiteSuite } from '../site.ts'
import { storedTasks } from '../stored-tasks.ts'
import { siteSuite } from './site-suite.ts'
import { storedDoubt } from './stored-doubt.ts'
import { storedPairs } from './stored-pairs.ts'
import { storedSubgroups } from './stored-subgroups.ts'

/** A suite's board and run pages from its records. */
export const suiteContent = async (
  suite: string,
  built: readonly Built[],
  { env, registry, workspace }: Pick<Session, 'env' | 'registry' | 'workspace'>,
): Promise<SiteSuite> => {
  const known = { records: built.map(({ digest }) => digest), store: env.records }
  const made = await siteSuite({
    suite,
    runs: built.map(sessionRuns({ env, registry, workspace })),
    taxonomy: await readTaxonomy({ workspace: workspace.root }),
    prices: registry.prices,
    doubt: (board, values) => storedDoubt(board, values, known),
    pairs: (board, told) => storedPairs(board, told, known),
    tasks: (board, values) => storedTasks(board, values, known),
    subgroups: (board, grouped) => storedSubgroups(board, grouped, known),
  })
  return { ...made, ...(await suiteAbout(made.board, built, { registry, workspace })) }
}
