import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { EXIT, type ExitCode } from '../../../cache/problems/problem.ts'
import { missingLines, readBuilt, shownTarget } from '../common/built-runs.ts'
import { emitRun } from '../../session/emit-run.ts'
import type { SuiteTarget } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { readAssets } from '../../site/emit/assets.ts'
import { boardText } from '../../site/board-text.ts'
import { emitSite } from '../../site/emit/emit.ts'
import { isCurrent } from '../../site/emit/manifest.ts'
import { requireSiteFolder } from '../../site/emit/site-folder.ts'
import { siteInputs } from '../../site/emit/site-inputs.ts'
import type { SiteSuite } from '../../site/site.ts'
import type { Built } from '../../../targets/runs/board-metric.ts'
import { nearlySame } from '../../../targets/runs/nearly-same.ts'
import { suiteContent } from '../../site/content/suite-content.ts'
import { boolFlag, listFlag, pathFlag, refuseBeside, requireBeside, textFlag } from '../flags.ts'
import { formatProblems } from '../output/print-problems.ts'
import type { Action, FlagValues, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { groupBy } from '../../../cache/lists.ts'
import { targetsOf } from '../common/suites.ts'
import { listReadable } from '../../../benchmarks/lookup/list.ts'
import type { Analysis } from '../../../targets/analysis/analysis.ts'
import type { Board } from '../../../targets/board/board.ts'
import { boardAnalysis } from '../../../targets/analysis/board-analysis.ts'
import { costsReport, type CostsReport } from '../../../targets/board/cost-table.ts'
import { CHOOSING, runFirst } from '../common/run-first.ts'
import { outputPathOf } from '../common/session-flags.ts'
import { isThere } from '../../../cache/files/read.ts'
import { listText, plural } from '../../../cache/words/number-text.ts'
import { directoriesIn } from '../../helm/read-suite.ts'
import { summarize } from '../../helm/summarize.ts'
import { forgetSite, siteKept } from '../../nx/kept-token.ts'
import { visibleText } from '../../site/visible-text.ts'
import { localDate } from '../common/command-of.ts'

/** `medmake report`: shows what the store holds of the suites' targets; runs nothing, calls nobody. */
export const reportAction: Action = async (invocation) => {
  const { flags, cwd } = invocation
  requireBeside(flags, 'leaderboard', ['paper'])
  refuseBeside(flags, 'leaderboard', OF_SUITES)
  const leaderboard = textFlag(flags, 'leaderboard')
  if (leaderboard !== undefined)
    return (await import('./leaderboard.ts')).reportLeaderboard(invocation, leaderboard)
  const workspace = await findWorkspace(cwd)
  const named = pathFlag(invocation, 'site')
  if (named !== undefined) requireSiteFolder(named)
  return withSession(invocation, { workspace }, async (session) => {
    const targets = await targetsOf(invocation, session)
    const { runs, missing, problems } = await readBuilt(targets, session, invocation)
    const output = outputPathOf(flags, cwd, workspace)
    const place = { output, site: named ?? join(output, 'site') }
    const report = runs.length === 0 ? undefined : await write(runs, place, { session, invocation })
    const details = boolFlag(flags, 'json')
      ? await reportDetails(
          (report?.suites ?? []).map(({ board }) => board),
          runs,
          session,
        )
      : undefined
    if (problems.length > 0) invocation.warn(formatProblems(problems, process.stderr.isTTY))
    for (const line of nearlySame(runs)) invocation.warn(line)
    for (const line of await otherRuns(targets, output, cwd)) invocation.warn(line)
    return tell({ report, details, missing, site: place.site }, invocation)
  })
}

/** What a leaderboard file, which is shown whole, leaves unread. */
const OF_SUITES = [...CHOOSING, 'suite', 'history', 'allowFailures']

interface Report {
  readonly suites: readonly SiteSuite[]
  /** False when everything stood there already. */
  readonly written: boolean
}

const write = async (
  runs: readonly Built[],
  { output, site }: { readonly output: string; readonly site: string },
  { session, invocation }: { readonly session: Session; readonly invocation: Invocation },
): Promise<Report> => {
  const { env } = session
  let changed = false
  for (const run of runs)
    changed = (await emitRun(join(output, 'runs', run.suite, run.target.spec.name), run, env)) || changed
  const suiteRuns = groupBy(runs, ({ suite }) => suite)
  // What reads releases loads much, and few name some.
  const earlier =
    listFlag(invocation.flags, 'history') === undefined
      ? undefined
      : await (await import('./earlier-releases.ts')).earlierReleases(output, runs, { session, invocation })
  const suites: SiteSuite[] = []
  for (const [name, own] of suiteRuns) {
    const history = earlier?.get(name)
    suites.push({ ...(await suiteContent(name, own, session)), ...(history && { history }) })
  }
  const assets = await readAssets()
  const inputs = siteInputs(suites, assets)
  const current = isCurrent(site, inputs)
  for (const [name, own] of suiteRuns)
    if (changed || !current || !existsSync(join(output, 'runs', name, 'groups.json')))
      await writeTables(name, own, output, { session, invocation })
  if (!current) {
    await emitSite(site, { suites, assets, inputs })
    if (site === dirname(siteKept(session.workspace).proof)) forgetSite(session.workspace)
  }
  return { suites, written: changed || !current }
}

const NARROWEST = 60
const WIDTH_ELSEWHERE = 120

const tell = (
  {
    report,
    details,
    missing,
    site,
  }: {
    readonly report: Report | undefined
    readonly details: ReportDetails | undefined
    readonly missing: readonly SuiteTarget[]
    readonly site: string
  },
  { flags, print, warn, cwd }: Invocation,
): ExitCode => {
  const index = join(relative(cwd, site) || '.', 'index.html')
  if (boolFlag(flags, 'json')) {
    print(
      JSON.stringify({
        site: report === undefined ? null : index,
        written: report?.written ?? false,
        missing: missing.map(({ suite, target }) => ({ suite, run: target.spec.name })),
        boards: (report?.suites ?? []).map(({ board }) => board),
        subgroups: (report?.suites ?? []).map(({ subgroups = [] }) => subgroups),
        ...details,
      }),
    )
  } else if (report !== undefined) {
    const { stdout } = process
    const width = stdout.isTTY ? Math.max(stdout.columns, NARROWEST) : WIDTH_ELSEWHERE
    const colour = stdout.isTTY && stdout.hasColors()
    for (const suite of report.suites) print(`${boardText(suite, { width, colour })}\n`)
    print(`${report.written ? 'wrote' : 'unchanged'}: ${index}`)
  }
  if (missing.length === 0) return EXIT.done
  warn(missingText(missing, flags))
  return EXIT.incomplete
}

const missingText = (missing: readonly SuiteTarget[], flags: FlagValues): string =>
  [
    ...missingLines(missing.map(shownTarget), ''),
    `${runFirst({ flags }, [...new Set(missing.map(({ suite }) => suite))])}${boolFlag(flags, 'allowFailures') ? '.' : '; with --allow-failures runs with failed instances are shown, too.'}`,
  ].join('\n')

/** What `report --json` tells besides the boards. */
interface ReportDetails {
  /** As `medmake analyze` gives them, but without the detectable effects: these take every instance's values. */
  readonly analyses: readonly Analysis[]
  readonly costs: CostsReport
}

const reportDetails = async (
  boards: readonly Board[],
  built: readonly Built[],
  session: Session,
): Promise<ReportDetails> => {
  const { benchmarks } = await listReadable(session.benchmarks)
  return {
    analyses: boards.map((board) => boardAnalysis(board, { benchmarks, detectable: null })),
    costs: costsReport(built, session.prices),
  }
}

/**
 * HELM's own tables beside the runs, of those that the board shows: what else lies there may be of entries that were taken
 * out, or not finished since an edit, and its numbers of other questions.
 */
const writeTables = async (
  suite: string,
  runs: readonly Built[],
  output: string,
  { session, invocation: { cwd, warn } }: { readonly session: Session; readonly invocation: Invocation },
): Promise<void> => {
  const benchmarks = new Map(runs.map(({ target: { spec } }) => [spec.name, spec.benchmark]))
  const { problems } = await summarize({
    outputPath: relative(cwd, output) || '.',
    suite,
    only: new Set(benchmarks.keys()),
    remember: true,
    schemaValidation: 'warn',
    modelRegistry: session.registry,
    scenarioOf: async ({ name }) => {
      const benchmark = benchmarks.get(name)
      if (benchmark === undefined) return undefined
      const { mainMetric, displayName, description } = benchmark
      return { mainMetric, displayName, description }
    },
    today: localDate(new Date()),
  })
  if (problems.length > 0) warn(formatProblems(problems, process.stderr.isTTY))
}

const NAMED = 3

/** A line for each suite beside whose runs others lie, which nobody asks for: HELM's files stay where they are. */
const otherRuns = async (
  targets: readonly SuiteTarget[],
  output: string,
  cwd: string,
): Promise<readonly string[]> => {
  const lines: string[] = []
  for (const [suite, own] of groupBy(targets, (each) => each.suite)) {
    const asked = new Set(own.map(({ target }) => target.spec.name))
    const folder = join(output, 'runs', suite)
    const names = isThere(folder) ? await directoriesIn(folder) : []
    const others = names.filter((name) => !asked.has(name))
    if (others.length > 0)
      lines.push(
        `Not in HELM's tables: ${plural(others.length, 'run')} in ${relative(cwd, folder)} that ${others.length === 1 ? 'is' : 'are'} not asked for here (${listText(others.map(visibleText), NAMED)}).`,
      )
  }
  return lines
}
