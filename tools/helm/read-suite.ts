import { readdir, stat } from 'node:fs/promises'
import { join, dirname } from 'node:path'
import { exists } from '../../cache/files/read.ts'
import { compareCodePoints } from '../../benchmarks/python/text.ts'
import { groupBy } from '../../cache/lists.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError, type Problem } from '../../cache/problems/problem.ts'
import { listText } from '../../cache/words/number-text.ts'
import type { TableRun } from '../../targets/tables/table.ts'
import { readRunSpec, readStats } from './read-run.ts'
import { readReading, readingText, type HowRead } from './reading-note.ts'
import type { HelmRunSpec } from './forms/run-spec.ts'
import type { HelmStat } from './forms/stat.ts'
import { RUN_FILES } from './write/write-run.ts'

/** A run as helm-summarize holds it: its spec and its stats, not its request states. */
export interface HelmFolder extends TableRun {
  readonly suite: string
  /** Its directory, output path included. */
  readonly path: string
  readonly spec: HelmRunSpec
  readonly stats: readonly HelmStat[]
  /** How its replies were read, of a run of ours. */
  readonly reading?: HowRead
}

/** What a suite directory holds besides runs. */
const NO_RUNS: ReadonlySet<string> = new Set(['eval_cache', 'groups'])

const runDirectories = async (outputPath: string, suite: string): Promise<readonly string[]> => {
  const directory = join(outputPath, 'runs', suite)
  if (!(await exists(directory))) {
    const others = await directoriesIn(join(outputPath, 'runs')).catch(() => [])
    throw new ProblemError({
      code: 'tools/no-such-suite',
      message: `There is no suite ${suite} at ${directory}.`,
      where: { file: directory },
      remedy: `${suggestion(suite, others)}${others.length === 0 ? '' : `Suites there: ${listText(others, 10)}. `}Check --suite or --suites and --output-path, or run the suite first.`,
    })
  }
  return directoriesIn(directory)
}

/** Names of the folders in a folder, and of links to folders, as Python's `os.path.isdir` takes them. */
export const foldersIn = async (directory: string): Promise<readonly string[]> => {
  const names: string[] = []
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const linked = entry.isSymbolicLink() ? await stat(join(directory, entry.name)).catch(() => entry) : entry
    if (linked.isDirectory()) names.push(entry.name)
  }
  return names
}

/** What may be runs of a suite's directory, by name. */
export const directoriesIn = async (directory: string): Promise<readonly string[]> =>
  (await foldersIn(directory)).filter((name) => !NO_RUNS.has(name)).sort(compareCodePoints)

const readSummaryRun = async (path: string, suite: string): Promise<HelmFolder> => {
  const spec = await readRunSpec(path)
  const reading = await readReading(path)
  return {
    suite,
    path,
    spec,
    name: spec.name,
    groups: spec.groups,
    scenario: spec.scenarioSpec,
    adapter: spec.adapterSpec,
    metrics: spec.metricSpecs,
    stats: await readStats(path),
    ...(reading && { reading }),
    ...((await isClosed(path)) ? { isRestricted: true } : {}),
  }
}

const missingFiles = async (path: string): Promise<readonly string[]> => {
  const names = [RUN_FILES.runSpec, RUN_FILES.stats]
  const there = await Promise.all(names.map((name) => exists(join(path, name))))
  return names.filter((_, index) => there[index] === false)
}

/**
 * The runs of a suite, by directory name. A directory that lacks a file or holds a damaged one is no run:
 * it is named in `problems`, and the others are read all the same.
 * @param only names of the directories that are read; all, unless given
 * @throws ProblemError `tools/no-such-suite`
 */
export const readSuite = async (
  outputPath: string,
  suite: string,
  only?: ReadonlySet<string>,
): Promise<{ readonly runs: readonly HelmFolder[]; readonly problems: readonly Problem[] }> => {
  const names = await runDirectories(outputPath, suite)
  return readFolders(
    names.flatMap((name) => (only?.has(name) === false ? [] : [joinPath(outputPath, 'runs', suite, name)])),
    suite,
  )
}

/** Runs by their directories, wherever these lie. */
export const readFolders = async (
  paths: readonly string[],
  suite: string,
): Promise<{ readonly runs: readonly HelmFolder[]; readonly problems: readonly Problem[] }> => {
  const runs: HelmFolder[] = []
  const problems: Problem[] = []
  for (const path of paths) {
    const missing = await missingFiles(path)
    if (missing.length > 0) {
      problems.push({
        code: 'tools/partial-run',
        message: `${path} is left out: it has no ${missing.join(' and no ')}.`,
        where: { file: path },
        remedy: 'Run the entry again, or remove the directory.',
      })
      continue
    }
    try {
      runs.push(await readSummaryRun(path, suite))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      problems.push(...error.problems)
    }
  }
  problems.push(...staleRuns(runs), ...mixedReadings(runs))
  return { runs, problems }
}

const staleRuns = (runs: readonly HelmFolder[]): readonly Problem[] =>
  runs
    .filter(({ reading }) => reading?.stale === true)
    .map(({ name, path }) => ({
      code: 'tools/stale-run',
      message: `the files of ${name} are of an earlier state`,
      where: { file: path },
      remedy: 'Run the entry again, or remove the directory.',
    }))

/** Runs of one folder that were read in several ways are not comparable, and nothing else in it says so. */
const mixedReadings = (runs: readonly HelmFolder[]): readonly Problem[] => {
  const readings = groupBy(
    runs.flatMap(({ name, reading }) => (reading ? [{ name, reading }] : [])),
    ({ reading: { profile, corrected } }) => JSON.stringify([profile, corrected]),
  )
  if (readings.size < 2) return []
  const told = [...readings.values()].flatMap((own) =>
    own.slice(0, 1).map(({ name, reading }) => `${name} ${readingText(reading)}`),
  )
  return [
    {
      code: 'tools/mixed-readings',
      message: `runs that stand together were read in ${readings.size} ways: ${listText(told, 4)}. Their scores are not comparable.`,
      where: { file: dirname(runs[0]?.path ?? '') },
      remedy:
        'Build them by one profile and the same errata, each way in a suite or --output-path of its own.',
    },
  ]
}

/** Closed to others within a folder that is open to them; what is not there is closed. */
export const isClosed = async (directory: string): Promise<boolean> => {
  if (process.platform === 'win32') return false
  const [own, around] = await Promise.all(
    [directory, dirname(directory)].map((path) => stat(path).catch(() => undefined)),
  )
  if (own === undefined || around === undefined) return true
  return (own.mode & 0o077) === 0 && (around.mode & 0o077) !== 0
}

/** Python's `os.path.join`: HELM's files show paths as the user gave them, so `./out` stays `./out`. */
export const joinPath = (...parts: readonly string[]): string =>
  parts.reduce((path, part) => {
    if (part.startsWith('/') || path === '') return part
    return path.endsWith('/') ? path + part : `${path}/${part}`
  }, '')
