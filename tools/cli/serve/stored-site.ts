import { existsSync } from 'node:fs'
import { groupBy } from '../../../cache/lists.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { Built } from '../../../targets/runs/board-metric.ts'
import { resolveTargets } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'
import { storePathOf, type Workspace } from '../../session/workspace/workspace.ts'
import { suiteContent } from '../../site/content/suite-content.ts'
import { readAssets } from '../../site/emit/assets.ts'
import { emitSite } from '../../site/emit/emit.ts'
import { siteInputs } from '../../site/emit/site-inputs.ts'
import type { SiteSuite } from '../../site/site.ts'
import { readBuilt } from '../common/built-runs.ts'
import { suitesOf } from '../common/suites.ts'
import { pathFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'

/** The runs of which a site's board is made. */
export interface ReportedSuite {
  readonly suite: string
  readonly runs: readonly string[]
}

/**
 * Writes a site that report wrote anew, with the texts of gated and private benchmarks: from the store, which knows more
 * than HELM's files, such as the patient of each row, so that its numbers are those of the report.
 *
 * @returns false, and nothing is written, where the store does not hold each of its runs
 */
export const emitStored = async (
  folder: string,
  site: readonly ReportedSuite[],
  workspace: Workspace,
  invocation: Invocation,
): Promise<boolean> => {
  const store = pathFlag(invocation, 'store') ?? storePathOf(workspace, invocation.env)
  if (!existsSync(store)) return false
  const names = site.map(({ suite }) => suite)
  return withSession(invocation, { workspace, suites: names }, async (session) => {
    const built = await storedOf(site, session, { ...invocation, args: names, flags: {} })
    if (built === undefined) return false
    const suites: SiteSuite[] = []
    for (const [suite, own] of groupBy(built, (run) => run.suite))
      suites.push(await suiteContent(suite, own, session, true))
    const assets = await readAssets()
    await emitSite(folder, { suites, assets, inputs: siteInputs(suites, assets) })
    return true
  })
}

/** In the order of a report. Undefined where one is missing, or is not declared any more. */
const storedOf = async (
  site: readonly ReportedSuite[],
  session: Session,
  invocation: Invocation,
): Promise<readonly Built[] | undefined> => {
  const wanted = new Set(site.flatMap(({ suite, runs }) => runs.map((run) => placeOf(suite, run))))
  try {
    const declared = await resolveTargets(await suitesOf(invocation, session), session)
    const asked = declared.filter(({ suite, target }) => wanted.has(placeOf(suite, target.spec.name)))
    const { runs } = await readBuilt(asked, session, { flags: { allowFailures: true } })
    return runs.length === wanted.size ? runs : undefined
  } catch (error) {
    // Of suites that are not declared, as of runs that came with HELM's files.
    if (!(error instanceof ProblemError)) throw error
    return undefined
  }
}

const placeOf = (suite: string, run: string): string => JSON.stringify([suite, run])
