import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, basename, dirname } from 'node:path'
import { listBenchmarks } from '../../benchmarks/lookup/list.ts'
import { ProblemError, type Problem } from '../../cache/problems/problem.ts'
import { createRegistry } from '../../models/registry/registry.ts'
import type { Profile } from '../../targets/profile.ts'
import type { Run } from '../../targets/runs/run.ts'
import { declaredRuns } from '../helm/declared-run.ts'
import { helmRuns, type HelmReading } from '../helm/helm-runs.ts'
import { readFolders, directoriesIn } from '../helm/read-suite.ts'
import { readCards } from '../release/assemble.ts'
import { findRelease } from '../release/bundle/find-release.ts'
import { withUnpacked } from '../release/bundle/open-bundle.ts'
import { RELEASE_FILE } from '../release/release-file.ts'
import { releasedRun } from '../release/released-run.ts'
import { unchangedRelease } from '../release/verify.ts'
import type { RunCard } from '../release/run-card.ts'
import type { Workspace } from '../session/workspace/workspace.ts'
import { RUN_FILES } from '../helm/write/write-run.ts'
import { suitesOfRelease } from '../site/content/helm-content.ts'

export interface ResultSource {
  /** As the user named it. */
  readonly given: string
  readonly runs: readonly ReadResult[]
  /** What of it could not be read. */
  readonly problems: readonly Problem[]
}

interface ReadResult {
  readonly run: Run
  /** Of a release's run. */
  readonly card?: RunCard
}

export interface SourceOptions {
  readonly workspace: Workspace
  readonly cwd: string
  readonly outputPath: string
  /** Given to the command; else the workspace's. */
  readonly profile?: Profile | undefined
}

/**
 * Lends the runs of several places: folders of HELM's files, releases by name, folder or archive.
 * @throws ProblemError `compare/no-runs`, `release/…`
 */
export const withSources = async <T>(
  given: readonly string[],
  options: SourceOptions,
  use: (sources: readonly ResultSource[]) => Promise<T>,
): Promise<T> => {
  const [first, ...rest] = given
  if (first === undefined) return use([])
  const { bundle } = findRelease(first, options.outputPath, options.cwd)
  return withUnpacked(bundle, async (folder) => {
    const source = { given: first, ...(await readSource(folder, first, options)) }
    return withSources(rest, options, (others) => use([source, ...others]))
  })
}

/** Whether a word of the command line is such a place, and no model. */
export const isSource = async (word: string, { outputPath, cwd }: SourceOptions): Promise<boolean> => {
  const { bundle } = findRelease(word, outputPath, cwd)
  const found = await stat(bundle).catch(() => undefined)
  if (found?.isDirectory() !== true) return found !== undefined
  return existsSync(join(bundle, RELEASE_FILE)) || (await findSuites(bundle)).length > 0
}

const readSource = async (
  folder: string,
  given: string,
  options: SourceOptions,
): Promise<Omit<ResultSource, 'given'>> => {
  if (existsSync(join(folder, RELEASE_FILE))) return readBundle(folder)
  const isHere = existsSync(folder)
  const suites = isHere ? await findSuites(folder) : []
  if (suites.length === 0)
    throw noRuns(isHere ? `${given} holds no runs` : `there is nothing at ${given}`, folder)
  const reading = await readingOf(options)
  const read = await Promise.all(
    suites.map(async ({ suite, runs, schemaFile }) => {
      const folders = await readFolders(runs, suite)
      const found = await helmRuns(folders.runs, { ...reading, suite, schemaFile })
      return { runs: found.runs, problems: [...folders.problems, ...found.problems] }
    }),
  )
  return {
    runs: read.flatMap(({ runs }) => runs.map((run) => ({ run }))),
    problems: read.flatMap(({ problems }) => problems),
  }
}

/** Numbers are read of the files, no text is shown, and names are the files' own. */
const readingOf = async ({
  workspace: { root, config },
  cwd,
  profile = config.profile,
}: SourceOptions): Promise<HelmReading> => ({
  registry: createRegistry([], []),
  accessOf: () => Promise.resolve('local'),
  declaredOf: declaredRuns(await listBenchmarks({ workspace: root }), { workspace: root, cwd }),
  coverageFloor: config.coverage_floor,
  profile,
})

/** A release counts as a whole or not at all: its digests say what it is. */
const readBundle = async (bundle: string): Promise<Omit<ResultSource, 'given'>> => {
  await unchangedRelease(bundle)
  const registry = createRegistry([], [])
  return {
    runs: await Promise.all(
      (await readCards(bundle)).map(async (card) => ({
        run: await releasedRun(bundle, card, registry, undefined),
        card,
      })),
    ),
    problems: [],
  }
}

const noRuns = (message: string, folder: string): ProblemError =>
  new ProblemError({
    code: 'compare/no-runs',
    message,
    where: { file: folder },
    remedy: 'Name a benchmark_output, one of its suites, a run, or a release by its name, folder or tar.gz.',
  })

/** Run directories of one suite, some of which may turn out to be none. */
interface SuiteFolder {
  readonly suite: string
  readonly runs: readonly string[]
  readonly schemaFile: string
}

/**
 * The suites of a folder of HELM's files: an output path, its `runs` or one suite of it, a release that helm-summarize
 * made, or one run. None where it is none of these.
 */
const findSuites = async (folder: string): Promise<readonly SuiteFolder[]> => {
  if (existsSync(join(folder, RUN_FILES.runSpec))) return [{ ...suiteAt(dirname(folder)), runs: [folder] }]
  if (basename(dirname(folder)) === 'releases' && existsSync(join(folder, 'summary.json')))
    return (
      await Promise.all(
        (await suitesOfRelease(folder)).map((suite) => ownSuite(join(folder, '../../runs', suite))),
      )
    ).flat()
  const [own] = await ownSuite(folder)
  if (own !== undefined) return [own]
  const runs = existsSync(join(folder, 'runs')) ? join(folder, 'runs') : folder
  return (await Promise.all((await directoriesIn(runs)).map((name) => ownSuite(join(runs, name))))).flat()
}

const suiteAt = (folder: string): Omit<SuiteFolder, 'runs'> => ({
  suite: basename(folder),
  schemaFile: join(folder, 'schema.json'),
})

/** A folder is a suite's when a run is in it: whatever else lies there is a run that is damaged. */
const ownSuite = async (folder: string): Promise<readonly SuiteFolder[]> => {
  if (!existsSync(folder)) return []
  const runs = (await directoriesIn(folder)).map((name) => join(folder, name))
  const hasRun = runs.some((run) => Object.values(RUN_FILES).some((file) => existsSync(join(run, file))))
  return hasRun ? [{ ...suiteAt(folder), runs }] : []
}
