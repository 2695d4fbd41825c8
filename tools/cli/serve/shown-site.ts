import { existsSync } from 'node:fs'
import { mkdtemp, stat, readdir } from 'node:fs/promises'
import { defined } from '../../../cache/values/defined.ts'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { readFile } from '../../../cache/files/read.ts'
import { listBenchmarks, type BenchmarkSummary } from '../../../benchmarks/lookup/list.ts'
import { readTaxonomy } from '../../../benchmarks/taxonomy.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { loadRegistry } from '../../../models/registry/load.ts'
import { declaredRuns } from '../../helm/declared-run.ts'
import { type Workspace, storePathOf } from '../../session/workspace/workspace.ts'
import { readAssets } from '../../site/emit/assets.ts'
import { emitSite, writeInstances } from '../../site/emit/emit.ts'
import { helmContent, type HelmScope, type HelmSources } from '../../site/content/helm-content.ts'
import { MANIFEST } from '../../site/emit/manifest.ts'
import { createRunAccess, type FolderAccess } from '../../site/content/run-access.ts'
import { siteInputs } from '../../site/emit/site-inputs.ts'
import { textFlag, pathFlag, boolFlag } from '../flags.ts'
import { formatProblems } from '../output/print-problems.ts'
import type { Invocation } from '../verb.ts'
import { compareCodePoints } from '../../../benchmarks/python/text.ts'
import { dirname } from 'node:path/posix'
import { remembered } from '../../../cache/once.ts'
import { runFolder } from '../../site/paths.ts'
import type { SiteRun, SiteSuite } from '../../site/site.ts'
import { localPathOf } from '../common/session-flags.ts'
import { groupBy } from '../../../cache/lists.ts'
import type { Built } from '../../../targets/runs/board-metric.ts'
import { resolveTargets } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'
import { suiteContent } from '../../site/content/suite-content.ts'
import { readBuilt } from '../common/built-runs.ts'
import { suitesOf } from '../common/suites.ts'
import { withSession } from '../with-session.ts'

/** A site as `medmake serve` shows it. */
export interface ShownSite {
  readonly folder: string
  /** What it was made of, below the output path. */
  readonly scopes: readonly HelmScope[]
  /** Writes files that were left for when they are asked for. */
  readonly prepare?: (path: string) => Promise<void>
  /** Tells results from newer ones. */
  readonly stamp: () => Promise<string>
}

/** A site that report wrote, if it shows what was asked for; else one made from HELM's files. */
export const findSite = async (
  asked: {
    readonly output: string
    readonly scope: HelmScope | undefined
    readonly temporary: string
    readonly withoutInstances: boolean
  },
  workspace: Workspace,
  invocation: Invocation,
): Promise<ShownSite> => {
  const { flags, cwd, warn } = invocation
  const { output, scope, temporary, withoutInstances } = asked
  const given = textFlag(flags, 'site')
  const site = given === undefined ? join(output, 'site') : resolve(cwd, given)
  const suites = await suitesOfSite(site)
  if (given !== undefined && suites === undefined) throw noSite(site)
  const isIn =
    scope === undefined ||
    (scope.kind === 'suite' && suites?.some(({ suite }) => suite === scope.name) === true)
  if (suites !== undefined && (given !== undefined || isIn)) {
    const reported = {
      folder: site,
      scopes: suites.map(({ suite }) => ({ kind: 'suite', name: suite }) as const),
      stamp: () => timeOf(join(site, MANIFEST)),
    }
    // What report wrote holds no restricted text.
    if (!boolFlag(flags, 'includeRestricted')) return reported
    const folder = await mkdtemp(join(temporary, 'site-'))
    if (await emitStored(folder, suites, workspace, invocation)) return { ...reported, folder }
  }
  const wanted = scope ?? (await newestScope(output))
  if (wanted === undefined) throw noSite(site)
  const sources = await sourcesOf(output, workspace, { flags, cwd })
  const { suite, problems } = await helmContent(wanted, sources)
  if (problems.length > 0) warn(formatProblems(problems, process.stderr.isTTY))
  const assets = await readAssets()
  const inputs = siteInputs([suite], assets)
  const folder = await mkdtemp(join(temporary, 'site-'))
  await emitSite(folder, { suites: [suite], assets, inputs, withoutInstances })
  return {
    folder,
    scopes: [wanted],
    prepare: instancesOnRequest(folder, [suite]),
    stamp: async () => stampOf(output, scope ?? (await newestScope(output)) ?? wanted),
  }
}

/** What HELM's files are read with: the models, benchmarks and taxonomy of the workspace. */
const sourcesOf = async (
  output: string,
  workspace: Workspace,
  { flags, cwd }: Pick<Invocation, 'flags' | 'cwd'>,
): Promise<HelmSources> => {
  const context = { workspace: workspace.root }
  const benchmarks = await listBenchmarks(context)
  const benchmarkOf = (group: string): BenchmarkSummary | undefined =>
    benchmarks.find(({ name, groups }) => name === group || groups.includes(group))
  const access = createRunAccess(benchmarks, { ...context, cwd })
  return {
    outputPath: output,
    registry: await loadRegistry({
      workspace: workspace.root,
      localPath: localPathOf(flags, cwd, workspace),
    }),
    accessOf: async (run) => {
      const own = await access.of(run.spec, run.path)
      return own !== 'public' && boolFlag(flags, 'includeRestricted') ? 'local' : own
    },
    placeOf: (group) => {
      const { category, subcategory } = benchmarkOf(group) ?? {}
      return defined({ category, subcategory })
    },
    declaredOf: declaredRuns(benchmarks, { ...context, cwd }),
    coverageFloor: workspace.config.coverage_floor,
    profile: workspace.config.profile,
    taxonomy: await readTaxonomy(context),
  }
}

/** Who may read which run's texts, by the benchmarks of the workspace. */
export const runAccessOf = async (workspace: Workspace, cwd: string): Promise<FolderAccess> =>
  createRunAccess(await listBenchmarks({ workspace: workspace.root }), { workspace: workspace.root, cwd })

const stampOf = async (output: string, { kind, name }: HelmScope): Promise<string> => {
  const folder = join(output, kind === 'suite' ? 'runs' : 'releases', name)
  return `${folder} ${await timeOf(join(folder, 'summary.json'))}`
}

/** Empty while there is none. */
const timeOf = async (file: string): Promise<string> =>
  String((await stat(file).catch(() => undefined))?.mtimeMs ?? '')

const Names = z.array(z.string())
const Boards = z.array(
  z.object({
    suite: z.string(),
    rows: z.array(z.object({ cells: z.array(z.object({ runs: Names, leftOutRuns: Names.optional() })) })),
  }),
)

/** The suites of a site; undefined where there is none. */
const suitesOfSite = async (site: string): Promise<readonly ReportedSuite[] | undefined> => {
  const text = await readFile(join(site, 'board.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const parsed = Boards.safeParse(JSON.parse(text))
  if (!parsed.success) return undefined
  return parsed.data.map(({ suite, rows }) => {
    const cells = rows.flatMap((row) => row.cells)
    return { suite, runs: cells.flatMap(({ runs, leftOutRuns = [] }) => [...runs, ...leftOutRuns]) }
  })
}

const noSite = (site: string): ProblemError =>
  new ProblemError({
    code: 'site/nothing-to-serve',
    message: 'there is nothing to serve',
    where: { file: site },
    remedy: 'Run `medmake report` first, or name HELM’s results with --suite and --output-path.',
  })

/** The suite or release that was summarised last; of two at the same time the release. Undefined where there is none. */
export const newestScope = async (outputPath: string): Promise<HelmScope | undefined> => {
  const found = [
    ...(await summarised(join(outputPath, 'releases'), 'release')),
    ...(await summarised(join(outputPath, 'runs'), 'suite')),
  ]
  return found.sort((a, b) => b.time - a.time)[0]?.scope
}

const summarised = async (
  folder: string,
  kind: HelmScope['kind'],
): Promise<readonly { readonly scope: HelmScope; readonly time: number }[]> => {
  const names = await readdir(folder).catch(() => [] as string[])
  const times = await Promise.all(
    names.sort(compareCodePoints).map(async (name) => {
      const summary = await stat(join(folder, name, 'summary.json')).catch(() => undefined)
      return summary === undefined ? [] : [{ scope: { kind, name }, time: summary.mtimeMs }]
    }),
  )
  return times.flat()
}

/**
 * Writes the files of a run's instances when the first of them is asked for, and all of them once. Of a thousand runs a
 * reader opens a few.
 *
 * @param path of a file below the site's folder
 */
const instancesOnRequest = (
  directory: string,
  suites: readonly SiteSuite[],
): ((path: string) => Promise<void>) => {
  const runs = new Map<string, SiteRun>(
    suites.flatMap((suite) =>
      suite.runs.map((run) => [runFolder(run.facts.suite, run.facts.name), run] as const),
    ),
  )
  const begun = new Map<string, Promise<void>>()
  return async (path) => {
    const folder = dirname(path)
    const run = runs.get(folder)
    if (run === undefined) return
    await remembered(begun, folder, () => writeInstances(directory, run).then(() => undefined))
  }
}

/** The runs of which a site's board is made. */
interface ReportedSuite {
  readonly suite: string
  readonly runs: readonly string[]
}

/**
 * Writes a site that report wrote anew, with the texts of gated and private benchmarks: from the store, which knows more
 * than HELM's files, such as the patient of each row, so that its numbers are those of the report.
 *
 * @returns false, and nothing is written, where the store does not hold each of its runs
 */
const emitStored = async (
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
